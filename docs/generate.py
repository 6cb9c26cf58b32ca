#!/usr/bin/env python3
# generate.py - Renews what documents show of the tools' output, or checks it.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A document has comments, each on a line of its own:
#
#   <!-- output: COMMAND; part: TEXT; lines: REGEX -->
#       The fenced block below it is what COMMAND prints: all, or the first
#       bracketed part whose first line contains TEXT, or the lines that match.
#       Lines are cut at 110 characters.
#   <!-- picture: NAME.svg: COMMAND -->
#       COMMAND writes the file NAME.svg, next to the document, to {output}.
#
# Commands are run in the repository, with the built tools found; {work} is an
# empty folder, the same for all of a document. `COMMAND | ptx` takes the PTX out
# of a module. `<!-- run: COMMAND -->` prepares something.

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 110


class Generator:
    def __init__(self, document, tools, check):
        self.document = document
        self.tools = tools
        self.check = check
        self.stale = []

    def fail(self, message):
        sys.exit(f"{self.document}: error: {message}")

    def run(self, command, output=""):
        command, wants_ptx, _ = command.partition(" | ptx")
        words = shlex.split(command.format(work=self.work, output=output))
        words[0] = str(self.tools / words[0])
        try:
            done = subprocess.run(words, cwd=REPOSITORY, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            self.fail(f"cannot run {words[0]}: {error.strerror}")
        if done.returncode:
            self.fail(f"exit status {done.returncode}: {command}\n{done.stderr}")
        return self.find_ptx(done.stdout) if wants_ptx else done.stdout

    def find_ptx(self, module):
        script = REPOSITORY / "test/Pipelines/Inputs/ptx.py"
        return subprocess.run([sys.executable, script], input=module, text=True,
                              stdout=subprocess.PIPE, check=True).stdout

    def find_part(self, text, first):
        """From the line with `first` to the bracket that closes it."""
        lines = text.splitlines()
        for start, line in enumerate(lines):
            if first in line:
                break
        else:
            self.fail(f"no output line has '{first}'")
        indent = len(lines[start]) - len(lines[start].lstrip())
        closing = re.compile(r" {%d}\}" % indent)
        for end in range(start + 1, len(lines)):
            if closing.match(lines[end]):
                # "} else {" goes on.
                if not lines[end].rstrip().endswith("{"):
                    return [line[indent:] for line in lines[start:end + 1]]
        self.fail(f"what begins with '{first}' does not end")

    def make_output(self, text):
        command, *options = [word.strip() for word in text.split("; ")]
        lines = self.run(command)
        for option in options:
            kind, _, value = option.partition(": ")
            if kind == "part":
                lines = "\n".join(self.find_part(lines, value))
            elif kind == "lines":
                lines = "\n".join(line for line in lines.splitlines()
                                  if re.search(value, line))
            else:
                self.fail(f"unknown option '{option}'")
        lines = [line.rstrip().expandtabs(4) for line in lines.splitlines()]
        return [line if len(line) <= WIDTH else line[:WIDTH - 2] + " …"
                for line in lines]

    def make_picture(self, text):
        name, command = text.split(": ", 1)
        target = self.document.parent / name
        fresh = pathlib.Path(self.work) / "picture"
        self.run(command, output=fresh)
        new = fresh.read_text()
        if target.exists() and target.read_text() == new:
            return
        self.stale.append(name)
        if not self.check:
            target.write_text(new)

    def renew(self):
        lines = self.document.read_text().splitlines()
        result, position = [], 0
        while position < len(lines):
            line = lines[position]
            result.append(line)
            position += 1
            found = re.fullmatch(r"<!-- (run|output|picture): (.*) -->", line)
            if not found:
                continue
            if found.group(1) == "run":
                self.run(found.group(2))
            elif found.group(1) == "picture":
                self.make_picture(found.group(2))
            else:
                if not lines[position].startswith("```"):
                    self.fail(f"no fenced block below line {position}")
                end = lines.index("```", position + 1)
                result.append(lines[position])
                result += self.make_output(found.group(2)) + ["```"]
                position = end + 1
        text = "\n".join(result) + "\n"
        if text != self.document.read_text():
            self.stale.append(self.document.name)
            if not self.check:
                self.document.write_text(text)

    def generate(self):
        with tempfile.TemporaryDirectory(prefix="op2-docs-") as work:
            self.work = work
            self.renew()
        if self.check and self.stale:
            self.fail(f"out of date: {', '.join(self.stale)}; renew by "
                      "'ninja op2-docs'")


def main():
    parser = argparse.ArgumentParser(description="Renews documents")
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path,
                        default=REPOSITORY / "build" / "bin")
    parser.add_argument("--check", action="store_true",
                        help="change nothing; exit status 1 if something would")
    options = parser.parse_args()
    for document in options.documents:
        Generator(document, options.tools, options.check).generate()


if __name__ == "__main__":
    main()
