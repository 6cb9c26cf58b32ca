# What programs compiled by op2c++ print about themselves.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import csv
import re


def read_residual(text):
    """The last residual that Airfoil printed, or None."""
    found = re.findall(r"^ *\d+ +(\d\.\d+e[-+]\d+)$", text, re.MULTILINE)
    return float(found[-1]) if found else None


def read_iteration(text):
    """Milliseconds of an iteration on the clock, without the first ones; or
    None."""
    found = re.search(r"^Time per iteration: ([0-9.]+) ms", text, re.MULTILINE)
    return float(found.group(1)) if found else None


def read_device_memory(text):
    """Bytes in use on the device, the most of all reports; or None."""
    found = re.findall(r"^op2: (\d+) bytes .*of device memory in use", text,
                       re.MULTILINE)
    return max(map(int, found)) if found else None


def read_timings(path):
    """Per loop of a table by op_timings_to_csv: calls, milliseconds of a call
    without plan construction and of that, useful GB of a call."""
    loops = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            calls = int(row["count"])
            busy = float(row["total time"]) - float(row["plan time"])
            loops[row["kernel name"]] = {
                "calls": calls,
                "ms": 1e3 * busy / calls,
                "plan_ms": 1e3 * float(row["plan time"]),
                "gb": float(row["GB used"]) / calls,
            }
    return loops
