#!/usr/bin/env python3
# registers.py - What becomes of the examples' kernels, without a GPU.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles each loop for each strategy and prints a Markdown table of registers,
# shared memory, stack, spills and occupancy: for NVIDIA's chips what ptxas says
# of PTX, and below it res_calc by hand, compiled by nvcc; for AMD's (vector
# registers) what LLVM says. With --check, compares with such a table instead.
# See README.md. No figure here is a running time.

import argparse
import collections
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import common

EXAMPLES = {
    name: common.REPOSITORY / f"examples/{name}/{name}.cpp"
    for name in ("airfoil", "jacobi", "fem", "shallow_water", "multigrid", "poisson",
                 "layers")
}
VARIANTS = {
    "two-level": "strategy=two-level",
    "atomics": "strategy=atomics",
    "global": "strategy=global",
    "owner": "strategy=owner",
    "owner, SoA": "strategy=owner layout=soa",
    "two-level, SoA": "strategy=two-level layout=soa",
    "atomics, SoA": "strategy=atomics layout=soa",
}


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Registers of the examples' GPU kernels")
    parser.add_argument("--bin", default=common.REPOSITORY / "build" / "bin",
                        type=pathlib.Path, help="folder of op2c++ and op2-opt")
    parser.add_argument("--cuda", default="/usr/local/cuda", type=pathlib.Path,
                        help="where ptxas and nvcc are, if not in PATH")
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--programs", nargs="+", choices=EXAMPLES,
                        default=list(EXAMPLES), help="default: all")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS,
                        default=list(VARIANTS), help="default: all")
    parser.add_argument("--accesses", action="store_true",
                        help="also, for NVIDIA's chips, accesses in the PTX")
    parser.add_argument("--ptx", nargs="+", default=[], type=pathlib.Path,
                        help="other compilers' PTX, in place of examples")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE",
                        help="print only what is worse than in the table there, "
                             "or missing; then the exit status is 1")
    parser.add_argument("--aliased", action="store_true",
                        help="also the versions for dats that may be the same")
    options = parser.parse_args()
    for tool in ("op2c++", "op2-opt"):
        if not (options.bin / tool).exists():
            common.fail(f"{options.bin / tool} has not been built")
    return options


def find_tool(name, options):
    found = shutil.which(name) or shutil.which(str(options.cuda / "bin" / name))
    if not found:
        common.fail(f"{name} not found in PATH or {options.cuda / 'bin'}")
    return found


def extract_ptx(module):
    """The PTX in a module that --op2-to-gpu made."""
    image = re.search(r'@__op2_image_\w+_data\("((?:[^"\\]|\\.)*)"', module)
    if not image:
        common.fail("the module has no device image")

    def unescape(match):
        code = match.group(1)
        return chr(int(code, 16)) if len(code) == 2 else code

    text = re.sub(r"\\([0-9A-F]{2}|.)", unescape, image.group(1))
    return text.rstrip("\0")


# A multiprocessor of compute capability 9.0 (CUDA C++ Programming Guide, table of
# technical specifications): registers, threads, blocks, bytes of shared memory,
# of which each block takes some more.
REGISTERS, THREADS, BLOCKS, SHARED, RESERVED = 65536, 2048, 32, 233472, 1024
WARP, BLOCK = 32, 128
# How the names of versions for dats that may be the same end.
ALIASED = "_aliased"


