#!/usr/bin/env python3
# compile_time.py - How long op2c++ takes, against plain Clang or another build.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles examples/airfoil/airfoil.cpp to an object file in turn with both. See
# README.md.

import argparse
import pathlib
import resource
import shlex
import statistics
import tempfile
import time

import common


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Compile time of op2c++ against plain clang++")
    parser.add_argument("--bin", default=common.REPOSITORY / "build" / "bin",
                        type=pathlib.Path, help="folder of op2c++")
    parser.add_argument("--cxx", default="clang++-22", help="the plain compiler")
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER",
                        help="compare with the op2c++ of another build instead")
    parser.add_argument("--flags", default="-std=c++17 -O3 -march=native",
                        help="flags of both")
    parser.add_argument("--op2-flags", default="", help="more flags of op2c++")
    parser.add_argument("--source", type=pathlib.Path,
                        default=common.REPOSITORY / "examples/airfoil/airfoil.cpp")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", help="JSON file; default: in results/")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be positive")
    if not (options.bin / "op2c++").exists():
        common.fail(f"{options.bin / 'op2c++'} has not been built")
    return options


def measure(command):
    """Seconds of wall and of processor time that the command took."""
    def busy():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    cpu, wall = busy(), time.perf_counter()
    common.run(command)
    return {"wall_s": time.perf_counter() - wall, "cpu_s": busy() - cpu}


def main():
    options = parse_arguments()
    flags = shlex.split(options.flags)
    headers = options.bin.parent / "include" / "op2"
    with tempfile.TemporaryDirectory(prefix="op2-compile-") as folder:
        tail = ["-c", options.source, "-o", pathlib.Path(folder) / "out.o"]
        op2_flags = [*flags, *shlex.split(options.op2_flags), *tail]
        if options.before:
            base, compiler = "before", [options.before / "op2c++", *op2_flags]
        else:
            base, compiler = "clang++", [options.cxx, *flags, f"-I{headers}",
                                         *tail]
        commands = {base: compiler,
                    "op2c++": [options.bin / "op2c++", *op2_flags]}
        for command in commands.values():
            common.run(command)  # files into the page cache
        data = {**common.circumstances(), "flags": options.flags,
                "op2_flags": options.op2_flags, "source": options.source.name}
        runs = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                runs[name].append(measure(command))
    data["runs"] = runs

    print(f"Compiling {options.source.name} with {options.flags} "
          f"{options.op2_flags}, {options.rounds} rounds; {data['processor']}; "
          f"commit {data['commit']}.\n")
    rows = []
    for what, title in (("wall_s", "wall"), ("cpu_s", "processor")):
        plain, ours = (statistics.median([run[what] for run in runs[name]])
                       for name in (base, "op2c++"))
        rows.append([title, f"{plain:.3f}", f"{ours:.3f}", f"{ours / plain:.2f}"])
    common.print_table(["median seconds", base, "op2c++", "ratio"], rows)
    common.write_json(options.output, "compile-time", data)


if __name__ == "__main__":
    main()
