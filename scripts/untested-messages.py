#!/usr/bin/env python3
# untested-messages.py - Lists messages of the sources that no test mentions.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# By text: a message counts as tested if a test has four words or more of it in a
# row. That finds the gaps, and a few too many of them: what a test matches by a
# regular expression, or in pieces, is listed as well.

import re
import subprocess

CALLS = re.compile(
    r"\b(?:error|note|report\w*|unsupported|TargetProblem|getCustomDiagID|emit"
    r"(?:OpError|Error|Warning|Remark)|notifyMatchFailure|refuse|op2rt_fatal|"
    r"argError|fail|fatal|Error|UsageError|warn)\b")
LITERAL = re.compile(r'(?:"(?:[^"\\]|\\.)*"\s*)+')
HOLE = re.compile(r"%(?:select\{[^}]*\})?[0-9a-zA-Z.*]*|\{\d\}|'")


def list_files(*folders):
    return subprocess.run(["git", "ls-files", *folders], text=True, check=True,
                          capture_output=True).stdout.split()


def squeeze(text):
    return re.sub(r"\s+", " ", text)


def pieces(call):
    """The texts of a call's string literals between what is filled in."""
    for literal in LITERAL.findall(call):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal))
        for piece in HOLE.split(text.replace("\\n", " ").replace('\\"', '"')):
            piece = squeeze(piece).strip(" :;,.()")
            if len(piece) >= 8 and " " in piece:
                yield piece


def is_tested(piece, tests):
    words = piece.split()
    length = min(4, len(words))
    return any(" ".join(words[n:n + length]) in tests
               for n in range(len(words) - length + 1))


def main():
    tests = ""
    for path in list_files("test", "unittests", "examples"):
        with open(path, errors="replace") as file:
            tests += squeeze(re.sub(r'"\s*\n\s*"', "", file.read()))
    count, missing = set(), {}
    for path in list_files("lib", "tools"):
        if not path.endswith((".cpp", ".h")):
            continue
        with open(path) as file:
            source = file.read()
        for match in CALLS.finditer(source):
            end = source.find(";", match.start(), match.start() + 700)
            found = list(pieces(source[match.start():end]))
            if not found:
                continue
            longest = max(found, key=len)
            count.add((path, longest))
            if not any(is_tested(piece, tests) for piece in found):
                line = source.count("\n", 0, match.start()) + 1
                missing.setdefault((path, longest), line)
    for (path, text), line in missing.items():
        print(f"{path}:{line}: {text}")
    print(f"{len(count)} messages, {len(missing)} not found in a test")


main()
