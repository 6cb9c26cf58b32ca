# What a GPU's counters say of Airfoil's kernels, by Nsight Compute.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import csv
import re
import shutil

import common

ITERATIONS = 3
SECTOR = 32
# What is added up over the launches of a loop: name, metric, factor.
SUMS = {
    "us": ("gpu__time_duration.sum", 1e-3),
    "read_mb": ("dram__bytes_read.sum", 1e-6),
    "written_mb": ("dram__bytes_write.sum", 1e-6),
    "l2_mb": ("lts__t_sectors_srcunit_tex.sum", SECTOR * 1e-6),
    "l1_load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1),
    "l1_store_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1),
    "shared_turns": ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1),
    "shared_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 1),
    "instructions": ("smsp__inst_executed.sum", 1),
}
# What is averaged by time.
MEANS = {
    "memory_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_percent": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1_percent": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "fp64_percent": "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers": "launch__registers_per_thread",
}
STALLS = {reason: f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"
          for reason in ["long_scoreboard", "short_scoreboard", "barrier", "wait",
                         "math_pipe_throttle", "lg_throttle", "mio_throttle",
                         "not_selected", "no_instruction", "drain", "membar"]}


def find_profiler():
    """Nsight Compute's command, or None."""
    return shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")


def run(execute, program):
    """Exit status, and each launch of a kernel with its counters as CSV. Clocks
    and caches stay as they are. Not every device has every counter."""
    metrics = [metric for metric, _ in SUMS.values()]
    metrics += [*MEANS.values(), *STALLS.values()]
    while True:
        status, output = execute(
            [find_profiler(), "--clock-control", "none", "--cache-control", "none",
             "--csv", "--page", "raw", "--print-units", "base", "--kernel-name",
             "regex:^op2_", "--metrics", ",".join(metrics), *program])
        unknown = [metric for metric in metrics
                   if re.search(rf"Failed to find metric.*{re.escape(metric)}", output)]
        if not unknown:
            return status, output
        metrics = [metric for metric in metrics if metric not in unknown]


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def read_launches(text):
    """A dict for each launch: metric to number. What else was printed is left
    out."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(lines))
    return rows[1:]  # the first one has units


def summarize(launches, calls):
    """Of one call of each loop; `calls`: how often each was called."""
    loops = {}
    for launch in launches:
        name = re.sub(r"^op2_|(_aliased)?(\(.*)?$", "", launch["Kernel Name"])
        loops.setdefault(name, []).append(launch)
    # Another kernel's name: each launch is a call.
    return {name: summarize_loop(rows, calls.get(name, len(rows)))
            for name, rows in loops.items()}


def summarize_loop(rows, calls):
    result = {"launches": len(rows) / calls}
    for name, (metric, factor) in SUMS.items():
        values = [number(row.get(metric, "")) for row in rows]
        if None not in values:
            result[name] = round(factor * sum(values) / calls, 3)
    times = [number(row[SUMS["us"][0]]) for row in rows]
    result["stalls"] = {}
    for name, metric in {**MEANS, **STALLS}.items():
        values = [number(row.get(metric, "")) for row in rows]
        if None not in values:
            mean = sum(map(float.__mul__, values, times)) / sum(times)
            (result["stalls"] if name in STALLS else result)[name] = round(mean, 2)
    return result


def print_profile(title, profile):
    columns = ["launches", "us", "read_mb", "written_mb", "l2_mb", "shared_turns",
               "memory_percent", "l2_percent", "l1_percent", "issue_percent",
               "fp64_percent", "warps_percent", "registers"]
    rows = [[name, *(f"{loop[column]:g}" if column in loop else "-"
                     for column in columns),
             ", ".join(f"{stall} {value:g}" for stall, value in sorted(
                 loop["stalls"].items(), key=lambda item: -item[1])[:3])]
            for name, loop in profile.items()]
    print(f"{title}: one call of a loop, by the device's counters.")
    print()
    common.print_table(["loop", *columns, "warps wait for"], rows)
