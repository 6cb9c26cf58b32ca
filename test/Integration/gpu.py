#!/usr/bin/env python3
"""The integration tests and random programs on a machine with a GPU.

gpu.py --build FOLDER [--programs N]     compile them into a folder to carry
FOLDER/gpu.py FOLDER --run               run them, where the GPU is

The folder needs the CUDA driver and python3. Every program runs on OP2_TARGET=seq
and on the device (OP2_STRICT=1: a loop that runs elsewhere is an error) and prints
the same lines, but for those that begin with "op2:". Where sums are rounded in the
order of a plan, what it prints is compared with what the emulator printed when it
was built, and with atomics only some lines, rounding allowed for.

    FOLDER/gpu.py manifest.json    what runs, and what was built
    FOLDER/programs.tar.xz         programs; --run unpacks them to FOLDER/bin
    FOLDER/lib                     libop2.so, libomp.so.5
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from types import SimpleNamespace

HERE = pathlib.Path(__file__).resolve().parent
for folder in ["Inputs", "fuzz", "../../benchmarks"]:
    sys.path.append(str(HERE / folder))
import common  # noqa: E402

#: Tests of these names run in every way, the others in some.
EVERY_WAY = ["accesses", "conformance", "device-arguments", "exact-sums", "info",
             "layouts", "merges", "reductions", "types", "vector-and-optional"]
#: Tests with a line for the emulator that are not for this.
LEFT_OUT = {
    "cpp/chains": "looks at dat->data, where a device does not write",
    "cpp/const-parameters": "elements race for what it prints",
    "cpp/hdf5": "needs files and HDF5",
    "cpp/other-files": "is several files",
    "cpp/petsc": "needs PETSc",
    "cpp/throwing": "throws exceptions, which a device has not",
    "emulator/memory-model": "is about the emulator",
}
#: Any x86 processor has the same bits with the first, those of the last ten years
#: with the second: products that are added are rounded once.
SEPARATE, FUSED = "-ffp-contract=off", "-march=x86-64-v3"
#: Sums are rounded: only blocks that own rows leave the bits of `seq`.
OWNER_ONLY = {"cpp/extremes": FUSED, "cpp/owned-effects": SEPARATE,
              "cpp/owned-rows": SEPARATE, "cpp/repeated-additions": FUSED}
#: Lines that are compared, if not all: rows of columns have no owners.
ONLY = {"cpp/extremes": "^(?!rows levels)"}
#: Examples: arguments of a run, and the lines with results. Others read meshes
#: (benchmarks/gpu.sh), or call functions whose bits differ (docs/gpu.md).
EXAMPLES = {
    "jacobi": ("", ", expected "),
    "layers": ("", ", expected "),
    "multigrid": ("--levels=5", r"\de-\d"),
}
#: The runs of a program, if not one without arguments: words with = are variables.
RUNS = {
    "cpp/by-name": ["OP2_STRICT=0 OP_NO_REALLOC"],
    "cpp/far-rows": ["OP_NO_REALLOC"],
    "cpp/renumber": ["OP2_RENUMBER=rcm", "renumber", "OP2_RENUMBER=rcm index"],
    "cpp/subsets": ["", "OP2_RENUMBER=rcm", "after"],
    "emulator/merges": ["", "OP2_CHECK=1"],
}
#: Some of its loops stay on the host.
LENIENT = ["cpp/by-name"]
#: Lines of the conformance suite that are numbers, which may differ by rounding,
#: and those that no sum gets to.
ANY_ORDER = {"with": "seq", "only": "cells|greatest|^owner", "tolerance": 1e-9}
#: SoA of a dat of 2 GB takes the host a minute.
AOS_ONLY = ["cpp/far-rows"]
# C++17's special functions, as in lit.cfg.py.
SPARE = "-D_GLIBCXX_BITS_SPECFUN_H"


def results(text, only=""):
    return [line for line in text.splitlines()
            if not line.startswith("op2:") and re.search(only, line)]


def is_close(a, b, tolerance):
    try:
        a, b = (float.fromhex(word.rstrip(",")) for word in (a, b))
    except ValueError:
        return False
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def agrees(want, have, tolerance):
    if want == have:
        return True
    if want is None or have is None or not tolerance:
        return False
    words = itertools.zip_longest(want.split(), have.split(), fillvalue="")
    return all(a == b or is_close(a, b, tolerance) for a, b in words)


def first_difference(expected, found, tolerance=0):
    for number, (want, have) in enumerate(
            itertools.zip_longest(expected, found), start=1):
        if not agrees(want, have, tolerance):
            return f"line {number}: expected '{want}', got '{have}'"
    return None if expected else "nothing was printed"


# What there is to compile


def run_lines(path):
    text = re.sub(r"\\\n// RUN:", " ", path.read_text())
    return re.findall(r"^// RUN: (.*)", text, re.MULTILINE)


def is_for_emulator(line):
    return not line.startswith("not ") and re.search(
        r"%emulate|--op2-target=\S*emulator", line)


def test_flags(lines, folder):
    """What the first line for the emulator compiles with."""
    line = next(line for line in lines if is_for_emulator(line))
    words = line.replace("%S", str(folder)).split()
    # The default strategy is one of several here.
    kept = [word for word in words if re.match(r"-[OIDf]|-std=", word)]
    if not any(word.startswith("-O") for word in kept):
        kept.append("-O1")
    return kept


def ways_of(name, stem):
    """A program's ways and sizes of blocks, the default first."""
    import ways
    if name in OWNER_ONLY:
        return [(["--op2-strategy=owner", layout], size)
                for layout, size in [("--op2-layout=aos", None),
                                     ("--op2-layout=soa", 20)]]
    if name in AOS_ONLY:
        return [([], None), (["--op2-strategy=atomics"], None)]
    choose = ways.every_way if stem in EVERY_WAY else ways.some_ways
    return [([], None), *choose(f"{stem}.cpp")]


