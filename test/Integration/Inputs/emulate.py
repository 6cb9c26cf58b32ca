"""Compiles a program for the emulator in several ways and compares what it
prints with what is expected.

emulate.py [--results=REGEX] [--tolerance=T] [--every-way|--rare-ways]
           [--keeps-rows] [--run=ARGUMENT]... EXPECTED SOURCE [FLAG]... -- OP2C++ [FLAG]...

Three ways of avoiding races are tried (ways.py), in both layouts of dats, in blocks
of different sizes; the default is for tests to try beside other targets. All are
compiled with -O0, which leaves device code as it is (test/Frontend/cuda-flags.cpp);
LLVM does not optimise what the emulator runs. With
--every-way, all four are tried; with --rare-ways, two. Kernels tell what they access, so that races
are errors; not with --keeps-rows, for packed rows that are read to find out which of them
change, while other elements may store there. Each program runs with
several orders of threads (OP2_EMULATOR_SEED). OP2_TEST_EXHAUSTIVE=1 tries all
combinations; with sanitizers, which are slow, only a few are tried. Lines that
begin with "op2:" are no results; with --results, only those that match are.
With --tolerance, numbers may differ by so much, relative to the larger one (or
to 1e-3 if they are smaller).
"""

import argparse
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

import ways

SEEDS = [1, 2, 3]


def combinations(options, is_slow):
    name = os.path.basename(options.source)
    if is_slow:
        return ways.few_ways()[:2] if options.rare_ways else ways.few_ways()
    if os.environ.get("OP2_TEST_EXHAUSTIVE", "0") not in ("", "0"):
        return ways.all_combinations()
    if options.every_way:
        return ways.every_way(name)
    return ways.rare_ways(name) if options.rare_ways else ways.some_ways(name)


def results(text, options):
    return [line for line in text.splitlines()
            if not line.startswith("op2:") and re.search(options.results, line)]


def is_close(a, b, tolerance):
    try:
        a, b = float(a.rstrip(",")), float(b.rstrip(","))
    except ValueError:
        return False
    return abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-3)


def agrees(want, have, tolerance):
    if want == have:
        return True
    if want is None or have is None or tolerance == 0:
        return False
    words = list(itertools.zip_longest(want.split(), have.split()))
    return all(a == b or (a and b and is_close(a, b, tolerance))
               for a, b in words)


def check(expected, program, seed, options):
    environment = dict(os.environ, OP2_TARGET="emulator", OP2_CHECK_PLAN="1",
                       OP2_EMULATOR_SEED=str(seed))
    run = subprocess.run([program, *options.run], env=environment, text=True,
                         capture_output=True, timeout=300)
    if run.returncode != 0:
        return f"exit status {run.returncode}: {run.stderr}"
    found = results(run.stdout, options)
    for number, (want, have) in enumerate(
            itertools.zip_longest(expected, found), start=1):
        if not agrees(want, have, options.tolerance):
            return f"line {number}: expected '{want}', got '{have}'"
    return None


def try_way(expected, options, compiler, way, size, folder, number):
    flags = [*way, "-O0"]
    if size is not None:
        flags.append(f"--op2-block-size={size}")
    program = os.path.join(folder, f"program{number}")
    command = compiler + ["-Werror=op2-sequential", "--op2-target=emulator", *flags,
                          options.source, "-o", program]
    if not options.keeps_rows:
        command.append("--op2-count-accesses")
    compilation = subprocess.run(command, text=True, capture_output=True)
    if compilation.returncode != 0:
        return [f"{' '.join(command)}\n{compilation.stderr}"]
    problems = []
    for seed in SEEDS:
        problem = check(expected, program, seed, options)
        if problem:
            problems.append(f"{' '.join(flags)}, seed {seed}: {problem}")
    os.remove(program)
    return problems


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", default="")
    parser.add_argument("--tolerance", type=float, default=0)
    parser.add_argument("--every-way", action="store_true")
    parser.add_argument("--rare-ways", action="store_true")
    parser.add_argument("--keeps-rows", action="store_true")
    parser.add_argument("--run", action="append", default=[])
    parser.add_argument("expected")
    parser.add_argument("source")
    options, flags = parser.parse_known_args(sys.argv[1:split])
    compiler = sys.argv[split + 1:] + flags
    with open(options.expected) as file:
        expected = results(file.read(), options)
    is_slow = any("-fsanitize" in flag for flag in compiler)
    # AddressSanitizer keeps threads' own variables elsewhere.
    options.keeps_rows |= is_slow
    if not expected:
        print("no results are expected", file=sys.stderr)
        return 1
    problems = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [pool.submit(try_way, expected, options, compiler, way, size,
                            folder, number)
                for number, (way, size) in enumerate(combinations(options, is_slow))]
        for job in jobs:
            problems += job.result()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
