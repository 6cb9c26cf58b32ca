#!/usr/bin/env python3
# ranks.py - Airfoil, or V-cycles, on threads and on ranks, in turn.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each way of running comes once in each round; every second round goes the
# other way round. Prints the median time of an iteration, and its ratio to that
# of the first way. Programs of --peer run on ranks as well: they take the same
# --mesh= (or --levels=), --iterations= and --untimed=, and print the same lines,
# as the example (or multigrid_ranks.cpp) does. With --network messages take as
# long as on a network (slow_network.cpp).

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--size", default="400x600",
                        help="of airfoil-mesh, which makes 3 cells of each")
    parser.add_argument("--levels", type=int,
                        help="V-cycles on so many levels in place of Airfoil")
    parser.add_argument("--iterations", default=200, type=int)
    parser.add_argument("--untimed", default=1, type=int,
                        help="iterations before the clock starts")
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--mpirun", default="mpirun --bind-to core")
    parser.add_argument("--peer", action="append", default=[],
                        metavar="NAME=PROGRAM", help="another one, for MPI")
    parser.add_argument("--network", metavar="RATE,LATENCY",
                        help="bytes a second, and seconds")
    options = parser.parse_args()
    cores = os.cpu_count()
    op2cxx = options.build / "bin/op2c++"
    source = ROOT / "examples/airfoil/airfoil.cpp"
    programs = {"alone": [], "ranks": ["--op2-mpi"]}
    if options.levels:  # a program that calls MPI
        source = ROOT / "benchmarks/multigrid_ranks.cpp"
        programs["alone"] = ["--op2-mpi"]
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in programs.items():
            subprocess.run([op2cxx, "-O3", "-march=native", *flags, source,
                            "-o", f"{folder}/{name}"], check=True)
        mesh = f"--levels={options.levels}"
        if not options.levels:
            mesh = f"--mesh={folder}/mesh.dat"
            subprocess.run([options.build / "bin/airfoil-mesh",
                            *options.size.split("x"), f"{folder}/mesh.dat"],
                           check=True, stdout=subprocess.DEVNULL)
        mpirun = options.mpirun.split()
        if options.network:
            network = f"{folder}/slow_network.so"
            subprocess.run(["mpicxx", "-O2", "-fPIC", "-shared",
                            ROOT / "benchmarks/slow_network.cpp", "-o", network],
                           check=True)
            for name, value in zip(
                    ["LD_PRELOAD", "SLOW_NETWORK_RATE", "SLOW_NETWORK_LATENCY"],
                    [network, *options.network.split(",")]):
                mpirun += ["-x", f"{name}={value}"]
        ways = [
            (f"{cores} threads", "alone", cores, {}, []),
            (f"{cores} threads, linked for ranks", "ranks", cores, {}, []),
            (f"{cores} threads, no chains", "alone", cores,
             {"OP2_CHAIN": "never"}, []),
            (f"{cores} threads, chains", "alone", cores,
             {"OP2_CHAIN": "always"}, []),
        ]
        for name, chain in [("", "auto"), (", no chains", "never"),
                            (", chains", "always")]:
            ways.append((f"{cores} ranks, 1 thread each{name}", "ranks", 1,
                         {"OP2_RANKS": "blocks" if options.levels else "whole",
                          "OP2_CHAIN": chain},
                         [*mpirun, "-n", str(cores)]))
        for peer in options.peer:
            name, program = peer.split("=", 1)
            ways.append((f"{name}, {cores} ranks", pathlib.Path(program).resolve(),
                         1, {}, [*mpirun, "-n", str(cores)]))
        times = {way[0]: [] for way in ways}
        residuals = set()
        for number in range(options.rounds):
            for name, program, threads, settings, launcher in (
                    ways if number % 2 == 0 else ways[::-1]):
                environment = {**os.environ, **settings,
                               "OMP_NUM_THREADS": str(threads)}
                run = subprocess.run(
                    [*launcher, pathlib.Path(folder) / program, mesh,
                     f"--iterations={options.iterations}",
                     f"--untimed={options.untimed}"],
                    env=environment, capture_output=True, text=True)
                output = run.stdout
                found = re.search(r"Time per iteration: ([\d.]+) ms", output)
                if not found:
                    raise SystemExit(f"{name}: {run.stderr}{output}")
                times[name].append(float(found.group(1)))
                residuals.add(tuple(re.findall(r"^ +\d+ +\d\.\d+e\S+$", output,
                                               re.MULTILINE)))
        first = statistics.median(times[ways[0][0]])
        for name, all_times in times.items():
            median = statistics.median(all_times)
            print(f"{median:8.2f} ms  {median / first:5.2f}  {name}  "
                  f"({min(all_times):.2f} to {max(all_times):.2f})")
        print("residuals:", "the same" if len(residuals) == 1 else residuals)


main()
