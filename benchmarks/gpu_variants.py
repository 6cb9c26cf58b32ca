# The variants of a program that are compared on a GPU.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

# Ways to avoid races: options of op2c++.
MODES = {mode: [f"--op2-strategy={mode}"]
         for mode in ("two-level", "atomics", "global", "owner")}
LAYOUTS = ["aos", "soa"]
BLOCK_SIZES = [128, 256, 64]

# Programs with stored results and a check of their own: source, and arguments of
# a run on each target, where it takes no time. They read the mesh, if they have
# one, that a program makes: its name, arguments before the file for each target,
# how the file's name ends.
EXAMPLES = {
    "jacobi": {
        "source": "examples/jacobi/jacobi.cpp",
        "arguments": {"cuda": [], "emulator": []},
    },
    "airfoil": {
        "source": "examples/airfoil/airfoil.cpp",
        "mesh": ("airfoil-mesh", {"cuda": [20, 30], "emulator": [20, 30]}, "dat"),
        "arguments": {"cuda": ["--iterations=100"],
                      "emulator": ["--iterations=100"]},
    },
    "fem": {
        "source": "examples/fem/fem.cpp",
        "arguments": {"cuda": [], "emulator": ["--cells=4"]},
    },
    "shallow_water": {
        "source": "examples/shallow_water/shallow_water.cpp",
        "mesh": ("shallow-water-mesh", {"cuda": [12], "emulator": [4]}, "msh"),
        "arguments": {"cuda": [], "emulator": ["--seconds=2"]},
    },
    "multigrid": {
        "source": "examples/multigrid/multigrid.cpp",
        "arguments": {"cuda": [], "emulator": ["--levels=4"]},
    },
}
# What such a run prints when its results are the stored ones.
PASSED = "Results check PASSED"
# What it prints when it has nothing to compare with.
NOTHING_STORED = "No reference residual.*|No .* is stored.*"


def make_variants(modes, layouts, block_sizes):
    """The most telling first: a run that is out of time leaves out the rest."""
    variants = []
    for size, layout, mode in itertools.product(block_sizes, layouts, modes):
        options = MODES[mode] + [f"--op2-block-size={size}"]
        # The default needs no option.
        if layout != "aos":
            options.append(f"--op2-layout={layout}")
        variants.append({
            "name": f"{mode} {layout} {size}",
            "mode": mode,
            "layout": layout,
            "block_size": size,
            "options": options,
            "suffix": f"{mode}-{layout}-{size}".replace("/", "-"),
        })
    return variants


def program(variant, example):
    """The name of its file in bin/."""
    return f"{example}-{variant['suffix']}"
