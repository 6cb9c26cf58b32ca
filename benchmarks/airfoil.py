#!/usr/bin/env python3
# airfoil.py - Airfoil compiled by op2c++ against the hand-written programs.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs all programs in turn, round by round, so that a slow moment of the machine
# hits all of them; compares medians and minima over the rounds. See README.md.

import argparse
import json
import pathlib
import sys
import tempfile

import common
import op2_output

LOOPS = ["save_soln", "adt_calc", "res_calc", "bres_calc", "update"]
FUSED = ["save_soln+adt_calc", "update+adt_calc"]
CALLS = {"save_soln": 1, "adt_calc": 2, "res_calc": 2, "bres_calc": 2, "update": 2}

# name: (program, OP2_TARGET or None, threads or None for as many as asked,
#        the program it is compared with)
VARIANTS = {
    "seq_ref": ("airfoil_seq_ref", None, 1, None),
    "op2_seq": ("airfoil", "seq", 1, "seq_ref"),
    "omp_ref": ("airfoil_omp_ref", None, None, None),
    "op2_openmp": ("airfoil", "openmp", None, "omp_ref"),
    "op2_dev": ("airfoil_seq", None, 1, "seq_ref"),
}
DEFAULT = ["seq_ref", "op2_seq", "omp_ref", "op2_openmp"]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Airfoil compiled by op2c++ against hand-written programs"
    )
    parser.add_argument("--variants", nargs="+", choices=VARIANTS,
                        help="default: " + " ".join(DEFAULT))
    return common.parse_airfoil_arguments(parser, iterations=50)


def choose_variants(options):
    """The variants to run; those of the default that are not built are left
    out with a message."""
    chosen = []
    for name in options.variants or DEFAULT:
        program = options.bin / VARIANTS[name][0]
        if program.exists():
            chosen.append(name)
        elif options.variants:
            common.fail(f"{program} has not been built")
        else:
            print(f"note: {name} left out: no {program.name} in --bin",
                  file=sys.stderr)
    if not chosen:
        common.fail("none of the programs has been built")
    return chosen


def useful_bytes(counts):
    """Bytes that a loop must move per call: each datum once, 32-bit maps."""
    cells, nodes, edges = counts["cells"], counts["nodes"], counts["edges"]
    return {
        "save_soln": 64 * cells,
        "adt_calc": 56 * cells + 16 * nodes,
        "res_calc": 16 * edges + 16 * nodes + 104 * cells,
        "update": 136 * cells,
        "save_soln+adt_calc": 104 * cells + 16 * nodes,
        "update+adt_calc": 160 * cells + 16 * nodes,
    }


def run_reference(command, env):
    """Returns (residual, milliseconds per iteration, per call of each loop)."""
    records = [json.loads(line) for line in common.run(command, env).splitlines()]
    loops = {r["name"]: r["mean_ms"] for r in records if r["record"] == "loop"}
    iteration = next(r for r in records if r["record"] == "iteration")
    whole = next(r for r in records if r["record"] == "run")
    return whole["rms"], iteration["mean_ms"], loops


def run_op2(command, env, folder):
    """The same for an OP2 program; the time of plans is not counted."""
    table = pathlib.Path(folder) / "timings.csv"
    text = common.run(command + [f"--timings={table}"], env)
    if "OP2_TARGET" in env and "not compiled" in text:
        common.fail(f"{command[0]} has loops that op2c++ did not compile: their "
                    "times would say nothing")
    rms = op2_output.read_residual(text)
    iteration = op2_output.read_iteration(text)
    if rms is None or iteration is None:
        common.fail(f"cannot understand the output of {command[0]}")
    loops = op2_output.read_timings(table)
    # Loops that are fused into others run alone in the first iteration only.
    calls = max(loop["calls"] for loop in loops.values())
    return rms, iteration, {name: loop["ms"] for name, loop in loops.items()
                            if 3 * loop["calls"] > calls}


