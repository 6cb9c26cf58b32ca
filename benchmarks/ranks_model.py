#!/usr/bin/env python3
# ranks_model.py - What a step takes on up to 100,000 ranks, by a model.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A grid of cells, with faces between them and with nodes, in square (cubic)
# parts. A step has two stages: faces read q and adt of their two cells, both
# by one message for each peer, and add to res of both; cells change q and adt
# and take a sum. What the middle part imports, sends and runs twice is
# *counted*, in lists that are built here by the rule of docs/design/ranks.md;
# times come from constants that details/ranks.md says how to measure.
# --check PROGRAM compares the lists with those of the library, by rank-halos.

import argparse
import itertools
import json
import math
import subprocess


class Grid:
    """A grid of 3 x 3 (x 3) parts, near the middle one: that is all that the
    middle one knows. Elements are tuples; faces (direction, cell below)."""

    def __init__(self, dims, side):
        self.dims, self.side = dims, side
        self.corners = list(itertools.product((0, 1), repeat=dims))
        self.middle = self.part_of_cell((side,) * dims)
        # Cells near the middle part, and what is between and around them.
        near = range(side - 3, 2 * side + 3)
        self.cells = [cell for cell in itertools.product(near, repeat=dims)
                      if self.distance(cell) <= 3]
        known = set(self.cells)
        self.faces = [(d, cell) for cell in self.cells for d in range(dims)
                      if self.shift(cell, d) in known]

    def distance(self, cell):
        return sum(max(self.side - x, x - 2 * self.side + 1, 0) for x in cell)

    @staticmethod
    def shift(at, d, by=1):
        return at[:d] + (at[d] + by,) + at[d + 1:]

    def part_of_cell(self, cell):
        # The library's numbers, so that equal votes go to the same part.
        part = 0
        for x in reversed(cell):
            part = part * 3 + x // self.side
        return part

    def cells_of(self, face):
        return face[1], self.shift(face[1], face[0])

    def nodes_of_cell(self, cell):
        return [tuple(map(sum, zip(cell, by))) for by in self.corners]

    def nodes_of_face(self, face):
        return [node for node in self.nodes_of_cell(face[1])
                if node[face[0]] == face[1][face[0]] + 1]

    def part_of_face(self, face):
        return min(map(self.part_of_cell, self.cells_of(face)))

    def parts_of_nodes(self):
        """Where most of what reaches a node is; of equal ones the first."""
        votes = {}
        for cell in self.cells:
            for node in self.nodes_of_cell(cell):
                votes.setdefault(node, []).append(self.part_of_cell(cell))
        for face in self.faces:
            for node in self.nodes_of_face(face):
                votes[node].append(self.part_of_face(face))
        return {node: min(set(of), key=lambda part: (-of.count(part), part))
                for node, of in votes.items()}


def count(dims, side):
    """What the middle part has, as rank-halos prints it, and what OP2's has."""
    grid = Grid(dims, side)
    node_part = grid.parts_of_nodes()
    is_own = {
        "nodes": lambda node: node_part[node] == grid.middle,
        "cells": lambda cell: grid.part_of_cell(cell) == grid.middle,
        "faces": lambda face: grid.part_of_face(face) == grid.middle,
    }
    own = {name: {e for e in everything if is_own[name](e)}
           for name, everything in (("nodes", node_part), ("cells", grid.cells),
                                    ("faces", grid.faces))}
    maps = [("cells", "nodes", grid.nodes_of_cell),
            ("faces", "cells", grid.cells_of),
            ("faces", "nodes", grid.nodes_of_face)]
    # To execute: foreign elements that reach an own one.
    execute = {"nodes": set()}
    for name, everything in (("cells", grid.cells), ("faces", grid.faces)):
        execute[name] = {
            e for e in everything if e not in own[name] and
            any(target in own[to] for source, to, targets in maps
                if source == name for target in targets(e))}
    # To read: what else these and own ones reach.
    read = {name: set() for name in own}
    for source, to, targets in maps:
        for e in own[source] | execute[source]:
            read[to].update(targets(e))
    for name in read:
        read[name] -= own[name] | execute[name]
    # The loop over faces changes cells: copies of what reaches a shared cell.
    shared = {cell for face in execute["faces"] for cell in grid.cells_of(face)
              if cell in own["cells"]}
    copies = {face for face in own["faces"] | execute["faces"]
              if not shared.isdisjoint(grid.cells_of(face))}
    imports = {cell for face in own["faces"] | copies
               for cell in grid.cells_of(face)} - own["cells"]
    counted = {name: {"own": len(own[name]), "exec": len(execute[name]),
                      "nonexec": len(read[name])} for name in own}
    counted["flux"] = {
        "imports": len(imports),
        "messages": len(set(map(grid.part_of_cell, imports))),
        "copies": len(copies), "shared": len(shared)}
    # Elements whose cells are all own need no message.
    border = {face for face in own["faces"]
              if any(cell not in own["cells"] for cell in grid.cells_of(face))}
    early = own["faces"] - border
    # OP2: a message for each dat, peer and kind of import, all of them.
    peers = sum(len(set(map(grid.part_of_cell, some["cells"])))
                for some in (execute, read))
    return counted, {
        "own": len(own["faces"]), "early": len(early),
        "imports": len(imports), "messages": counted["flux"]["messages"],
        "copies": len(copies), "op2_messages": 2 * peers,
        "op2_imports": len(execute["cells"]) + len(read["cells"]),
        "op2_twice": len(execute["faces"])}


