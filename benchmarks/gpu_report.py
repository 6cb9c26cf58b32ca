# What gpu.py prints and keeps.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import common
import gpu_profile

NO_GPU = {
    "emulator": "THESE ARE NO GPU TIMINGS: the kernels ran on the CPU, in the "
                "emulator.",
    "driver": "THESE ARE NO GPU TIMINGS: OP2_CUDA_DRIVER names another driver "
              "than the machine's.",
}


def describe_loop(loop, copy):
    """ "61.2 us, 83 %": of one call, and of the device's copy rate."""
    text = f"{1e3 * loop['ms']:.1f} us"
    if copy and loop["ms"] > 0:
        text += f", {100 * loop['gb_s'] / copy:.0f} %"
    return text


def add_rates(run, copy):
    """Completes the loops of a run of Airfoil."""
    for loop in run["loops"].values():
        loop["gb_s"] = round(1e3 * loop["gb"] / loop["ms"], 2) if loop["ms"] else 0
        if copy:
            loop["of_copy"] = round(loop["gb_s"] / copy, 4)
    run["loops_ms"] = sum(loop["calls"] * loop["ms"]
                          for loop in run["loops"].values()) / run["iterations"]


def print_correctness(results, examples):
    rows = []
    for result in results:
        rows.append([result["name"]] + [result["checks"].get(name, "-")
                                        for name in examples])
    common.print_table(["results as stored", *examples], rows)


def print_airfoil(title, runs, copy):
    """One mesh: a row a variant, the fastest first."""
    # Those that take most time first.
    total = {}
    for run in runs.values():
        for name, loop in run["loops"].items():
            total[name] = total.get(name, 0) + loop["calls"] * loop["ms"]
    loops = sorted(total, key=total.get, reverse=True)
    rows = []
    for name, run in sorted(runs.items(), key=lambda item: item[1]["iteration_ms"]):
        cells = [describe_loop(run["loops"][loop], copy)
                 if loop in run["loops"] else "-" for loop in loops]
        rows.append([name, f"{run['iteration_ms']:.3f}",
                     f"{run['loops_ms']:.3f}", *cells])
    print(f"{title}: one call of a loop, by events of the device, and its useful "
          "GB/s as a part of the copy's." if copy else f"{title}: one call of a loop.")
    print()
    common.print_table(["variant", "iteration ms (clock)", "loops ms (sum)", *loops],
                       rows)


def print_report(data):
    if data["no_gpu"]:
        print(f"**{data['no_gpu']}**\n")
    copy = data["copy"]["best_gb_s"] if data["copy"] else None
    device = data["copy"]["device"] if data["copy"] else "emulator"
    if data["driver"]:
        device += f", driver {data['driver']}"
    print(f"Device: {device}; commit {data['commit']}"
          f"{' with changes' if data['modified'] else ''}; {data['date']}.")
    if copy:
        print(f"Copy of {data['copy']['bytes'] >> 20} MiB on the device: best "
              f"{copy} GB/s, median {data['copy']['median_gb_s']} (read and "
              "written bytes).")
    print()
    print_correctness(data["results"], data["examples"])
    for mesh in data["meshes"]:
        runs = {result["name"]: result["airfoil"][mesh["name"]]
                for result in data["results"]
                if mesh["name"] in result["airfoil"]}
        if runs:
            print_airfoil(f"Airfoil, {mesh['cells']} cells, double, "
                          f"{mesh['iterations']} iterations", runs, copy)
    for result in data["results"]:
        if result.get("profile"):
            gpu_profile.print_profile(result["name"], result["profile"])
    for problem in data["problems"]:
        print(f"FAILED: {problem}")
