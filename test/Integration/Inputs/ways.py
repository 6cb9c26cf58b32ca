"""The ways of running loops on a device, for all tests that try them.

A way is a list of flags of op2c++.
"""

import itertools
import zlib

STRATEGIES = [
    ["--op2-strategy=two-level", "--op2-stage-direct"],
    ["--op2-strategy=two-level", "--op2-no-stage"],
    ["--op2-whole-kernel"],
    ["--op2-whole-kernel", "--op2-no-stage"],
    ["--op2-strategy=atomics", "--op2-stage-direct"],
    ["--op2-strategy=atomics", "--op2-no-stage"],
    ["--op2-strategy=global"],
]
LAYOUTS = [["--op2-layout=aos"], ["--op2-layout=soa"]]

#: Every strategy in every layout.
WAYS = [strategy + layout
        for strategy, layout in itertools.product(STRATEGIES, LAYOUTS)]

# For the strategies in turn: one element, less than a warp, no whole number of
# warps, more than one warp, and the default.
BLOCK_SIZES = [None, 7, 33, 1, 48, 64, 20]


def combine(number, layout):
    """A strategy with a layout and its block size."""
    return STRATEGIES[number] + LAYOUTS[layout % 2], BLOCK_SIZES[number]


def every_way():
    """Every strategy in every layout: (flags, block size) of each."""
    both = [combine(number, layout) for number in range(len(STRATEGIES))
            for layout in (0, 1)]
    return both + [(WAYS[0], 1), (WAYS[8], 200)]


def some_ways(name):
    """Every strategy in one of the layouts, which `name` chooses: programs of
    different names cover the others."""
    first = zlib.crc32(name.encode())
    return [combine(number, first + number)
            for number in range(len(STRATEGIES))] + [(WAYS[1], 1),
                                                     (WAYS[8], 200)]


def few_ways():
    """For programs that are slow."""
    return [(WAYS[0], None), (WAYS[7], 40), (WAYS[10], 64)]


def all_combinations():
    """Minutes for each program."""
    return list(itertools.product(WAYS, [1, 7, 32, 33, 64, 200, 1024]))
