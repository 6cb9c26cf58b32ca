"""Runs the cases of a source on two ranks: each must end, with its message.

errors.py <mpirun command> <program> <source> [<case>]

In the source, `// CASE: name [NAME=VALUE | ARGUMENT]...` and the next line,
`// ERROR: text [|| or this text]`. Without a case: all but those that other programs show.
"""

import os
import re
import shlex
import subprocess
import sys

OTHERS = ["other", "index", "alone"]


def main():
    mpirun, program, source = shlex.split(sys.argv[1]), sys.argv[2], sys.argv[3]
    with open(source, encoding="utf-8") as file:
        cases = re.findall(r"// CASE: (\S+)((?: \S+)*)\n *// ERROR: (.*)\n", file.read())
    wanted = sys.argv[4:] or [name for name, _, _ in cases if name not in OTHERS]
    failures = 0
    for name, settings, message in cases:
        if name not in wanted:
            continue
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OP2_RANKS": "whole",
                       "OP2_STRICT": "0"}
        arguments = [name]
        for setting in settings.split():
            variable, is_setting, value = setting.partition("=")
            if is_setting:
                environment[variable] = value
            else:
                arguments.append(setting)
        try:
            result = subprocess.run([*mpirun, "-n", "2", program, *arguments],
                                    env=environment, capture_output=True,
                                    text=True, timeout=60)
        except subprocess.TimeoutExpired:
            print(f"{name}: does not end")
            failures += 1
            continue
        is_said = any(text in result.stderr for text in message.split(" || "))
        if result.returncode == 0 or not is_said:
            print(f"{name}: status {result.returncode}, expected '{message}':\n"
                  f"{result.stdout}{result.stderr}")
            failures += 1
    if failures:
        sys.exit(1)
    print(f"{len(wanted)} cases")


main()
