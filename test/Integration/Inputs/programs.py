"""Runs a program with several numbers of threads, for scripts that compare what
it computes.

SCRIPT [--results=REGEX] PROGRAM [ARGUMENT]...

Without --results the program is given --save=FILE, and the files are compared;
with it, the lines it prints that match.
"""

import os
import re
import subprocess
import sys

THREADS = [1, 2, 3, 8]


def parse(arguments):
    """The program's command line, and the expression or None."""
    if arguments[0].startswith("--results="):
        return arguments[1:], arguments[0].split("=", 1)[1]
    return arguments, None


def run(command, results, folder, threads, **variables):
    """The program's results and its output."""
    saved = os.path.join(folder, "saved")
    # More threads than processors: whoever waits lets the others run.
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads),
                       KMP_BLOCKTIME="0", **variables)
    if not results:
        command = command + ["--save=" + saved]
    done = subprocess.run(command, env=environment, capture_output=True)
    output = done.stdout.decode()
    if done.returncode:
        sys.exit(f"{variables}, {threads} threads: exit status "
                 f"{done.returncode}\n{output}{done.stderr.decode()}")
    if results:
        lines = filter(re.compile(results).search, output.splitlines())
        return "\n".join(lines).encode(), output
    with open(saved, "rb") as file:
        return file.read(), output
