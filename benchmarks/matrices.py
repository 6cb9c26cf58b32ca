#!/usr/bin/env python3
# matrices.py - Assembly, products, solvers and layers, against PETSc and Eigen.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs run in turn, every second round the other way round. Each mesh has a
# process of its own, behind one that touches memory and gives it back: what a
# virtual machine has not had before takes several times as long. See README.md.

import argparse
import json
import pathlib
import shlex
import statistics
import sys

import common

MESHES = ["triangles", "tetrahedra", "quadratic-tetrahedra",
          "triangles-shuffled", "tetrahedra-shuffled"]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Assembly, products, solvers and layers, in turn")
    parser.add_argument("--bin", default=common.REPOSITORY / "build" / "bin",
                        type=pathlib.Path, help="folder of the built programs")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, nargs=2, default=[1000, 70],
                        metavar=("SQUARE", "CUBE"), help="cells a side")
    parser.add_argument("--steps", type=int, nargs="+", default=[40, 200],
                        help="of conjugate gradients")
    parser.add_argument("--prisms", type=int, default=4000000)
    parser.add_argument("--touch", type=float, default=3, metavar="GB",
                        help="of memory, before each program")
    parser.add_argument("--prefix", default="", help="such as 'chrt -r 1'")
    parser.add_argument("--output", help="JSON file; default: in results/")
    options = parser.parse_args()
    if min(options.rounds, options.prisms, *options.size, *options.steps) < 1:
        parser.error("sizes, steps and rounds must be positive")
    for name in ["assembly", "assembly_ref", "operators", "solve",
                 "layers-bench"]:
        if not (options.bin / name).exists():
            common.fail(f"{options.bin / name} has not been built; assembly_ref "
                        "needs PETSc, solve Eigen")
    return options


def programs(options):
    """Of a round: a label, and the command."""
    square, cube = options.size
    for mesh in MESHES:
        for name in ["assembly", "assembly_ref"]:
            yield mesh, [name, square, cube, mesh]
        if mesh == "tetrahedra-shuffled":
            yield "renumbered", ["assembly", square, cube, mesh]
    yield "operators", ["operators", square, cube]
    for steps in options.steps:
        yield f"solve {steps}", ["solve", square, steps]
    yield "layers", ["layers-bench", f"--prisms={options.prisms}"]


def measure(options):
    """(label, who) -> what was printed in each round."""
    found = {}
    touch = f"b'x' * int({options.touch} * 2**30)"
    for number in range(options.rounds):
        turn = list(programs(options))
        for label, command in turn if number % 2 == 0 else turn[::-1]:
            common.run([sys.executable, "-c", touch])
            env = {"OMP_NUM_THREADS": "1"}
            if label == "renumbered":
                env["OP2_RENUMBER"] = "rcm"
            printed = common.run(
                [*shlex.split(options.prefix), options.bin / command[0],
                 *command[1:]], env)
            for line in filter(lambda line: line.startswith("{"),
                               printed.splitlines()):
                figures = json.loads(line)
                who = (figures.get("by") or figures.get("form")
                       or figures.get("mesh") or "")
                if "layers" in figures:
                    who += f" {figures['layers']}"
                found.setdefault((label, who), []).append(figures)
    return found


def print_report(options, found):
    def value(label, who, read):
        return statistics.median([read(figures) for figures in found[label, who]])

    def ratio(label, who, other, keys):
        """The median of the ratios of a round."""
        return statistics.median([one[keys[0]] / two[keys[-1]] for one, two in zip(
            found[label, who], found[label, other])])

    cost = "assembly_ns_a_cell"
    rows = []
    for mesh in MESHES:
        def seconds(figures):
            return figures["cells"] * figures[cost] * 1e-6
        rows.append([
            mesh, f"{value(mesh, 'op2', lambda f: f[cost]):.2f}",
            *(f"{value(mesh, who, lambda f: f[cost]):.1f}: "
              f"{ratio(mesh, who, 'op2', [cost]):.1f}"
              for who in ["MatSetValues", "COO"]),
            f"{value(mesh, 'op2', lambda f: f['made_ms'] / seconds(f)):.1f}",
            f"{value(mesh, 'op2', lambda f: f['first_ms'] / seconds(f) - 1):.2f}",
            f"{ratio(mesh, 'op2', 'MatSetValues', ['product_ms']):.2f}"])
    common.print_table(
        ["nanoseconds an element, times of it", "op2c++", "`MatSetValues`",
         "`MatSetValuesCOO`", "structure, in assemblies",
         "plan, in assemblies", "product, of PETSc's"], rows)
    renumbered, ordered = (value(label, "op2", lambda f: f[cost])
                           for label in ["renumbered", "tetrahedra"])
    print("Shuffled tetrahedra with `OP2_RENUMBER=rcm`, of ordered ones: "
          f"{renumbered / ordered:.2f}\n")
    rows = []
    for who in [who for label, who in found if label == "operators"]:
        rows.append([who, *(
            f"{value('operators', who, lambda f: f[key]):.1f}"
            for key in ["by_matrix_ms", "by_local_matrices_ms", "by_kernel_ms"]),
            f"{ratio('operators', who, who, ('by_local_matrices_ms', 'by_matrix_ms')):.2f}"])
    common.print_table(["milliseconds of a product", "by matrix",
                        "by kept matrices", "by kernel", "kept, of matrix"],
                       rows)
    ways = ["op_solve", "eigen", "op_petsc_solve", "KSPSolve"]
    rows = []
    for steps in options.steps:
        label = f"solve {steps}"
        times = {way: [figures[f"{way}_ms"][0] for figures in found[label, ""]]
                 for way in ways}
        row = [f"{steps} steps"]
        for way, other in zip(ways[::2], ways[1::2]):
            for name in [way, other]:
                row.append(f"{statistics.median(times[name]):.0f}")
            both = zip(times[way], times[other])
            row.append(f"{statistics.median([a / b for a, b in both]):.3f}")
        rows.append(row)
    common.print_table(["milliseconds", "op_solve", "Eigen", "ratio",
                        "op_petsc_solve", "KSPSolve", "ratio"], rows)
    rows = []
    for layers in [16, 64]:
        for flat, columns in [("flat", "layers"),
                              ("flat matrix", "matrix of columns"),
                              ("flat product", "product of columns")]:
            one, other = f"{flat} {layers}", f"{columns} {layers}"
            rows.append([f"{layers} layers: {columns}", *(
                f"{value('layers', who, lambda f: f['median_ns_a_prism']):.2f}"
                for who in [one, other]),
                f"{ratio('layers', one, other, ['median_ns_a_prism']):.2f}"])
    common.print_table(["nanoseconds a prism", "flat", "by columns", "times"],
                       rows)


def main():
    options = parse_arguments()
    data = common.circumstances()
    found = measure(options)
    print_report(options, found)
    data.update({"size": options.size, "runs": [
        {"of": label, "rounds": figures}
        for (label, _), figures in found.items()]})
    common.write_json(options.output, "matrices", data)


main()
