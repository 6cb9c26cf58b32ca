"""Compares random programs on all targets with the sequential development mode.

run.py FIRST COUNT FOLDER -- OP2C++ [FLAG]... -- C++ [FLAG]... -- LIBRARY...

Runs programs number FIRST ... FIRST+COUNT-1; OP2_FUZZ_PROGRAMS overrides COUNT,
OP2_FUZZ_FIRST FIRST. A program that fails is left in FOLDER.
"""

import concurrent.futures
import os
import random
import subprocess
import sys

from generate import generate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "Inputs"))
from ways import WAYS  # noqa: E402


def execute(command, **environment):
    run = subprocess.run(command, env=dict(os.environ, **environment),
                         text=True, capture_output=True, timeout=300)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status "
                           f"{run.returncode}\n{run.stderr[:2000]}")
    return [line for line in run.stdout.splitlines()
            if not line.startswith("op2:")]


def compare(expected, found, what):
    if expected == found:
        return
    for want, have in zip(expected, found):
        if want != have:
            raise RuntimeError(f"{what}: expected '{want}', got '{have}'")
    raise RuntimeError(f"{what}: {len(found)} lines instead of {len(expected)}")


#: What a program's results must not depend on, for each target.
CIRCUMSTANCES = {
    "seq": [{}, {"OP2_RENUMBER": "rcm"}],
    "openmp": [{"OP2_OWNER": "always"},
               {"OP2_OWNER": "always", "OP2_CHAIN": "always",
                "OP2_CHAIN_STEP": "5"},
               {"OP2_OWNER": "never", "OP2_RENUMBER": "rcm"}],
    "emulator": [{"OP2_EMULATOR_SEED": "1"},
                 {"OP2_EMULATOR_SEED": "2", "OP2_RENUMBER": "rcm"}],
}


def describe(circumstances):
    return " ".join(f"{name}={value}" for name, value in circumstances.items())


def test(seed, folder, op2cxx, cxx, libraries):
    source = os.path.join(folder, f"fuzz{seed}.cpp")
    with open(source, "w") as file:
        file.write(generate(seed))
    pick = random.Random(seed)
    program = os.path.join(folder, f"fuzz{seed}")
    try:
        execute([*cxx, "-O1", source, "-o", program, *libraries])
        expected = execute([program])
        ways = pick.sample(WAYS, 2)
        for number, way in enumerate(ways):
            size = pick.choice([1, 5, 31, 32, 64, 100, 128])
            targets = "seq,openmp,emulator" if number == 0 else "emulator"
            flags = [*way, f"--op2-block-size={size}", f"-O{pick.choice('0122')}",
                     f"--op2-vector-bits={pick.choice(['0', '128', '256'])}"]
            execute([*op2cxx, "--op2-strict", f"--op2-target={targets}",
                     *flags, source, "-o", program])
            for target in targets.split(","):
                for around in CIRCUMSTANCES[target]:
                    found = execute([program], OP2_TARGET=target,
                                    OP2_CHECK_PLAN="1", OMP_NUM_THREADS="3",
                                    **around)
                    compare(expected, found, f"{target} {' '.join(flags)} "
                                             f"{describe(around)}")
    except RuntimeError as problem:
        return f"program {seed} ({source}): {problem}"
    os.remove(source)
    os.remove(program)
    return None


def main():
    groups = [[]]
    for argument in sys.argv[1:]:
        if argument == "--":
            groups.append([])
        else:
            groups[-1].append(argument)
    (first, count, folder), op2cxx, cxx, libraries = groups
    first = int(os.environ.get("OP2_FUZZ_FIRST", first))
    count = int(os.environ.get("OP2_FUZZ_PROGRAMS", count))
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [pool.submit(test, seed, folder, op2cxx, cxx, libraries)
                for seed in range(first, first + count)]
        problems = [job.result() for job in jobs if job.result()]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count - len(problems)} of {count} programs agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