def stage(counts, cells, ranks, machine, options):
    """Milliseconds of a stage: ideal, and by three libraries."""
    values = {2: 5, 3: 6}[options.dims]  # of q and adt, in a cell
    work = machine["cell"] * cells
    element = work / counts["own"]  # of a stage, by face

    def exchange(rows, messages):
        bytes_moved = rows * values * 8
        return (2 * bytes_moved * machine["pack"],
                machine["latency"] + messages * machine["message"] +
                bytes_moved * machine["byte"])

    reduce = machine["reduce"] * math.ceil(math.log2(ranks)) if ranks > 1 else 0
    packing, waiting = exchange(counts["imports"], counts["messages"])
    twice = counts["copies"] * machine["copied"]
    today = work + twice + packing + waiting + reduce
    early = work * counts["early"] / counts["own"]
    hidden = work + twice + packing + max(0, waiting - early) + reduce
    packing, waiting = exchange(counts["op2_imports"], counts["op2_messages"])
    op2 = (work + counts["op2_twice"] * element + packing +
           max(0, waiting - early) + reduce)
    return [1e3 * time for time in (work, today, hidden, op2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dims", default=3, type=int, choices=(2, 3))
    parser.add_argument("--cell", default=19, type=float,
                        help="ns of a cell in a stage, without ranks")
    parser.add_argument("--copied", default=22, type=float,
                        help="ns of an element that runs twice")
    parser.add_argument("--pack", default=0.14, type=float, help="ns of a byte")
    parser.add_argument("--latency", default=1.7, type=float, help="us")
    parser.add_argument("--message", default=0.4, type=float,
                        help="us of the processor, for each message")
    parser.add_argument("--rate", default=0.4, type=float,
                        help="GB/s of messages of a rank")
    parser.add_argument("--reduce", default=2.5, type=float,
                        help="us of a sum, for each doubling of ranks")
    parser.add_argument("--check", metavar="PROGRAM", help="rank-halos")
    options = parser.parse_args()
    if options.check:
        good = True
        for dims, side in ((2, 20), (2, 100), (3, 8), (3, 22)):
            output = subprocess.run([options.check, str(dims), str(side), "3"],
                                    check=True, capture_output=True, text=True)
            found = json.loads(output.stdout)
            counted, _ = count(dims, side)
            differing = [name for name in counted if found[name] != counted[name]]
            print(f"{dims}-D, {side} cells along a side:",
                  f"differ in {differing}" if differing else "the same")
            good = good and not differing
        raise SystemExit(0 if good else 1)
    machine = {"cell": options.cell * 1e-9, "copied": options.copied * 1e-9,
               "pack": options.pack * 1e-9, "latency": options.latency * 1e-6,
               "message": options.message * 1e-6,
               "byte": 1e-9 / options.rate, "reduce": options.reduce * 1e-6}
    root = {2: (316, 99, 31, 10), 3: (46, 21, 10, 5)}[options.dims]
    counts = {}
    print("| cells of a rank | rows imported, messages: ours | OP2 | twice: ours "
          "| OP2 |\n|--:|--:|--:|--:|--:|")
    for side in root:
        _, c = counts[side] = count(options.dims, side)
        print(f"| {side ** options.dims:,} | {c['imports']:,}, {c['messages']} "
              f"| {c['op2_imports']:,}, {c['op2_messages']} "
              f"| {c['copies'] / c['own']:.3f} "
              f"| {c['op2_twice'] / c['own']:.3f} |")
    print("\n| ranks | cells of a rank | ideal | today | messages hidden | OP2 |"
          "\n|--:|--:|--:|--:|--:|--:|")
    weak = [(ranks, root[0]) for ranks in (1000, 10000, 100000)]
    strong = [(100 * 10 ** n, root[n]) for n in range(4)]
    for ranks, side in weak + strong:
        cells = side ** options.dims
        times = [2 * time for time in
                 stage(counts[side][1], cells, ranks, machine, options)]
        print(f"| {ranks:,} | {cells:,} | " +
              " | ".join(f"{time:.3f}" for time in times) + " |")


main()
