# gpu.sh --build: a folder that can be carried to a machine with a GPU.
#
# Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   FOLDER/gpu.sh *.py manifest.json     what runs, and what was built
#   FOLDER/bin                           programs, named by variant
#   FOLDER/lib                           libop2.so, libomp.so.5

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import common
import gpu_variants

SCRIPTS = ["gpu.sh", "gpu.py", "gpu_variants.py", "gpu_report.py", "gpu_profile.py",
           "common.py", "op2_output.py"]


def copy_libraries(options, folder):
    """libop2 as installed, which finds its neighbours, and what it needs."""
    with tempfile.TemporaryDirectory(prefix="op2-gpu-") as prefix:
        common.run(["cmake", "--install", options.build_tree, "--prefix", prefix])
        library = pathlib.Path(prefix) / "lib" / "libop2.so"
        shutil.copy2(library, folder / "lib")
        needed = common.run(["ldd", library])
    found = re.search(r"(libomp\S*) => (\S+)", needed)
    if found:
        shutil.copy2(pathlib.Path(found.group(2)).resolve(),
                     folder / "lib" / found.group(1))


def copy_programs(options, folder):
    meshes = [about["mesh"][0] for about in gpu_variants.EXAMPLES.values()
              if "mesh" in about]
    for name in ["device-copy", *meshes]:
        source = options.build_tree / "bin" / name
        if not source.exists():
            common.fail(f"{source} has not been built")
        shutil.copy2(source, folder / "bin")
    for name in SCRIPTS:
        shutil.copy2(common.BENCHMARKS / name, folder)


def compile_command(options, folder, variant, example):
    target = f"seq,openmp,{options.target}"
    # Nobody times the emulator.
    level = "-O3" if options.target == "cuda" else "-O0"
    command = [options.build_tree / "bin" / "op2c++", level, "-Werror=op2-sequential",
               f"--op2-target={target}", *variant["options"]]
    if options.target == "cuda":
        command.append(f"--op2-gpu-chip={options.chip}")
    # Before the library's own folder, which the other machine does not have.
    command += ["-Wl,-s", "-Wl,-rpath,$ORIGIN/../lib"]
    command.append(common.REPOSITORY / gpu_variants.EXAMPLES[example]["source"])
    output = folder / "bin" / gpu_variants.program(variant, example)
    return [str(word) for word in command + ["-o", output]]


def compile_all(options, folder, variants):
    jobs = [(variant, example) for variant in variants
            for example in gpu_variants.EXAMPLES]

    def compile_one(job):
        command = compile_command(options, folder, *job)
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return command, done

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for command, done in pool.map(compile_one, jobs):
            if done.returncode:
                # The rest need not be compiled any more.
                pool.shutdown(wait=False, cancel_futures=True)
                common.fail(f"exit status {done.returncode}: "
                            f"{' '.join(command)}\n{done.stdout[-4000:]}")


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*")
               if path.is_file())


def make_folder(options):
    folder = options.build
    if folder.exists() and not (folder / "manifest.json").exists():
        common.fail(f"{folder} is there and was not made by --build")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ["bin", "lib"]:
        (folder / name).mkdir(parents=True)

    variants = gpu_variants.make_variants(options.modes, options.layouts,
                                          options.block_sizes)
    copy_libraries(options, folder)
    copy_programs(options, folder)
    compile_all(options, folder, variants)

    size = size_of(folder) / 2**20
    if size > options.limit_mib:
        common.fail(f"{folder} has {size:.1f} MiB, expected at most "
                    f"{options.limit_mib}; choose fewer variants")
    state = common.circumstances()
    manifest = {
        "target": options.target,
        "chip": options.chip if options.target == "cuda" else None,
        "commit": state["commit"],
        "modified": state["modified"],
        "built": state["date"],
        "examples": list(gpu_variants.EXAMPLES),
        "variants": variants,
    }
    # The last thing: a folder without it is not whole.
    with open(folder / "manifest.json", "w") as file:
        json.dump(manifest, file, indent=1)
    print(f"{os.path.relpath(folder)}: {len(variants)} variants of "
          f"{len(gpu_variants.EXAMPLES)} programs for {options.target}, "
          f"{size:.1f} MiB")
