#!/usr/bin/env python3
# speed.py - The examples compiled by op2c++ against hand-written programs.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs all programs in turn, round by round, so that a slow moment of the machine
# hits all of them; compares medians and minima over the rounds. See README.md.

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
from dataclasses import dataclass, field

import applications
import common
import op2_output

# How far the compiler goes, one step after the other:
# name: (options of op2c++, environment)
STEPS = {
    "imported": (["--op2-no-raise", "--op2-no-fuse"], {}),
    "raised": (["--op2-vector-bits=0", "--op2-no-fuse"], {"OP2_OWNER": "never"}),
    "widened": (["--op2-no-fuse"], {"OP2_OWNER": "never"}),
    "owned": (["--op2-no-fuse"], {}),
    "fused": ([], {"OP2_CHAIN": "never"}),
    "chained": ([], {"OP2_CHAIN": "always"}),
}


@dataclass
class Variant:
    """A program that is run in each round."""
    command: list
    is_reference: bool
    threads: int
    env: dict = field(default_factory=dict)
    other: str = None  # the variant that it is compared with


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Examples compiled by op2c++ against hand-written programs")
    parser.add_argument("application", choices=applications.APPLICATIONS)
    parser.add_argument("--size", nargs="+", type=int, help="of the mesh")
    parser.add_argument("--sequential", action="store_true",
                        help="also one thread: by hand, and OP2_TARGET=seq")
    parser.add_argument("--steps", action="store_true",
                        help="also compiled with fewer steps: "
                        + ", ".join(STEPS))
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER",
                        help="compare with the same programs of another build, "
                        "in place of those by hand")
    parser.add_argument("--prefix", default="",
                        help="command to run all programs with, e.g. 'chrt -r 1'")
    common.add_run_arguments(parser)
    options = parser.parse_args()
    options.app = applications.APPLICATIONS[options.application]
    options.size = options.size or options.app.size
    options.iterations = options.iterations or options.app.iterations
    if len(options.size) != len(options.app.size):
        parser.error(f"--size takes {len(options.app.size)} numbers for "
                     f"{options.application}")
    common.check_run_arguments(parser, options)
    return options


def compile_step(options, name, folder):
    """The example compiled with fewer steps; returns the program."""
    app = options.app
    program = pathlib.Path(folder) / f"{app.program}-{name}"
    common.run([options.bin / "op2c++", "-O3", "-march=native",
                *(f"-D{macro}" for macro in app.macros), *STEPS[name][0],
                common.REPOSITORY / "examples" / app.source, "-o", program])
    print(f"compiled {program.name}", file=sys.stderr)
    return program


def make_variants(options, mesh, folder):
    app, threads = options.app, options.threads
    arguments = app.arguments(options.size, options.iterations, mesh)
    own = arguments + app.own_arguments
    if options.before:
        variants = {"before": Variant([options.before / app.program, *own],
                                      False, threads, {"OP2_TARGET": "openmp"})}
    else:
        variants = {"by hand": Variant(
            [options.bin / app.reference, *arguments], True, threads)}
    base = next(iter(variants))
    if options.steps:
        for name, (_, env) in STEPS.items():
            variants[name] = Variant(
                [compile_step(options, name, folder), *own], False, threads,
                {"OP2_TARGET": "openmp", **env}, base)
    else:
        variants["op2"] = Variant([options.bin / app.program, *own], False,
                                  threads, {"OP2_TARGET": "openmp"}, base)
    if options.sequential:
        variants["op2, seq"] = Variant([options.bin / app.program, *own], False,
                                       1, {"OP2_TARGET": "seq"})
        if app.sequential:
            variants["by hand, seq"] = Variant(
                [options.bin / app.sequential, *arguments], True, 1)
            variants["op2, seq"].other = "by hand, seq"
    return variants


def read_reference(text):
    """(value, milliseconds per iteration, per loop: calls and milliseconds)."""
    records = [json.loads(line) for line in text.splitlines()]
    loops = {r["name"]: {"calls": r["calls"], "ms": r["mean_ms"]}
             for r in records if r["record"] == "loop"}
    whole = next(r for r in records if r["record"] == "run")
    iteration = next(r for r in records if r["record"] == "iteration")
    value = next(whole[name] for name in applications.VALUES if name in whole)
    return value, iteration["mean_ms"], loops


def read_op2(app, text, table, iterations):
    """The same of an OP2 program; the time of plans is not counted."""
    if "not compiled" in text:
        common.fail(f"{app.program} has loops that op2c++ did not compile: "
                    "their times would say nothing")
    value = app.read_value(text)
    if value is None:
        common.fail(f"cannot understand the output of {app.program}")
    loops = op2_output.read_timings(table)
    # Loops that are fused into others run alone in the first iteration only.
    parts = {part: name for name in loops if "+" in name
             for part in name.split("+")}
    loops = {name: loop for name, loop in loops.items()
             if name not in parts
             or 2 * loop["calls"] > loops[parts[name]]["calls"]}
    iteration = op2_output.read_iteration(text) or sum(
        loop["ms"] * loop["calls"] for loop in loops.values()
        if 2 * loop["calls"] >= iterations) / iterations
    return value, iteration, loops