def flags_of(way, size):
    return way + [f"--op2-block-size={size}"] * bool(size)


def parse_run(words):
    words = words.split()
    variables = dict(word.split("=", 1) for word in words if "=" in word)
    return {"arguments": [word for word in words if "=" not in word],
            "variables": {"OP2_CHECK_PLAN": "1", "OP2_STRICT": "1", **variables}}


def alike(target="seq", only=""):
    """The same lines as on the target, of those that match."""
    return {"with": target, "only": only, "tolerance": 0}


def program(name, stage, sources, flags, runs, compare=None):
    text = re.sub(r"--op2-|strategy=|layout=", "", " ".join(flags["way"]))
    return {"name": name, "way": text or "default", "stage": stage,
            "sources": [str(source) for source in sources],
            "flags": [*flags["own"], *flags["way"]], "runs": runs,
            "compare": compare or alike()}


def label(about):
    return f"{about['name']} ({about['way']})"


def integration_tests():
    """One description a program; `stage` says what is to run early."""
    paths = [path for folder in ["cpp", "emulator"]
             for path in sorted((HERE / folder).glob("*.cpp"))]
    for path in paths:
        name = f"{path.parent.name}/{path.stem}"
        lines = run_lines(path)
        if name in LEFT_OUT or not any(map(is_for_emulator, lines)):
            continue
        own = [OWNER_ONLY.get(name, SEPARATE), *test_flags(lines, path.parent)]
        own += ["-Werror=op2-sequential"] * (name not in LENIENT)
        runs = [parse_run(words) for words in RUNS.get(name, [""])]
        for stage, (way, size) in enumerate(ways_of(name, path.stem)):
            yield program(name, stage, [path],
                          {"own": own, "way": flags_of(way, size)}, runs,
                          alike(only=ONLY.get(name, "")))


