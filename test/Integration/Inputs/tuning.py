"""Runs a program with several numbers of threads, with and without tuning, and
compares what it computes: not one bit may differ.

tuning.py [--results=REGEX] PROGRAM [ARGUMENT]... (see programs.py)

For each number of threads it runs
without trials, with those of a normal run, with all of them, with a file that
does not exist, with what that run wrote into it, and with all of that reversed.
Trials begin when loops have taken 0.1 s.
"""

import os
import sys
import tempfile

from programs import THREADS, parse, run

REVERSED = {" threads all ": " threads one ", " threads one ": " threads all ",
            " run fused": " run apart", " run apart": " run fused",
            " run tiles": " run loops", " run loops": " run tiles"}


def reverse(path):
    with open(path) as file:
        lines = file.read().splitlines()
    choices = 0
    for number, line in enumerate(lines):
        for old, new in REVERSED.items():
            if old in line and not line.startswith("machine"):
                lines[number] = line.replace(old, new)
                choices += 1
                break
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return choices


def main(arguments):
    command, results = parse(arguments)

    def compute(folder, threads, tune):
        return run(command, results, folder, threads, OP2_TUNE=tune)[0]

    with tempfile.TemporaryDirectory() as folder:
        expected = compute(folder, 1, "off")
        if not expected:
            sys.exit("no results")
        choices = 0
        for threads in THREADS:
            path = os.path.join(folder, f"choices-{threads}")
            for how in ["off", "auto", "on", "file", "same file", "reversed"]:
                if how == "reversed" and os.path.exists(path):
                    choices += reverse(path)
                tune = how if how in ["off", "auto", "on"] else path
                if compute(folder, threads, tune) != expected:
                    sys.exit(f"{how}, {threads} threads: other results")
        print(f"bitwise equal, {choices} choices reversed")


main(sys.argv[1:])