def run_variant(options, variant, folder):
    table = pathlib.Path(folder) / "timings.csv"
    command = options.prefix.split() + variant.command
    if not variant.is_reference:
        command.append(f"--timings={table}")
    text = common.run(command, {"OMP_NUM_THREADS": str(variant.threads),
                                "OMP_PROC_BIND": "true", **variant.env})
    value, iteration, loops = (
        read_reference(text) if variant.is_reference
        else read_op2(options.app, text, table, options.iterations))
    return {"value": value, "iteration": iteration, "loops": loops}


def check_values(app, runs):
    """All programs compute the same, but for the order of sums."""
    values = [run["value"] for variant in runs.values() for run in variant]
    if max(values) - min(values) > app.tolerance * abs(min(values)):
        common.fail(f"the results differ: {min(values)} ... {max(values)}")
    return statistics.median(values)


def times_of(runs, loop):
    """Milliseconds of a call in each run; those of a fused loop's parts are
    added up where only they ran. Empty if it did not run."""
    times = []
    for run in runs:
        parts = [loop] if loop in run["loops"] else loop.split("+")
        if not all(part in run["loops"] for part in parts):
            return []
        times.append(sum(run["loops"][part]["ms"] for part in parts))
    return times


def summarise(times):
    return ([f"{statistics.median(times):.3f}", f"{min(times):.3f}"] if times
            else ["-", "-"])


def compare(times, base):
    if not times or not base:
        return ["-", "-"]
    return [f"{statistics.median(times) / statistics.median(base):.2f}",
            f"{min(times) / min(base):.2f}"]


def print_report(runs, variants):
    base_name = next(iter(variants))
    rows = []
    for name, variant in variants.items():
        times = [run["iteration"] for run in runs[name]]
        base = [run["iteration"] for run in runs.get(variant.other, [])]
        rows.append([name, *summarise(times), *compare(times, base)])
    common.print_table(["iteration", "median ms", "minimum ms",
                        f"median / {base_name}", f"minimum / {base_name}"], rows)

    last = "fused" if "fused" in runs else "op2"
    rows = []
    for loop, found in runs[last][0]["loops"].items():
        times = times_of(runs[last], loop)
        base = times_of(runs[base_name], loop)
        rows.append([loop, str(found["calls"]), *summarise(base),
                     *summarise(times),
                     f"{1e3 * found['gb'] / statistics.median(times):.1f}",
                     *compare(times, base)])
    common.print_table(
        ["one call", "calls", f"{base_name}, median ms", "minimum",
         "op2, median ms", "minimum", "useful GB/s", f"median / {base_name}",
         f"minimum / {base_name}"],
        rows)


def main():
    options = parse_arguments()
    app = options.app
    data = {**common.circumstances(), "application": options.application,
            "size": options.size, "threads": options.threads,
            "rounds": options.rounds, "iterations": options.iterations}

    with tempfile.TemporaryDirectory(prefix="op2-speed-") as folder:
        mesh = pathlib.Path(folder) / "mesh"
        if app.generator:
            common.run([options.bin / app.generator, *options.size, mesh])
        variants = make_variants(options, mesh, folder)
        text = common.run([*options.prefix.split(), options.bin / "bandwidth"],
                          {"OMP_NUM_THREADS": str(options.threads),
                           "OMP_PROC_BIND": "true"})
        data["bandwidth"] = [json.loads(line) for line in text.splitlines()]
        runs = {name: [] for name in variants}
        for number in range(options.rounds):
            # In either order: who comes later finds other memory free.
            order = list(variants.items())[::-1 if number % 2 else 1]
            for name, variant in order:
                runs[name].append(run_variant(options, variant, folder))
            print(f"round {number + 1} of {options.rounds} done", file=sys.stderr)

    data["value"] = check_values(app, runs)
    data["unit"] = "milliseconds per iteration and per call of a loop"
    data["runs"] = runs
    print(f"{options.application}, size {' '.join(map(str, options.size))}, "
          f"{options.iterations} iterations, {options.rounds} rounds, "
          f"{options.threads} threads; {data['processor']}; commit "
          f"{data['commit']}; result {data['value']:.12e}.")
    print("Bandwidth, best GB/s: " + ", ".join(
        f"{r['name']} {r['best_gb_s']}" for r in data["bandwidth"]) + ".\n")
    print_report(runs, variants)
    common.write_json(options.output, options.application, data)


if __name__ == "__main__":
    main()
