"""Runs a program with several numbers of threads, with chains of loops in tiles
of several sizes and without, and compares what it computes: not one bit may
differ.

chains.py [--results=REGEX] PROGRAM [ARGUMENT]... (see programs.py)
"""

import re
import sys
import tempfile

from programs import THREADS, parse, run

TILES = ["7", "64", "1000"]
CHAIN = re.compile("^op2: chain (.*): ([0-9]+) tiles", re.MULTILINE)


def main(arguments):
    command, results = parse(arguments)

    def compute(folder, threads, **variables):
        # Chains have no coloured loops.
        return run(command, results, folder, threads, OP2_OWNER="always",
                   **variables)

    with tempfile.TemporaryDirectory() as folder:
        expected, output = compute(folder, 1, OP2_CHAIN="never")
        if not expected:
            sys.exit("no results")
        if CHAIN.search(output):
            sys.exit("a chain that was not to be")
        chains = set()
        for threads in THREADS:
            for size in TILES:
                found, output = compute(folder, threads, OP2_CHAIN="always",
                                        OP2_TILE_SIZE=size, OP2_CHECK_PLAN="1",
                                        OP2_TUNE="off")
                if found != expected:
                    sys.exit(f"tiles of {size}, {threads} threads: other results")
                chains.update(match[0] for match in CHAIN.findall(output))
            found, _ = compute(folder, threads, OP2_CHAIN="auto")
            if found != expected:
                sys.exit(f"auto, {threads} threads: other results")
        print("bitwise equal")
        for chain in sorted(chains):
            print("in tiles:", chain)


main(sys.argv[1:])
