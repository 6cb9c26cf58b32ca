"""Compares what `ptxas -v` said, on standard input, with bounds.

registers.py KERNEL=MOST...

No kernel may use local memory, and none of those named more than MOST
registers.
"""

import re
import sys


def number(pattern, text):
    match = re.search(pattern, text)
    return int(match.group(1)) if match else 0


text = sys.stdin.read()
bounds = {name: int(most) for name, most in
          (argument.split("=") for argument in sys.argv[1:])}
problems = []
seen = set()
for part in text.split("Compiling entry function '")[1:]:
    name = part.split("'")[0]
    seen.add(name)
    registers = number(r"Used (\d+) registers", part)
    local = sum(number(pattern, part) for pattern in
                (r"(\d+) bytes stack frame", r"(\d+) bytes spill stores"))
    if local:
        problems.append(f"{name}: {local} bytes of stack and spills")
    if registers > bounds.get(name, 255):
        problems.append(f"{name}: {registers} registers, at most "
                        f"{bounds[name]} expected")
problems += [f"{name}: no such kernel" for name in bounds if name not in seen]
for problem in problems:
    print(problem, file=sys.stderr)
if problems or not seen:
    sys.exit(text if not seen else 1)
