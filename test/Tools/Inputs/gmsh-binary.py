"""gmsh-binary.py IN.msh OUT.msh: a text file of Gmsh as a binary one.

Written from Gmsh's reference manual, not from op2-mesh's reader: for tests of
the latter.
"""

import struct
import sys

NODES = {15: 1, 1: 2, 2: 3, 3: 4, 4: 4, 5: 8}


def pack(kinds, values):
    """i: int, s: size_t, d: double."""
    types = {"i": ("<i", int), "s": ("<Q", int), "d": ("<d", float)}
    return b"".join(struct.pack(types[k][0], types[k][1](v))
                    for k, v in zip(kinds, values, strict=True))


def nodes2(lines):
    count = int(lines[0])
    return b"%d\n" % count + b"".join(
        pack("iddd", line.split()) for line in lines[1:])


def elements2(lines):
    text = b"%s\n" % lines[0].encode()
    for line in lines[1:]:
        tag, kind, tags, *rest = line.split()
        text += pack("iii", [kind, 1, tags])
        text += pack("i" * (1 + len(rest)), [tag, *rest])
    return text


def entities4(lines):
    text, rows = pack("ssss", lines[0].split()), iter(lines[1:])
    for dimension, count in enumerate(map(int, lines[0].split())):
        for _ in range(count):
            row = next(rows).split()
            box = 4 if dimension == 0 else 7
            text += pack("i" + "d" * (box - 1), row[:box])
            row = row[box:]
            for _ in range(1 if dimension == 0 else 2):
                some = int(row[0])
                text += pack("s" + "i" * some, row[:some + 1])
                row = row[some + 1:]
    return text


def nodes4(lines):
    text, rows = pack("ssss", lines[0].split()), iter(lines[1:])
    for _ in range(int(lines[0].split()[0])):
        head = next(rows).split()
        text += pack("iiis", head)
        count = int(head[3])
        for _ in range(count):
            text += pack("s", next(rows).split())
        for _ in range(count):
            row = next(rows).split()
            text += pack("d" * len(row), row)
    return text


def elements4(lines):
    text, rows = pack("ssss", lines[0].split()), iter(lines[1:])
    for _ in range(int(lines[0].split()[0])):
        head = next(rows).split()
        text += pack("iiis", head)
        for _ in range(int(head[3])):
            row = next(rows).split()
            assert len(row) == 1 + NODES[int(head[2])]
            text += pack("s" * len(row), row)
    return text


PACKED = {
    "2.2": {"Nodes": nodes2, "Elements": elements2},
    "4.1": {"Nodes": nodes4, "Elements": elements4, "Entities": entities4},
}

with open(sys.argv[1]) as file:
    lines = file.read().splitlines()
version = lines[1].split()[0]
with open(sys.argv[2], "wb") as file:
    while lines:
        section = lines[0][1:]
        end = lines.index("$End" + section)
        body, lines = lines[1:end], lines[end + 1:]
        file.write(b"$%s\n" % section.encode())
        if section == "MeshFormat":
            file.write(b"%s 1 8\n" % version.encode() + struct.pack("<i", 1))
            file.write(b"\n")
        elif section in PACKED[version]:
            file.write(PACKED[version][section](body) + b"\n")
        else:
            file.write("\n".join(body).encode() + b"\n")
        file.write(b"$End%s\n" % section.encode())
