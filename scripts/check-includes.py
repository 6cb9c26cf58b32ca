#!/usr/bin/env python3
"""Do the folders of lib/Runtime include only what lib/Runtime/rooms.txt allows?"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent / "lib" / "Runtime"


def read_rooms():
    """By folder, those that it may include; in the order of the file."""
    rooms = {}
    for line in (ROOT / "rooms.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, known = line.partition(":")
        rooms[name] = known.split()
        above = [room for room in rooms[name] if room not in rooms]
        if above:
            sys.exit(f"rooms.txt: {name} stands before {above[0]}, which it knows")
    return rooms


def problems():
    rooms = read_rooms()
    for path in sorted(ROOT.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        place = path.relative_to(ROOT)
        if place.parts[0] not in rooms:
            yield f"{place}: lies in no folder of rooms.txt"
            continue
        allowed = [place.parts[0], *rooms[place.parts[0]]]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'#include "([A-Za-z0-9]+)/', line)
            if found and found[1] != "OP2" and found[1] not in allowed:
                yield (f"{place}:{number}: {place.parts[0]} includes "
                       f"{found[1]}; expected {', '.join(allowed)}")


if __name__ == "__main__":
    found = list(problems())
    for problem in found:
        print(f"check-includes: error: lib/Runtime/{problem}", file=sys.stderr)
    sys.exit(1 if found else 0)