def occupancy(registers, shared):
    """Percent of the threads of a multiprocessor that blocks of 128 fill."""
    of_warp = -(-registers // 8) * 8 * WARP
    blocks = min(BLOCKS, THREADS // BLOCK, REGISTERS // of_warp // (BLOCK // WARP),
                 SHARED // (shared + RESERVED))
    return 100 * blocks * BLOCK // THREADS


def shared_by_launch(module):
    """Bytes of shared memory that launches ask for, by kernel."""
    found = {}
    for function in re.split(r"\n  llvm\.func ", module):
        kernels = dict(re.findall(
            r"(%\w+) = llvm\.mlir\.addressof @__op2_kernel_op2_device_(\w+)", function))
        numbers = dict(re.findall(
            r"(%\w+) = llvm\.mlir\.constant\((\d+) :", function))
        for operands in re.findall(r"call @op2rt_device_launch\((.*?)\)", function):
            _, kernel, _, _, shared, _ = operands.split(", ")
            found[kernels[kernel]] = int(numbers[shared])
    return found


def assemble(tool, arguments):
    """What ptxas -v says about each kernel, by name."""
    done = subprocess.run([tool, *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        common.fail(done.stdout)
    kernels = {}
    for part in done.stdout.split("Compiling entry function '")[1:]:
        def number(pattern):
            match = re.search(pattern, part)
            return int(match.group(1)) if match else 0

        kernels[part.split("'")[0]] = {
            "registers": number(r"Used (\d+) registers"),
            "shared": number(r"(\d+) bytes smem"),
            "stack": number(r"(\d+) bytes stack frame"),
            "stores": number(r"(\d+) bytes spill stores"),
            "loads": number(r"(\d+) bytes spill loads"),
        }
    return kernels


def count_accesses(ptx):
    """What the code of each kernel has of global loads and stores, by bytes,
    atomic operations, accesses of shared memory, and barriers; by name."""
    kernels = {}
    for name, body in re.findall(r"\.entry\s+(\w+)\(.*?\{(.*?)\n\}", ptx, re.S):
        counts = collections.Counter()
        for text in re.findall(r"^\s*(?:@!?%p\d+\s+)?((?:ld|st|red|atom|bar)\."
                               r"[\w.:]+)", body, re.M):
            operation, *parts = text.split(".")
            if operation in ("red", "atom", "bar"):
                counts["barriers" if operation == "bar" else "atomics"] += 1
            elif "shared" in parts:
                counts["shared"] += 1
            elif not {"param", "local", "const"} & set(parts):
                width = next((int(part[1:]) for part in parts
                              if part in ("v2", "v4")), 1)
                size = int(re.search(r"\d+$", parts[-1]).group()) // 8
                counts[operation, width * size] += 1
        kernels[name] = counts
    return kernels


def describe_accesses(counts):
    def widths(operation):
        sizes = sorted((key[1] for key in counts if key[0] == operation),
                       reverse=True)
        return ", ".join(f"{counts[operation, size]} of {size}"
                         for size in sizes) or "-"

    return [widths("ld"), widths("st"),
            *(str(counts[key]) for key in ("atomics", "shared", "barriers"))]


def read_metadata(assembly):
    """What LLVM says about each kernel of AMD's assembly, by name."""
    kernels = {}
    for part in assembly.split("  - .agpr_count")[1:]:
        said = dict(re.findall(r"^    \.(\w+): +(\S+)", part, re.MULTILINE))
        kernels[said["name"]] = {
            "registers": said["vgpr_count"],
            "shared": said["group_segment_fixed_size"],
            "stack": said["private_segment_fixed_size"],
            "stores": said["vgpr_spill_count"],
            "loads": said["sgpr_spill_count"],
        }
    return kernels


@functools.lru_cache(maxsize=1)
def lower_example(source, op2cxx):
    # With optimisation: kernels of unoptimised code stay where they are.
    return common.run([op2cxx, "-O2", "--op2-target=cuda", "--op2-emit=op2", source])


def compile_example(source, variant, options, folder):
    module = folder / "module.mlir"
    module.write_text(lower_example(source, options.bin / "op2c++"))
    lowered = common.run([options.bin / "op2-opt", module,
                          f"--op2-to-gpu={variant} chips={options.chip}"])
    if options.chip.startswith("gfx"):
        return read_metadata(extract_ptx(lowered))
    ptx = folder / "code.ptx"
    ptx.write_text(extract_ptx(lowered))
    kernels = assemble_ptx(ptx, options, folder)
    for name, shared in shared_by_launch(lowered).items():
        kernels[name]["shared"] += shared
    for name, figures in kernels.items():
        # Kernels that finish reductions are one block.
        if "finish_" not in name:
            figures["occupancy"] = occupancy(figures["registers"], figures["shared"])
    return kernels


def assemble_ptx(ptx, options, folder):
    kernels = assemble(find_tool("ptxas", options),
                       ["-v", f"-arch={options.chip}", ptx, "-o",
                        folder / "out"])
    if options.accesses:
        for kernel, counts in count_accesses(ptx.read_text()).items():
            kernels[kernel]["accesses"] = describe_accesses(counts)
    return kernels


def cells_of(example, loop, variant, figures):
    filled = f"{figures['occupancy']} %" if "occupancy" in figures else ""
    return [example, loop, variant, figures["registers"], figures["shared"],
            figures["stack"], f"{figures['stores']} / {figures['loads']}", filled,
            *figures.get("accesses", [])]


def print_row(cells):
    print(f"| {' | '.join(map(str, cells))} |")


def rows(options, folder):
    """The cells of each kernel."""
    for example in options.programs:
        for variant in options.variants:
            kernels = compile_example(EXAMPLES[example], VARIANTS[variant],
                                      options, folder)
            for kernel, figures in sorted(kernels.items()):
                if options.aliased or options.check or \
                        not kernel.endswith(ALIASED):
                    yield cells_of(example, kernel.removeprefix("op2_"), variant,
                                   figures)


def rows_by_hand(options, folder):
    for loads, flags in [(", single loads", []), (", wide loads", ["-DWIDE_LOADS"])]:
        reference = assemble(
            find_tool("nvcc", options),
            ["-O3", f"-arch={options.chip}", "-Xptxas", "-v", "-cubin",
             *flags, common.BENCHMARKS / "res_calc_ref.cu", "-o",
             folder / "out"])
        for kernel, figures in reference.items():
            yield cells_of("by hand (nvcc)", kernel, "atomics" + loads, figures)


def find_worse(options, folder):
    """What is not as good as the table of --check says, in words."""
    table = {}
    for line in options.check.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) >= 8 and cells[0] in EXAMPLES:
            table[tuple(cells[:3])] = cells
    count = 0
    for cells in rows(options, folder):
        count += 1
        name = ", ".join(cells[:3])
        # The table has the versions for dats that differ.
        is_aliased = cells[1].endswith(ALIASED)
        known = table.get((cells[0], cells[1].removesuffix(ALIASED), cells[2]))
        if not known:
            yield f"{name}: is not in the table"
            continue
        if not is_aliased and cells[3] > int(known[3]):
            yield f"{name}: {cells[3]} registers; expected {known[3]}"
        same = [(4, "bytes of shared memory"), (5, "bytes of stack"),
                (6, "bytes are spilled")]
        same += [(7, "of the threads")] * (not is_aliased)
        for column, what in same:
            if str(cells[column]) != known[column]:
                yield f"{name}: {cells[column]} {what}; expected {known[column]}"
    if count == 0:
        yield "no kernel was compiled"


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="op2-registers-") as name:
        folder = pathlib.Path(name)
        if options.check:
            worse = list(find_worse(options, folder))
            print("\n".join(worse or ["as in the table"]))
            return 1 if worse else 0
        spills = ("spilled vector / scalar registers"
                  if options.chip.startswith("gfx") else "spill stores / loads (B)")
        columns = ["program", "loop", "strategy", "registers", "shared (B)",
                   "stack (B)", spills, "occupancy"]
        if options.accesses:
            columns += ["loads", "stores", "atomics", "shared", "barriers"]
        print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
        for ptx in options.ptx:
            for kernel, figures in sorted(assemble_ptx(ptx, options,
                                                       folder).items()):
                print_row(cells_of(ptx.stem, kernel, "", figures))
        if options.ptx:
            return 0
        for cells in rows(options, folder):
            print_row(cells)
        if not options.chip.startswith("gfx"):
            for cells in rows_by_hand(options, folder):
                print_row(cells)
    return 0


if __name__ == "__main__":
    sys.exit(main())
