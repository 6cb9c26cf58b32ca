"""Runs a program alone and on several ranks, and compares what it prints.

on_ranks.py <mpirun command> [NAME=VALUE...] -- <program> <argument>...

Each way is a number of ranks, of threads, and parts of the mesh. Three of them
are tried, which the command line chooses, so that the suite has all;
OP2_TEST_EXHAUSTIVE=1 tries all. NAME=VALUE: the environment of every run, the
reference's, too. OP2_RANKS is whole unless it is given.
"""

import itertools
import os
import re
import shlex
import subprocess
import sys
import zlib

RANKS = [1, 2, 3, 4, 7]
NUMBER_OF_WAYS = 3
THREADS = [1, 2]
# The words of OP_diags, and times: what op_timing_output prints, and examples.
OF_THE_RUN = re.compile(r"^op2: |\btime\b|^ +\d+ +\d+\.\d{6} |\d ranks: |"
                        r"^ +own, mean |^ +\d+\.\d{6} |^$|"
                        r"^(Total time|First iterations|Time per iteration):")
PARTS = ["ptscotch", "random:1", "blocks", "random:7"]


def run(command, environment):
    result = subprocess.run(command, env={**os.environ, **environment},
                            capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(command)} {environment}: status "
                 f"{result.returncode}\n{result.stdout}{result.stderr}")
    return [line for line in result.stdout.splitlines()
            if not OF_THE_RUN.search(line)]


def choose_ways(words):
    others = list(itertools.product(THREADS, PARTS))
    if os.environ.get("OP2_TEST_EXHAUSTIVE") == "1":
        return [(ranks, *other) for ranks in RANKS for other in others]
    first = zlib.crc32(" ".join(words).encode()) >> 2
    return [(RANKS[(first + 2 * number) % len(RANKS)],
             *others[(first // len(RANKS) + 3 * number) % len(others)])
            for number in range(NUMBER_OF_WAYS)]


def main():
    split = sys.argv.index("--")
    mpirun, settings = shlex.split(sys.argv[1]), sys.argv[2:split]
    program = sys.argv[split + 1:]
    base = dict(setting.split("=", 1) for setting in settings)
    expected = run(program, base)
    if not expected:
        sys.exit("the program prints nothing")
    ways = choose_ways(settings + [os.path.basename(program[0])] + program[1:])
    for ranks, threads, parts in ways:
        environment = {**base, "OMP_NUM_THREADS": str(threads),
                       "OP2_RANKS": base.get("OP2_RANKS", "whole"),
                       "OP2_PARTITION": parts}
        found = run([*mpirun, "-n", str(ranks), *program], environment)
        if found != expected:
            lines = "\n".join(f"  {a}\n  {b}" for a, b in zip(expected, found)
                              if a != b)
            sys.exit(f"{shlex.join(program)} prints something else with "
                     f"{environment} on {ranks} ranks:\n{lines}")
    print(f"{len(ways)} ways, the same output")


main()
