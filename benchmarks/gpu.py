#!/usr/bin/env python3
# gpu.py - Correctness and speed of compiled loops on a GPU.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --build FOLDER compiles the variants into a folder that can be carried to a
# machine with a GPU and nothing but its driver; gpu.sh of that folder runs them.
# See README.md.

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import common
import gpu_profile
import gpu_report
import gpu_variants
import op2_output

HERE = pathlib.Path(__file__).resolve().parent
# Solutions by variants that promise the CPU's bits; of the others, multigrid's is
# compared by test/Integration/gpu.py, and fem calls functions whose bits differ.
BITS = {f"{example}'s bits": example for example in ["airfoil", "shallow_water"]}
# name: I and J of airfoil-mesh, iterations with a known residual
MESHES = {
    "small": (20, 30, 100),
    "720k": (400, 600, 1000),
    "2.88M": (800, 1200, 200),
}


def parse_list(known):
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f"'{name}'; known are {', '.join(known)}")
        return chosen
    return parse


def parse_sizes(text):
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise argparse.ArgumentTypeError(f"'{text}'; expected numbers: 64,128")
    return [int(word) for word in text.split(",")]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Correctness and speed of compiled loops on a GPU")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=HERE,
                        help="what --build made; default: where this file is")
    run = parser.add_argument_group("to run")
    run.add_argument("--only", metavar="REGEX", default="",
                     help="variants whose name matches")
    run.add_argument("--meshes", type=parse_list(MESHES),
                     help="of small,720k,2.88M; default: the two large ones, on "
                          "the emulator the small one")
    run.add_argument("--seconds", type=float, default=450,
                     help="start nothing more after that time (450)")
    run.add_argument("--jobs", type=int, default=min(8, os.cpu_count()),
                     help="programs at a time, while results are checked or "
                          "variants compiled")
    run.add_argument("--profile", metavar="REGEX",
                     help="Nsight Compute's counters of Airfoil on the largest "
                          "mesh, for variants whose name matches")
    run.add_argument("--copy-mib", type=int, default=1024,
                     help="size of the copy on the device whose rate loops are "
                          "compared with (1024)")
    run.add_argument("--work", type=pathlib.Path,
                     help="folder for meshes; default: work in the folder")
    run.add_argument("--output", help="JSON file; default: in results/")
    build = parser.add_argument_group("to build")
    build.add_argument("--build", type=pathlib.Path, metavar="FOLDER")
    build.add_argument("--target", choices=["cuda", "emulator"], default="cuda")
    build.add_argument("--chip", default="sm_90")
    build.add_argument("--modes", type=parse_list(gpu_variants.MODES),
                       default=list(gpu_variants.MODES),
                       help="of " + ",".join(gpu_variants.MODES))
    build.add_argument("--layouts", type=parse_list(gpu_variants.LAYOUTS),
                       default=gpu_variants.LAYOUTS, help="of " + ",".join(gpu_variants.LAYOUTS))
    build.add_argument("--block-sizes", type=parse_sizes,
                       default=gpu_variants.BLOCK_SIZES, metavar="N,N")
    build.add_argument("--build-tree", type=pathlib.Path,
                       default=common.REPOSITORY / "build",
                       help="where op2c++ has been built")
    build.add_argument("--limit-mib", type=float, default=60)
    return parser.parse_args()


