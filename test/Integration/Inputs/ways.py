"""The ways of running loops on a device, for all tests that try them.

A way is a list of flags of op2c++.
"""

import itertools
import zlib

STRATEGIES = [
    ["--op2-strategy=two-level"],
    ["--op2-strategy=atomics"],
    ["--op2-strategy=global"],
    ["--op2-strategy=owner"],
]
LAYOUTS = [["--op2-layout=aos"], ["--op2-layout=soa"]]

#: Every strategy in every layout.
WAYS = [strategy + layout
        for strategy, layout in itertools.product(STRATEGIES, LAYOUTS)]

# For the strategies in turn, in each of the layouts: one element, less than a
# warp, no whole number of warps, more than one warp, and the default.
BLOCK_SIZES = [[None, 7, 33, 20], [1, 48, 200, 33]]


def combine(number, layout):
    """A strategy with a layout and its block size."""
    return STRATEGIES[number] + LAYOUTS[layout], BLOCK_SIZES[layout][number]


def every_way(name):
    """Every strategy, in turn in one of the layouts; `name` chooses the first."""
    first = zlib.crc32(name.encode()) >> 2
    return [combine(number, (first + number) % 2)
            for number in range(len(STRATEGIES))]


def some_ways(name):
    """All but owner, in turn in one of the layouts. `name` chooses: it takes
    programs of two names to have all of that."""
    layout = zlib.crc32(name.encode()) & 1
    return [combine(0, layout), combine(1, 1 - layout), combine(2, layout)]


def rare_ways(name):
    """For the examples, which their own tests try with the default, and
    gpu-script.test with atomics."""
    return [some_ways(name)[number] for number in (0, 2)]


def few_ways():
    """For programs that are slow."""
    return [(WAYS[0], None), (WAYS[3], 40), (WAYS[4], 64)]


def all_combinations():
    """Minutes for each program."""
    return list(itertools.product(WAYS, [1, 7, 32, 33, 64, 200, 1024]))