def run_variant(options, name, mesh, folder):
    program, target, threads, _ = VARIANTS[name]
    env = {
        "OMP_NUM_THREADS": str(threads or options.threads),
        "OMP_PROC_BIND": "true",
    }
    if target:
        env["OP2_TARGET"] = target
    command = [options.bin / program, f"--mesh={mesh}",
               f"--iterations={options.iterations}"]
    if program.endswith("_ref"):
        rms, iteration, loops = run_reference(command, env)
    else:
        rms, iteration, loops = run_op2(command, env, folder)
    return {"rms": rms, "iteration": iteration, **loops}


def check_residuals(runs):
    """All programs compute the same, but for the order of sums."""
    values = [run["rms"] for variant in runs.values() for run in variant]
    if max(values) - min(values) > 1e-9 * min(values):
        common.fail(f"the residuals differ: {min(values)} ... {max(values)}")
    return common.median(values)


def print_report(runs, counts):
    volume = useful_bytes(counts)
    volume["iteration"] = sum(CALLS[loop] * volume[loop]
                              for loop in CALLS if loop in volume)

    def column(name, what):
        return [run[what] for run in runs[name] if what in run]

    fused = [name for name in FUSED if any(column(run, name) for run in runs)]
    for what in ["iteration"] + LOOPS + fused:
        rows = []
        for name in runs:
            times = column(name, what)
            if not times:
                # Loops that were fused into others have no times of their own.
                rows.append([name, "-", "-", "-", "-", "-"])
                continue
            middle, least = common.median(times), min(times)
            row = [name, f"{middle:.3f}", f"{least:.3f}"]
            row.append(f"{1e-6 * volume[what] / middle:.1f}" if what in volume
                       else "-")
            other = VARIANTS[name][3]
            base = column(other, what) if other in runs else []
            row += ([f"{middle / common.median(base):.2f}",
                     f"{least / min(base):.2f}"] if base else ["-", "-"])
            rows.append(row)
        title = "whole iteration" if what == "iteration" else what + ", one call"
        common.print_table(
            [title, "median ms", "minimum ms", "useful GB/s",
             "median / by hand", "minimum / by hand"], rows)


def main():
    options = parse_arguments()
    chosen = choose_variants(options)
    data = {**common.circumstances(), "threads": options.threads,
            "rounds": options.rounds, "iterations": options.iterations}

    with tempfile.TemporaryDirectory(prefix="op2-airfoil-") as folder:
        mesh = pathlib.Path(folder) / "new_grid.dat"
        common.run([options.bin / "airfoil-mesh", *options.size, mesh])
        with open(mesh) as file:
            sizes = [int(word) for word in file.readline().split()]
        counts = dict(zip(["nodes", "cells", "edges", "boundary_edges"], sizes))

        text = common.run([options.bin / "bandwidth"],
                          {"OMP_NUM_THREADS": str(options.threads),
                           "OMP_PROC_BIND": "true"})
        data["bandwidth"] = [json.loads(line) for line in text.splitlines()]

        runs = {name: [] for name in chosen}
        for number in range(options.rounds):
            for name in chosen:
                runs[name].append(run_variant(options, name, mesh, folder))
            print(f"round {number + 1} of {options.rounds} done", file=sys.stderr)

    data["mesh"] = counts
    data["rms"] = check_residuals(runs)
    data["unit"] = "milliseconds per iteration and per call of a loop"
    data["runs"] = runs

    print(f"Airfoil, {counts['cells']} cells, double precision, "
          f"{options.iterations} iterations, {options.rounds} rounds, "
          f"{options.threads} threads (op2_seq and seq_ref: 1); "
          f"{data['processor']}; commit {data['commit']}; "
          f"rms {data['rms']:.12e}.")
    print("Bandwidth, best GB/s: " + ", ".join(
        f"{r['name']} {r['best_gb_s']}" for r in data["bandwidth"]) + ".\n")
    print_report(runs, counts)
    common.write_json(options.output, "airfoil", data)


if __name__ == "__main__":
    main()
