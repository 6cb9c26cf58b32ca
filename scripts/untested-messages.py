#!/usr/bin/env python3
# untested-messages.py - Lists messages of the sources that no test mentions.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# By text: a message counts as tested if a test has four words or more of it in a
# row. What patterns of MLIR say to each other (notifyMatchFailure) is no message:
# nobody sees it. Exits with 1 if it lists any; part of ctest.

import os
import re
import sys

CALLS = re.compile(
    r"\b(?:error|note|report\w*|unsupported|TargetProblem|getCustomDiagID|emit"
    r"(?:OpError|Error|Warning|Remark)|attachNote|refuse|argError|fail|fault|"
    r"fatal|remark|require\w*|Error|UsageError|warn(?:ing)?)\s*[({]")
# Comments, and what may look like the beginning of one or of a string.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'',
                   re.DOTALL)
# What is filled in, and what tests have to escape.
HOLE = re.compile(r"%(?:select\{[^}]*\})?[0-9a-zA-Z.*]*|\{\d\}|['()\[\]]")


def list_files(*tops):
    return sorted(os.path.join(folder, name) for top in tops
                  for folder, _, names in os.walk(top) for name in names)


def squeeze(text):
    return re.sub(r"\s+", " ", text)


def split(source):
    """The source with its strings and comments blanked out, and the strings:
    where each run of adjacent ones begins, with its text."""
    code, strings = list(source), []
    for token in TOKEN.finditer(source):
        begin, end = token.span()
        for at in range(begin, end):
            if code[at] != "\n":
                code[at] = " "
        if source[begin] != '"':
            continue
        text = source[begin + 1:end - 1]
        if strings and not "".join(code[strings[-1][0]:begin]).strip():
            strings[-1] = (strings[-1][0], strings[-1][1] + text)
        else:
            strings.append((begin, text))
    return "".join(code), strings


def pieces(text):
    """The texts of a string between what is filled in."""
    for piece in HOLE.split(text.replace("\\n", " ").replace('\\"', '"')):
        piece = squeeze(piece).strip(" :;,.()")
        if len(piece) >= 8 and " " in piece:
            yield piece


def messages(source):
    """(line, pieces) of each call that says something."""
    code, strings = split(source)
    for call in CALLS.finditer(code):
        end = code.find(";", call.start(), call.start() + 700)
        found = [piece for at, text in strings if call.start() < at < end
                 for piece in pieces(text)]
        if found:
            yield source.count("\n", 0, call.start()) + 1, found


def is_tested(piece, tests):
    words = piece.split()
    length = min(4, len(words))
    return any(" ".join(words[n:n + length]) in tests
               for n in range(len(words) - length + 1))


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tests = "".join(squeeze(re.sub(r'"\s*\n\s*"', "", read(path)))
                    for path in list_files("test", "unittests", "examples"))
    count, missing = set(), {}
    for path in list_files("lib", "tools"):
        if not path.endswith((".cpp", ".h")):
            continue
        for line, found in messages(read(path)):
            longest = max(found, key=len)
            count.add((path, longest))
            if not any(is_tested(piece, tests) for piece in found):
                missing.setdefault((path, longest), line)
    for (path, text), line in missing.items():
        print(f"{path}:{line}: {text}")
    print(f"{len(count)} messages, {len(missing)} not found in a test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
