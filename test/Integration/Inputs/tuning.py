"""Runs a program with several numbers of threads, with and without tuning, and
compares what it computes: not one bit may differ.

tuning.py [--results=REGEX] PROGRAM [ARGUMENT]...

Without --results the program is given --save=FILE, and the files are compared;
with it, the lines it prints that match. For each number of threads it runs
without trials, with those of a normal run, with all of them, with a file that
does not exist, with what that run wrote into it, and with all of that reversed.
"""

import os
import re
import subprocess
import sys
import tempfile

THREADS = [1, 2, 3, 5, 8]
REVERSED = {" threads all ": " threads one ", " threads one ": " threads all ",
            " run fused": " run apart", " run apart": " run fused"}


def run(command, results, folder, threads, tune):
    saved = os.path.join(folder, "saved")
    # More threads than processors: whoever waits lets the others run.
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OP2_TUNE=tune,
                       KMP_BLOCKTIME="0")
    if not results:
        command = command + ["--save=" + saved]
    done = subprocess.run(command, env=environment, capture_output=True)
    if done.returncode:
        sys.exit(f"OP2_TUNE={tune}, {threads} threads: exit status "
                 f"{done.returncode}\n{done.stderr.decode()}")
    if results:
        text = done.stdout.decode().splitlines()
        return "\n".join(filter(re.compile(results).search, text)).encode()
    with open(saved, "rb") as file:
        return file.read()


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
    results = None
    if arguments[0].startswith("--results="):
        results = arguments.pop(0).split("=", 1)[1]
    with tempfile.TemporaryDirectory() as folder:
        expected = run(arguments, results, folder, 1, "off")
        if not expected:
            sys.exit("no results")
        choices = 0
        for threads in THREADS:
            path = os.path.join(folder, f"choices-{threads}")
            for how in ["off", "auto", "on", "file", "same file", "reversed"]:
                if how == "reversed" and os.path.exists(path):
                    choices += reverse(path)
                tune = how if how in ["off", "auto", "on"] else path
                if run(arguments, results, folder, threads, tune) != expected:
                    sys.exit(f"{how}, {threads} threads: other results")
        print(f"bitwise equal, {choices} choices reversed")


main(sys.argv[1:])
