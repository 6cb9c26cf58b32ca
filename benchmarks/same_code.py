#!/usr/bin/env python3
# same_code.py - Do two builds of the examples have the same hot loops?
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the instructions, without operands and padding, of the functions that
# loops on threads run for ranges of elements. Where they are the same, a time that
# differs comes from the runtime, from memory, or from the machine. See README.md.

import argparse
import pathlib
import re
import sys

import common

PROGRAMS = ["airfoil", "airfoil_single", "fem", "jacobi", "multigrid",
            "shallow_water"]

FUNCTION = re.compile(r"[0-9a-f]+ <(.*)>:")
INSTRUCTION = re.compile(r"\s+[0-9a-f]+:\s+(\S+)")
PADDING = ("nop", "data16", "cs", "xchg")


def read_functions(program):
    """Instructions by function, for `*_chunk` and `*_chunk_general`."""
    functions, current = {}, None
    for line in common.run(["objdump", "-d", "--no-show-raw-insn",
                            program]).splitlines():
        if match := FUNCTION.match(line):
            name = match[1]
            current = functions.setdefault(name, []) if "_chunk" in name else None
        elif current is not None and (match := INSTRUCTION.match(line)):
            if not match[1].startswith(PADDING):
                current.append(match[1])
    if not functions:
        common.fail(f"{program} has no loops on threads")
    return functions


def main():
    parser = argparse.ArgumentParser(
        description="Compares the code of loops in two builds of the examples")
    parser.add_argument("before", type=pathlib.Path, metavar="FOLDER",
                        help="programs of the other build")
    parser.add_argument("--bin", default=common.REPOSITORY / "build" / "bin",
                        type=pathlib.Path, help="folder of the programs")
    parser.add_argument("--programs", nargs="+", default=PROGRAMS)
    options = parser.parse_args()

    differing = 0
    for program in options.programs:
        before = read_functions(options.before / program)
        now = read_functions(options.bin / program)
        changed = [name for name in before if before[name] != now.get(name)]
        differing += len(changed)
        print(f"{program}: {len(before) - len(changed)} of {len(before)} the same"
              + "".join(f"; {name}: {len(before[name])} -> "
                        f"{len(now[name]) if name in now else 'none'}"
                        for name in changed))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
