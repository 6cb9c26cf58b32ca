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
#   <!-- file: NAME -->
#       The fenced block below it is written to the file NAME in {work}.
#   <!-- files: DOCUMENT -->
#       So are all such blocks of DOCUMENT, which lies next to this one.
#   <!-- console --> or <!-- console: fails; part: TEXT; lines: REGEX -->
#       The lines of the fenced block below it that begin with `$ ` are commands
#       that the reader types; below each is what it prints, errors included.
#       The options are about the last command: that it has to fail (but not by
#       a signal), and what of its output is shown. Lines are wrapped at 120
#       characters.
#
# Commands are run in the repository, with the built tools found; {work} is an
# empty folder, the same for all of a document. `COMMAND | ptx` takes the PTX out
# of a module. `<!-- run: COMMAND -->` prepares something. Those of a console are
# run by a shell in {work}, with the tools on PATH, in `$OP2` the folder above
# them, and without the caller's variables OP2_...

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 110
CONSOLE_WIDTH = 120


def find_comments(lines):
    """Kind and text of each, with the number of the line below it."""
    for position, line in enumerate(lines, 1):
        found = re.fullmatch(r"<!-- (?:(run|output|picture|files?|console): (.*)"
                             r"|(console)) -->", line)
        if found:
            yield position, found.group(1) or found.group(3), found.group(2) or ""


def split_options(text):
    return [word.strip() for word in text.split("; ") if word]


def wrap(line):
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, CONSOLE_WIDTH, subsequent_indent=indent,
                         break_long_words=False, break_on_hyphens=False) or [""]


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

    def select(self, lines, options):
        for option in options:
            kind, _, value = option.partition(": ")
            if kind == "part":
                lines = "\n".join(self.find_part(lines, value))
            elif kind == "lines":
                lines = "\n".join(line for line in lines.splitlines()
                                  if re.search(value, line))
            else:
                self.fail(f"unknown option '{option}'")
        return [line.rstrip().expandtabs(4) for line in lines.splitlines()]

    def make_output(self, text):
        command, *options = split_options(text)
        return [line if len(line) <= WIDTH else line[:WIDTH - 2] + " …"
                for line in self.select(self.run(command), options)]

    def write_file(self, name, block):
        if "/" in name:
            self.fail(f"'{name}' is no name of a file in {{work}}")
        (pathlib.Path(self.work) / name).write_text("\n".join(block) + "\n")

    def write_files(self, name):
        """Those of another document, and of the ones that it builds on."""
        try:
            lines = (self.document.parent / name).read_text().splitlines()
        except OSError as error:
            self.fail(f"cannot read {name}: {error.strerror}")
        for position, kind, value in find_comments(lines):
            if kind == "file":
                self.write_file(value, self.find_block(lines, position))
            elif kind == "files":
                self.write_files(value)

    def run_shell(self, command, fails):
        prefix = str(self.tools.parent)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("OP2_")}
        environment["OP2"] = prefix
        environment["PATH"] = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(["sh", "-c", command], cwd=self.work, text=True,
                              env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if fails and done.returncode == 0:
            self.fail(f"does not fail: {command}\n{done.stdout}")
        # From 126 on: not found, or ended by a signal.
        if done.returncode and not (fails and 0 < done.returncode < 126):
            self.fail(f"exit status {done.returncode}: {command}\n{done.stdout}")
        return done.stdout.replace(f"{self.work}/", "").replace(prefix, "$OP2")

    def make_console(self, block, options):
        commands = [line for line in block if line.startswith("$ ")]
        if not commands:
            self.fail("a console has no line that begins with '$ '")
        result = []
        for number, command in enumerate(commands, 1):
            chosen = options if number == len(commands) else []
            text = self.run_shell(command[2:], "fails" in chosen)
            result.append(command)
            for line in self.select(text, [option for option in chosen
                                           if option != "fails"]):
                result += wrap(line)
        return result

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

    def find_block(self, lines, position):
        """The lines between the fences below a comment."""
        fence = lines[position] if position < len(lines) else ""
        if not fence.startswith("```") or "```" not in lines[position + 1:]:
            self.fail(f"no fenced block below line {position}")
        return lines[position + 1:lines.index("```", position + 1)]

    def renew(self):
        lines = self.document.read_text().splitlines()
        result, position = [], 0
        for below, kind, value in find_comments(lines):
            if kind == "run":
                self.run(value)
            elif kind == "picture":
                self.make_picture(value)
            elif kind == "files":
                self.write_files(value)
            elif kind == "file":
                self.write_file(value, self.find_block(lines, below))
            else:
                block = self.find_block(lines, below)
                result += lines[position:below + 1]
                position = below + 1 + len(block)
                result += (self.make_output(value) if kind == "output" else
                           self.make_console(block, split_options(value)))
        text = "\n".join(result + lines[position:]) + "\n"
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
        Generator(document, options.tools.resolve(), options.check).generate()


if __name__ == "__main__":
    main()