def conformance():
    """Sums are rounded: owners have the bits of the sequential loop, colours those
    of the emulator, and atomics any that are near."""
    source = HERE / "ranks" / "conformance.cpp"
    own = ["-O1", SEPARATE, "-Werror=op2-sequential"]
    owner = ["--op2-strategy=owner"]
    yield program("ranks/conformance", 0, [source], {"own": own, "way": owner},
                  [parse_run("31 mixed"), parse_run("12"),
                   parse_run("OP2_RENUMBER=rcm 31 mixed")])
    yield program("ranks/conformance", 0, [source], {
        "own": own, "way": [*owner, "--op2-layout=soa", "--op2-block-size=33"]},
        [parse_run("31 mixed")])
    for stage, (way, size) in enumerate(ways_of("", "conformance")):
        if owner[0] in way:
            continue
        compare = alike("emulator")
        if "--op2-strategy=atomics" in way:
            compare = ANY_ORDER
        yield program("ranks/conformance", stage, [source],
                      {"own": own, "way": flags_of(way, size)},
                      [parse_run("31 mixed")], compare)


def examples():
    """By owners, with the bits of `seq`."""
    for name, (arguments, only) in EXAMPLES.items():
        source = common.REPOSITORY / "examples" / name / f"{name}.cpp"
        for layout in ["aos", "soa"]:
            yield program(f"examples/{name}", 0, [source], {
                "own": ["-O2", FUSED, "-Werror=op2-sequential"],
                "way": ["--op2-strategy=owner", f"--op2-layout={layout}"]},
                [parse_run(arguments)], alike(only=only))


class RandomPrograms:
    """Those that the fuzzer would run on the emulator, with its flags but what
    another processor may not have. Every other one adds what is rounded."""

    def __init__(self, options, folder):
        import run
        self.run, self.count, self.first = run, options.programs, options.first
        op2cxx = str(options.build_tree / "bin" / "op2c++")
        include = options.build_tree / "include" / "op2"

        def make_fuzzer(rounded):
            own = pathlib.Path(folder) / f"rounded-{rounded}"
            own.mkdir()
            return run.Fuzzer(SimpleNamespace(
                folder=str(own), libraries="", op2cxx=op2cxx, alike=1,
                cxx=f"clang++-22 -I{include}", standards="17,20", reduce=False,
                ranks=False, rounded=rounded, fortran=False, cost=False,
                mpirun=""))
        self.fuzzers = list(map(make_fuzzer, [False, True])) if self.count else []

    def seeds(self):
        from generate import generate
        for seed in itertools.count(self.first):
            random_program, _ = generate(seed)
            way = self.run.Way(seed, random_program, ["17", "20"], 1, False,
                               rounded=seed % 2 == 1)
            if "emulator" in way.targets:
                yield seed, way

    def programs(self):
        for number, (seed, way) in enumerate(itertools.islice(
                self.seeds(), self.count)):
            fuzzer = self.fuzzers[seed % 2]
            _, _, sources = fuzzer.write(seed)
            own = [flag for flag in way.flags if flag not in ("-g", "-march=native")]
            own += ["-w", f"-I{self.run.INPUTS}", *fuzzer.rounded]
            around = next(run for run in way.runs
                          if run["OP2_TARGET"] == "emulator")
            runs = [{"arguments": [], "variables": {
                name: value for name, value in around.items()
                if name != "OP2_TARGET"}}]
            flags = [flag for flag in way.options
                     if not re.match("--op2-(target|report)", flag)]
            compare = alike("emulator" if fuzzer.rounded else "seq")
            yield program(f"fuzz/{seed}", 1 + number // 20,
                          [*sources, fuzzer.support],
                          {"own": own, "way": flags}, runs, compare)


# Compilation