class Runner:
    """Runs the programs of a folder, and remembers what went wrong."""

    def __init__(self, options, manifest):
        self.options = options
        self.folder = options.folder.resolve()
        self.target = manifest["target"]
        self.work = (options.work or self.folder / "work").resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.start = time.monotonic()
        self.problems = []
        # Some machines name the driver's folder there.
        libraries = [str(self.folder / "lib"), os.environ.get("LD_LIBRARY_PATH")]
        self.env = {**os.environ, "OP2_TARGET": self.target,
                    "LD_LIBRARY_PATH": ":".join(filter(None, libraries))}

    def has_time(self):
        return time.monotonic() - self.start < self.options.seconds

    def run(self, name, arguments, **environment):
        """(exit status or reason, output)"""
        return self.execute([self.folder / "bin" / name, *arguments], environment)

    def execute(self, command, environment={}):
        command = list(map(str, command))
        try:
            done = subprocess.run(command, env={**self.env, **environment},
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=300)
        except OSError as error:
            return error.strerror, ""
        except subprocess.TimeoutExpired:
            return "more than 300 s", ""
        return done.returncode, done.stdout

    def mesh(self, file, program, arguments):
        """The path of a mesh; made once."""
        path = self.work / file
        if not path.exists():
            status, output = self.run(program, [*arguments, path])
            if status != 0:
                common.fail(f"{program}: {status}: {output.strip()}")
        return path

    def fault(self, status, output):
        """What is wrong with a run, or None."""
        if status != 0:
            lines = output.splitlines()
            telling = [line for line in lines
                       if re.search("error:|check FAILED|Residual", line)]
            # The message of an error is the last thing; a wrong residual stands
            # above the verdict.
            return f"status {status}: {'; '.join(telling[-2:] or lines[-1:])}"
        if gpu_variants.PASSED not in output:
            return f"did not print '{gpu_variants.PASSED}'"
        nothing_stored = re.search(gpu_variants.NOTHING_STORED, output)
        if nothing_stored:
            return nothing_stored.group()
        if "not compiled" in output:
            return "has loops that op2c++ did not compile"
        ran = set(re.findall(r"ran \d+ times on (\w+)", output))
        if ran != {self.target}:
            return f"ran on {', '.join(sorted(ran)) or 'nothing'}"
        return None

    def arguments_of(self, example):
        about = gpu_variants.EXAMPLES[example]
        arguments = list(about["arguments"][self.target])
        if "mesh" in about:
            program, size, ending = about["mesh"]
            path = self.mesh(f"{example}.{ending}", program, size[self.target])
            arguments.append(f"--mesh={path}")
        return arguments

    def verdict(self, what, variant, fault):
        if fault:
            self.problems.append(f"{what}, {variant['name']}: {fault}")
        return "FAILED" if fault else "yes"

    def check_example(self, variant, example):
        fault = self.fault(*self.run(gpu_variants.program(variant, example),
                                     self.arguments_of(example)))
        return self.verdict(example, variant, fault)

    def check_bits(self, variant, what):
        """An example's solution against that of the sequential loops."""
        program = gpu_variants.program(variant, BITS[what])
        solutions = []
        for target in [self.target, "seq"]:
            path = self.work / f"{program}-{target}.bin"
            status, output = self.run(
                program, [*self.arguments_of(BITS[what]), f"--save={path}"],
                OP2_TARGET=target)
            if status != 0:
                return self.verdict(what, variant,
                                    f"{target}: status {status}: {output[-300:]}")
            solutions.append(path.read_bytes())
            path.unlink()
        same = solutions[0] == solutions[1]
        return self.verdict(what, variant, None if same else "other bits than seq")

    def profile_airfoil(self, variant, mesh):
        """A few iterations with the device's counters, or None."""
        if not gpu_profile.find_profiler():
            self.problems.append(f"profile, {variant['name']}: ncu is not there")
            return None
        table, path = self.place_airfoil(mesh)
        program = self.folder / "bin" / gpu_variants.program(variant, "airfoil")
        status, output = gpu_profile.run(
            self.execute, [program, f"--mesh={path}", f"--timings={table}",
                           f"--iterations={gpu_profile.ITERATIONS}"])
        (self.work / f"profile-{variant['suffix']}.csv").write_text(output)
        launches = gpu_profile.read_launches(output)
        if status != 0 or not launches:
            self.problems.append(f"profile, {variant['name']}: status {status}: "
                                 f"{output[-300:]}")
            return None
        calls = {name.replace("+", "_"): loop["calls"]
                 for name, loop in op2_output.read_timings(table).items()}
        return gpu_profile.summarize(launches, calls)

    def place_airfoil(self, mesh):
        """Where the table of times goes, and the mesh's path."""
        table = self.work / "timings.csv"
        if table.exists():
            table.unlink()
        return table, self.mesh(f"{mesh}.dat", "airfoil-mesh", MESHES[mesh][:2])

    def time_airfoil(self, variant, mesh):
        table, path = self.place_airfoil(mesh)
        status, output = self.run(
            gpu_variants.program(variant, "airfoil"),
            [f"--mesh={path}", f"--iterations={MESHES[mesh][2]}",
             "--untimed=5", f"--timings={table}"])
        fault = self.fault(status, output)
        if fault:
            self.problems.append(f"airfoil {mesh}, {variant['name']}: {fault}")
            return None
        return {
            "rms": op2_output.read_residual(output),
            "iterations": MESHES[mesh][2],
            "iteration_ms": op2_output.read_iteration(output),
            "device_bytes": op2_output.read_device_memory(output),
            "loops": op2_output.read_timings(table),
        }


