# The variants of a program that are compared on a GPU.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

# Ways to avoid races: options of op2c++.
MODES = {
    "two-level": ["--op2-strategy=two-level"],
    "two-level/whole-kernel": ["--op2-strategy=two-level", "--op2-whole-kernel"],
    "two-level/no-stage": ["--op2-strategy=two-level", "--op2-no-stage"],
    "two-level/stage-direct": ["--op2-strategy=two-level",
                               "--op2-stage-direct"],
    "atomics": ["--op2-strategy=atomics"],
    "atomics/no-stage": ["--op2-strategy=atomics", "--op2-no-stage"],
    "global": ["--op2-strategy=global"],
}
LAYOUTS = ["aos", "soa"]
BLOCK_SIZES = [128, 256, 64]

# Programs with a check of their own: source, arguments of a run that takes no
# time. {mesh} stands for Airfoil's small mesh.
EXAMPLES = {
    "jacobi": {"source": "examples/jacobi/jacobi.cpp", "arguments": []},
    "airfoil": {
        "source": "examples/airfoil/airfoil.cpp",
        "arguments": ["--mesh={mesh}", "--iterations=100"],
    },
}
# What such a run prints when its result is the stored one.
PASSED = "Results check PASSED"


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