def compile_command(options, about, target, output):
    flags = about["flags"]
    if target == "emulator":
        # LLVM does not optimise what it runs.
        flags = [re.sub("^-O[1-3]$", "-O0", flag) for flag in flags]
    chip = [f"--op2-gpu-chip={options.chip}"] * (target == "cuda")
    # lld says what the linker's own folders hide.
    command = [options.build_tree / "bin" / "op2c++", SPARE, *flags, *chip,
               f"--op2-target=seq,{target}", "-s", "-fuse-ld=lld",
               "-Wl,-rpath,$ORIGIN/../lib", *about["sources"], "-o", output]
    return [str(word) for word in command]


def compile_one(options, folder, about):
    """None, or what is wrong."""
    path = folder / "bin" / about["file"]
    done = subprocess.run(compile_command(options, about, options.target, path),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        errors = [line for line in done.stdout.splitlines() if "error:" in line]
        return "\n  ".join([" ".join(done.args), *errors[:3]])
    return None


def store_expected(options, folder, about):
    """What the emulator prints, which must not depend on its order of threads."""
    with tempfile.TemporaryDirectory(prefix="op2-gpu-") as other:
        path = pathlib.Path(other) / "program"
        common.run(compile_command(options, about, "emulator", path))
        for run in about["runs"]:
            texts = [results(common.run(
                [path, *run["arguments"]],
                {**environment(folder), **run["variables"],
                 "OP2_TARGET": "emulator", "OP2_EMULATOR_SEED": str(seed)}))
                for seed in (1, 2)]
            if texts[0] != texts[1]:
                common.fail(f"{label(about)}: its results depend on the order "
                            "of threads")
            run["expected"] = texts[0]


def describe_all(options, scratch):
    """All programs, the most telling ones first."""
    fixed = [about for about in [*examples(), *conformance(), *integration_tests()]
             if re.search(options.only, label(about))]
    programs = fixed + list(RandomPrograms(options, scratch).programs())
    programs.sort(key=lambda about: about["stage"])
    for about in programs:
        code = hashlib.sha1(about["way"].encode()).hexdigest()[:6]
        about["file"] = f"{about['name'].replace('/', '-')}-{code}"
    return programs


def compile_all(options, folder, programs):
    """Those that were compiled."""
    def one(about):
        problem = compile_one(options, folder, about)
        if not problem and about["compare"]["with"] == "emulator":
            store_expected(options, folder, about)
        return problem

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        problems = list(pool.map(one, programs))
    for about, problem in zip(programs, problems):
        if problem:
            print(f"NOT COMPILED: {label(about)}: {problem}", file=sys.stderr)
    return [about for about, problem in zip(programs, problems) if not problem]


def pack(folder, programs):
    """Machine code for a GPU is large, and that of a program's ways alike."""
    with tarfile.open(folder / "programs.tar.xz", "w:xz") as archive:
        for about in sorted(programs, key=lambda about: about["file"]):
            archive.add(folder / "bin" / about["file"], about["file"])
    shutil.rmtree(folder / "bin")


def make_folder(options):
    import gpu_build
    folder = options.build
    if folder.exists() and not (folder / "manifest.json").exists():
        common.fail(f"{folder} is there and was not made by --build")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ["bin", "lib"]:
        (folder / name).mkdir(parents=True)
    gpu_build.copy_libraries(options, folder)
    for path in (folder / "lib").iterdir():
        common.run(["strip", "--strip-unneeded", path])
    for path in [__file__, common.__file__, options.build_tree / "bin" / "device-copy"]:
        shutil.copy2(path, folder)

    with tempfile.TemporaryDirectory(prefix="op2-gpu-") as scratch:
        described = describe_all(options, pathlib.Path(scratch))
        programs = compile_all(options, folder, described)
    for about in programs:
        del about["sources"], about["flags"]
    pack(folder, programs)
    size = gpu_build.size_of(folder) / 2**20
    if size > options.limit_mib:
        common.fail(f"{folder} has {size:.1f} MiB, expected at most "
                    f"{options.limit_mib}; choose fewer --programs")
    state = common.circumstances()
    with open(folder / "manifest.json", "w") as file:
        json.dump({"target": options.target, "commit": state["commit"],
                   "modified": state["modified"], "built": state["date"],
                   "left_out": LEFT_OUT, "programs": programs}, file, indent=1)
    missing = len(described) - len(programs)
    print(f"{folder}: {len(programs)} programs for {options.target}, {missing} not "
          f"compiled, {size:.1f} MiB")
    return 1 if missing else 0


# Runs


def environment(folder):
    # Some machines name the driver's folder there.
    libraries = [str(folder / "lib"), os.environ.get("LD_LIBRARY_PATH")]
    return {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
            "PATH": os.environ.get("PATH", "") + ":/usr/local/cuda/bin",
            "LD_LIBRARY_PATH": ":".join(filter(None, libraries))}


def telling_lines(stdout, stderr):
    """The first and the last of what a sanitizer says, or the last of all."""
    lines = (stdout + stderr).splitlines()
    said = [line for line in lines if line.startswith("=========")]
    return said[:20] + said[20:][-1:] if said else lines[-12:]


class Runner:
    def __init__(self, options, manifest):
        self.options, self.folder = options, options.folder.resolve()
        self.target = manifest["target"]
        self.start = time.monotonic()

    def execute(self, command, **variables):
        """(what is wrong, stdout)"""
        try:
            process = subprocess.Popen(
                command, env={**environment(self.folder), **variables}, text=True,
                errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True)
        except OSError as error:
            return f"{command[0]}: {error.strerror}", ""
        try:
            stdout, stderr = process.communicate(timeout=self.options.limit)
        except subprocess.TimeoutExpired:
            # What a sanitizer started, too.
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return f"takes longer than {self.options.limit:g} s", ""
        if process.returncode:
            return "\n  ".join([f"exit status {process.returncode}",
                                *telling_lines(stdout, stderr)]), stdout
        return None, stdout

    def check_device(self):
        """Ends the program where none is."""
        if self.target != "cuda":
            return None
        problem, output = self.execute([str(self.folder / "device-copy"), "64"])
        if problem:
            common.fail(f"nothing was run: {problem}")
        return json.loads(output.splitlines()[-1])

    def check_sanitizer(self):
        path = environment(self.folder)["PATH"]
        if self.options.sanitizer and not shutil.which("compute-sanitizer", path=path):
            common.fail("nothing was run: there is no compute-sanitizer")

    def unpack(self):
        if (self.folder / "bin").exists():
            return
        part = self.folder / "bin.part"
        with tarfile.open(self.folder / "programs.tar.xz") as archive:
            # Python 3.12 asks for one.
            archive.extraction_filter = getattr(tarfile, "data_filter",
                                                lambda member, path: member)
            archive.extractall(part)
        part.rename(self.folder / "bin")

    def expected(self, about, run, command):
        """(what is wrong, lines)"""
        if about["compare"]["with"] == "emulator":
            return None, run["expected"]
        problem, text = self.execute(command, **run["variables"], OP2_TARGET="seq")
        return problem and f"seq: {problem}", results(text, about["compare"]["only"])

    def compare(self, about, run, command):
        problem, expected = self.expected(about, run, command)
        if problem:
            return problem
        problem, text = self.execute(command, **run["variables"],
                                     OP2_TARGET=self.target)
        found = results(text, about["compare"]["only"])
        return problem or first_difference(expected, found,
                                           about["compare"]["tolerance"])

    def sanitize(self, run, command):
        """The tool's report is what it ends with. A program whose loops do not run
        calls nothing that it could look at."""
        problem = self.execute(["compute-sanitizer", "--tool", self.options.sanitizer,
                             "--error-exitcode", "9", *command],
                            **run["variables"], OP2_TARGET=self.target)[0]
        nothing = "terminated before first instrumented API call"
        return None if problem and nothing in problem else problem

    def one(self, job):
        about, run = job
        if time.monotonic() - self.start > self.options.seconds:
            return None
        command = [str(self.folder / "bin" / about["file"]), *run["arguments"]]
        begin = time.monotonic()
        problem = (self.sanitize(run, command) if self.options.sanitizer
                   else self.compare(about, run, command))
        what = [f"{name}={value}" for name, value in run["variables"].items()]
        what = " ".join([*what, about["file"], *run["arguments"]])
        if problem:
            print(f"FAILED: {label(about)}: {what}\n  {problem}", flush=True)
        return {"name": about["name"], "way": about["way"], "run": what,
                "compared_with": about["compare"], "problem": problem,
                "seconds": round(time.monotonic() - begin, 2)}


def load_manifest(folder):
    try:
        with open(folder / "manifest.json") as file:
            return json.load(file)
    except OSError:
        common.fail(f"{folder} has no manifest.json: make it by gpu.py --build "
                    "FOLDER and run FOLDER/gpu.py FOLDER --run")


def run_all(options):
    manifest = load_manifest(options.folder)
    runner = Runner(options, manifest)
    device = runner.check_device()
    runner.check_sanitizer()
    runner.unpack()
    jobs = [(about, run) for about in manifest["programs"] for run in about["runs"]
            if re.search(options.only, label(about))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(runner.one, jobs))
    done = [outcome for outcome in outcomes if outcome]
    failed = sum(bool(outcome["problem"]) for outcome in done)
    data = {**common.circumstances(), "commit": manifest["commit"],
            "modified": manifest["modified"], "target": manifest["target"],
            "device": device, "sanitizer": options.sanitizer, "results": done,
            "left_out": len(jobs) - len(done),
            "seconds": round(time.monotonic() - runner.start, 1)}
    common.write_json(options.output, f"gpu-tests-{manifest['target']}", data)
    if data["left_out"]:
        print(f"{data['left_out']} runs were left out: more than "
              f"{options.seconds} s")
    alike = "without errors" if options.sanitizer else "alike"
    print(f"{len(done) - failed} programs {alike}, {failed} failed")
    return 1 if failed or not done else 0


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="The integration tests and random programs on a GPU")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=HERE,
                        help="what --build made; default: where this file is")
    parser.add_argument("--jobs", type=int, help="default: 2 to build, 8 to run")
    parser.add_argument("--only", metavar="REGEX", default="",
                        help="programs whose name matches")
    run = parser.add_argument_group("to run")
    run.add_argument("--run", action="store_true")
    run.add_argument("--seconds", type=float, default=120,
                     help="start nothing more after that time (120)")
    run.add_argument("--limit", type=float, default=60,
                     help="seconds that a program may take (60)")
    run.add_argument("--sanitizer", choices=["memcheck", "racecheck", "synccheck",
                                             "initcheck"],
                     help="run programs under this tool of compute-sanitizer, on "
                          "the device alone")
    run.add_argument("--output", help="JSON file; default: in results/")
    build = parser.add_argument_group("to build")
    build.add_argument("--build", type=pathlib.Path, metavar="FOLDER")
    build.add_argument("--target", choices=["cuda", "emulator"], default="cuda")
    build.add_argument("--chip", default="sm_90")
    build.add_argument("--build-tree", type=pathlib.Path,
                       default=common.REPOSITORY / "build",
                       help="where op2c++ has been built")
    build.add_argument("--first", type=int, default=1, metavar="SEED",
                       help="of random programs")
    build.add_argument("--programs", type=int, default=60, metavar="N",
                       help="as many random programs (60)")
    build.add_argument("--limit-mib", type=float, default=25)
    options = parser.parse_args()
    if bool(options.build) == options.run:
        parser.error("one of --build FOLDER and --run is expected")
    options.jobs = options.jobs or (8 if options.run else 2)
    options.build_tree = options.build_tree.resolve()
    return options


def main():
    options = parse_arguments()
    return make_folder(options) if options.build else run_all(options)


if __name__ == "__main__":
    sys.exit(main())