def load_manifest(folder):
    try:
        with open(folder / "manifest.json") as file:
            return json.load(file)
    except OSError:
        common.fail(f"{folder} has no manifest.json: make it by gpu.sh --build "
                    "FOLDER and run FOLDER/gpu.sh")


def measure_copy(runner):
    """The device and its copy rate; ends the program if there is no device."""
    status, output = runner.run("device-copy", [runner.options.copy_mib])
    if status != 0:
        common.fail(f"nothing was run: {output.strip() or status}")
    return json.loads(output.splitlines()[-1])


def driver_version():
    """Of the kernel's module, or None."""
    try:
        text = pathlib.Path("/proc/driver/nvidia/version").read_text()
    except OSError:
        return None
    found = re.search(r"Kernel Module.*?\s(\d+\.[0-9.]+)", text)
    return found.group(1) if found else None


def choose_variants(options, manifest):
    chosen = [variant for variant in manifest["variants"]
              if re.search(options.only, variant["name"])]
    if not chosen:
        common.fail(f"no variant matches '{options.only}'")
    return chosen


def check_all(runner, variants, manifest):
    """What became of each example, by variant; several at a time."""
    # Two would make one mesh at the same time.
    for example in manifest["examples"]:
        runner.arguments_of(example)
    with concurrent.futures.ThreadPoolExecutor(runner.options.jobs) as pool:
        checks = {(variant["name"], example):
                  pool.submit(runner.check_example, variant, example)
                  for variant in variants for example in manifest["examples"]}
        checks.update({(variant["name"], what):
                       pool.submit(runner.check_bits, variant, what)
                       for variant in variants if variant["mode"].startswith("owner")
                       for what in BITS})
        return {key: check.result() for key, check in checks.items()}


def time_variant(runner, variant, meshes, copy):
    runs = {}
    for mesh in meshes:
        if not runner.has_time():
            runner.problems.append(f"airfoil {mesh}, {variant['name']}: no time left")
            continue
        run = runner.time_airfoil(variant, mesh)
        if run:
            gpu_report.add_rates(run, copy["best_gb_s"] if copy else None)
            runs[mesh] = run
    return runs


def run_all(options):
    manifest = load_manifest(options.folder)
    variants = choose_variants(options, manifest)
    runner = Runner(options, manifest)
    is_cuda = manifest["target"] == "cuda"
    copy = measure_copy(runner) if is_cuda else None
    meshes = options.meshes or (["720k", "2.88M"] if is_cuda else ["small"])

    checks = check_all(runner, variants, manifest)
    results = [{"name": variant["name"], "options": variant["options"],
                "checks": {what: state for (name, what), state in checks.items()
                           if name == variant["name"]},
                "airfoil": {}} for variant in variants]
    for number, (variant, result) in enumerate(zip(variants, results)):
        if options.profile and re.search(options.profile, variant["name"]):
            result["profile"] = runner.profile_airfoil(variant, meshes[-1])
        print(f"{number + 1} of {len(variants)}: {variant['name']}, "
              f"{time.monotonic() - runner.start:.0f} s", file=sys.stderr)
        result["airfoil"] = time_variant(runner, variant, meshes, copy)

    no_gpu = None
    if not is_cuda:
        no_gpu = gpu_report.NO_GPU["emulator"]
    elif os.environ.get("OP2_CUDA_DRIVER"):
        no_gpu = gpu_report.NO_GPU["driver"]
    data = {
        **common.circumstances(),
        "commit": manifest["commit"],
        "modified": manifest["modified"],
        "target": manifest["target"],
        "no_gpu": no_gpu,
        "driver": driver_version() if is_cuda else None,
        "copy": copy,
        "examples": [*manifest["examples"], *BITS],
        "meshes": [{"name": name, "cells": 3 * MESHES[name][0] * MESHES[name][1],
                    "iterations": MESHES[name][2]} for name in meshes],
        "results": results,
        "problems": runner.problems,
        "seconds": round(time.monotonic() - runner.start, 1),
    }
    gpu_report.print_report(data)
    common.write_json(options.output, f"gpu-{manifest['target']}", data)
    return 1 if runner.problems else 0


def main():
    options = parse_arguments()
    if options.build:
        # Not carried along: only what builds needs it.
        import gpu_build
        gpu_build.make_folder(options)
        return 0
    return run_all(options)


if __name__ == "__main__":
    sys.exit(main())
