#!/usr/bin/env python3
"""Has each message the id of a problem, and is each problem of the table used?

That each id has a section in docs/errors.md needs no check here: both are made
of include/OP2/Problems.def, and a message without an id does not compile, unless
it goes past the functions that add it, which this looks for.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "include" / "OP2" / "Problems.def"
# What may not be written elsewhere, and where it stands.
ONLY = {
    r'"op2 (?:error|warning)': ["lib/Runtime/Core/Error.cpp",
                                 "lib/Runtime/Core/Error.h"],
    r"\bgetCustomDiagID\(": ["lib/Frontend/Diagnostics.h",
                             "lib/Frontend/Warnings.cpp"],
}


def sources():
    for path in sorted((ROOT / "lib").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if (path.suffix in (".h", ".cpp")
                and name.startswith(("lib/Runtime/", "lib/Frontend/"))):
            yield name, path.read_text()


def problems():
    table = re.findall(r'^OP2_(?:ERROR|WARNING)\((\w+), "([\w-]+)"',
                       TABLE.read_text(), re.MULTILINE)
    names = [name for _, name in table]
    for before, after in zip(names, names[1:]):
        if before >= after:
            yield f"{TABLE.name}: {after} stands behind {before}"
    used = set()
    for name, text in sources():
        used.update(re.findall(r"\bProblem::(\w+)", text))
        for pattern, places in ONLY.items():
            if re.search(pattern, text) and name not in places:
                yield f"{name}: {pattern} makes a message without an id"
    for problem, _ in table:
        if problem not in used:
            yield f"{TABLE.name}: nothing reports {problem}"


if __name__ == "__main__":
    found = list(problems())
    for problem in found:
        print(f"check-messages: error: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)
