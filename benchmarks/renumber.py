#!/usr/bin/env python3
# renumber.py - Airfoil on a mesh numbered at random, renumbered by the runtime.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the ordered mesh, the shuffled one, and both renumbered in turn, round by
# round. See README.md.

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import common
import op2_output

# name: (mesh, OP2_RENUMBER)
VARIANTS = {
    "ordered": ("ordered", "none"),
    "ordered, rcm": ("ordered", "rcm"),
    "shuffled": ("shuffled", "none"),
    "shuffled, rcm": ("shuffled", "rcm"),
    "shuffled, hilbert": ("shuffled", "hilbert:p_x"),
}


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Airfoil on a shuffled mesh, renumbered by the runtime")
    parser.add_argument("--size", nargs=2, type=int, default=[400, 600],
                        metavar=("I", "J"), help="mesh of 3*I*J cells")
    common.add_run_arguments(parser, iterations=15)
    options = parser.parse_args()
    common.check_run_arguments(parser, options)
    return options


def run_airfoil(command, env):
    """What a run printed, and the most memory that it had, MiB."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, env={**os.environ, **env},
                                   stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode:
        common.fail(f"exit status {process.returncode}: {text[-1000:]}")
    return text, usage.ru_maxrss / 1024


def run_variant(options, name, meshes):
    mesh, method = VARIANTS[name]
    text, memory = run_airfoil(
        [options.bin / "airfoil", f"--mesh={meshes[mesh]}",
         f"--iterations={options.iterations}"],
        {"OP2_TARGET": "openmp", "OP2_RENUMBER": method,
         "OMP_NUM_THREADS": str(options.threads), "OMP_PROC_BIND": "true"})
    result = {"iteration": op2_output.read_iteration(text),
              "rms": op2_output.read_residual(text), "mib": memory}
    if None in result.values():
        common.fail(f"cannot understand the output of airfoil: {text[-1000:]}")
    renumbered = re.search(r"op2: renumbered .*, ([0-9.]+) ms", text)
    if bool(renumbered) != (method != "none"):
        common.fail(f"OP2_RENUMBER={method} did not do what it should: "
                    f"{text[-1000:]}")
    plans = re.findall(r"op2: plan for .*, ([0-9.]+) ms", text)
    result["renumbering"] = float(renumbered.group(1)) if renumbered else 0.0
    result["plans"] = sum(map(float, plans))
    return result


def main():
    options = parse_arguments()
    data = {**common.circumstances(), "threads": options.threads,
            "rounds": options.rounds, "iterations": options.iterations}
    runs = {name: [] for name in VARIANTS}
    with tempfile.TemporaryDirectory(prefix="op2-renumber-") as folder:
        meshes = {name: pathlib.Path(folder) / f"{name}.dat"
                  for name in ["ordered", "shuffled"]}
        common.run([options.bin / "airfoil-mesh", *options.size,
                    meshes["ordered"]])
        common.run([options.bin / "op2-mesh", "shuffle", meshes["ordered"],
                    "-o", meshes["shuffled"], "--seed=1"])
        for number in range(options.rounds):
            for name in VARIANTS:
                runs[name].append(run_variant(options, name, meshes))
            print(f"round {number + 1} of {options.rounds} done", flush=True)

    residuals = [run["rms"] for variant in runs.values() for run in variant]
    if max(residuals) - min(residuals) > 1e-9 * min(residuals):
        common.fail(f"residuals differ: {min(residuals)} ... {max(residuals)}")
    data["runs"] = runs
    base = statistics.median([run["iteration"] for run in runs["ordered"]])
    least = min(run["iteration"] for run in runs["ordered"])

    def middle(name, what):
        return statistics.median([run[what] for run in runs[name]])

    print(f"\nAirfoil, {3 * options.size[0] * options.size[1]} cells, double "
          f"precision, {options.iterations} iterations, {options.rounds} rounds, "
          f"{options.threads} threads; {data['processor']}; commit "
          f"{data['commit']}; residuals agree to "
          f"{(max(residuals) - min(residuals)) / min(residuals):.1e}.\n")
    common.print_table(
        ["mesh", "iteration, median ms", "minimum ms", "median / ordered",
         "minimum / ordered", "renumbering ms", "plans ms", "memory MiB"],
        [[name, f"{middle(name, 'iteration'):.2f}",
          f"{min(run['iteration'] for run in runs[name]):.2f}",
          f"{middle(name, 'iteration') / base:.2f}",
          f"{min(run['iteration'] for run in runs[name]) / least:.2f}",
          f"{middle(name, 'renumbering'):.0f}", f"{middle(name, 'plans'):.1f}",
          f"{middle(name, 'mib'):.0f}"] for name in runs])
    common.write_json(options.output, "renumber", data)


if __name__ == "__main__":
    main()
