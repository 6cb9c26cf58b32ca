"""Compares random programs, compiled by op2c++ and run in many ways, with the
sequential development mode.

run.py --build=build [--first=SEED] [--programs=N] [--jobs=N] [--time=SECONDS]
       [--ranks] [--rounded] [--fortran]

Programs number SEED ... SEED+N-1; OP2_FUZZ_FIRST and OP2_FUZZ_PROGRAMS override
the numbers. A program that fails is left in --folder, with what is left of it
when all statements that it need not have to fail are taken away, and the
commands. Loops that are not compiled are failures.

With --rounded the order of additions shows. Then a program is compared with
itself, where the order is promised to be the same: for any number of threads
and ranks, tiles or not, fused and delayed or not, whatever comes first in the
emulator; and with the development mode if it runs in the order of the elements:
sequential loops, and those of threads where rows have owners.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import threading
import time

import fortran
import generate

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
sys.path.insert(0, os.path.join(HERE, "..", "Inputs"))
from ways import WAYS  # noqa: E402

#: What op2c++ says of a loop that runs otherwise than asked for.
FALLBACK = re.compile(r"is not compiled|runs? sequentially|falls? back")


#: What a program does that several ranks cannot (docs/mpi.md).
NOT_ON_RANKS = re.compile(r"on several ranks|"
                          r"ranks already have their parts of the mesh|"
                          r"expected it to be compiled with op2c\+\+ --op2-mpi")
#: How loops ran, and what of that is in the order of the elements.
STRATEGY = re.compile(r"^op2: loop .*: ran \d+ times on \w+ \((.*?)\)", re.M)
IN_ORDER = {"direct", "blocks", "ownership", "owned rows"}
#: Only the root prints.
ROOT_PRINTS = ["sh", "-c", '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || exec > /dev/null; '
               'exec "$0"']


class Problem(Exception):
    pass


def execute(command, what, limit=120, **environment):
    """stdout and stderr of a command that succeeds."""
    try:
        run = subprocess.run(command, env=dict(os.environ, **environment),
                             text=True, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Problem(f"{what}: takes longer than {limit} s") from None
    if run.returncode != 0:
        # Remarks are long, and come before what matters.
        said = re.sub(r".*: remark: .*\n( +[0-9]* \|.*\n)*", "", run.stderr)
        raise Problem(f"{what}: exit status {run.returncode}\n{said[:3000]}")
    return run.stdout, run.stderr


def results(text):
    return [line for line in text.splitlines() if not line.startswith("op2:")]


def compare(expected, found, what):
    if expected == found:
        return
    for want, have in zip(expected, found):
        if want != have:
            raise Problem(f"{what}: expected '{want}', got '{have}'")
    raise Problem(f"{what}: {len(found)} lines instead of {len(expected)}")


class Compiler:
    """A compiler with its flags; what all programs include is precompiled when
    it is needed again."""

    def __init__(self, command, folder, name, soon):
        self.command, self.folder, self.name = command, folder, name
        self.soon = soon
        self.lock = threading.Lock()
        self.headers = {}

    def header(self, flags):
        """None when it is needed for the first time, if not `soon`."""
        key = " ".join(flags)
        with self.lock:
            if key not in self.headers and not self.soon:
                self.headers[key] = None
            elif not self.headers.get(key):
                number = sum(map(bool, self.headers.values()))
                path = os.path.join(self.folder, f"{self.name}{number}.pch")
                execute([*self.command, *flags, "-fpch-instantiate-templates",
                         "-x", "c++-header",
                         os.path.join(INPUTS, "fuzz.h"), "-o", path], "fuzz.h",
                        limit=600)
                self.headers[key] = path
            return self.headers[key]

    def compile(self, sources, program, flags, others, what):
        """flags: those that the precompiled header depends on."""
        header = self.header(flags)
        precompiled = ["-include-pch", header] if header else []
        return execute([*self.command, *flags, *precompiled, "-I", INPUTS, "-w",
                        *sources, *others, "-o", program], what, limit=600)


class FortranCompiler(Compiler):
    """Modules go where programs are."""

    def compile(self, sources, program, flags, others, what):
        return execute([*self.command, *flags, "-w", "-module-dir", self.folder,
                        *sources, *others, "-o", program], what, limit=600)


class Way:
    """How one program is compiled and run, drawn at random."""

    def __init__(self, seed, program, standards, alike, ranks, rounded):
        pick = random.Random(f"way {seed}")
        self.flags = self.draw_flags(pick, standards)
        if alike > 1:
            self.flags = self.draw_flags(
                random.Random(f"same {seed - 1 - (seed - 1) % alike}"), standards)
        has_device = not (program.has_host_kernels or program.has_chain)
        targets = pick.choice(["openmp,seq"] * 3 + ["openmp"] +
                              ["openmp,seq,emulator", "emulator"] * 2 *
                              has_device)
        self.targets = targets.split(",")
        self.options = [f"--op2-target={targets}", "-Werror=op2-sequential", "--op2-report"]
        self.options += ["--op2-mpi"] * ranks
        for option, share in [("--op2-no-delay", 0.08), ("--op2-no-fuse", 0.08),
                              ("--op2-split=always", 0.15),
                              ("--op2-no-raise", 0.15),
                              ("--op2-veclib=libmvec", 0.1)]:
            keeps_chains = option != "--op2-no-delay"
            if pick.random() < share and (keeps_chains or not program.has_chain):
                self.options.append(option)
        if pick.random() < 0.5:
            self.options.append(
                f"--op2-vector-bits={pick.choice([0, 128, 256, 256, 512])}")
        if pick.random() < (0.7 if "emulator" in self.targets else 0.4):
            size = pick.choice([1, 5, 31, 32, 64, 100, 128])
            if not program.has_chain:  # which needs loops by ownership
                self.options.append(f"--op2-block-size={size}")
        if "emulator" in self.targets:
            self.options.append("-DFUZZ_DEVICE")
            # What a device has by default, more often than other ways.
            self.options += pick.choice(WAYS + [way[1:] for way in WAYS])
            if not program.may_keep_rows:
                self.options.append("--op2-count-accesses")
        elif pick.random() < 0.2 and not program.has_chain:
            self.options.append("--op2-strategy=two-level")
        self.runs = [self.circumstances(pick, program, target)
                     for target in self.targets
                     for _ in range({"openmp": 3, "seq": 1, "emulator": 1}[target])]
        for values in self.runs * ranks:
            looks = program.is_raw and not program.has_own
            values["OP2_RANKS"] = "mirrored" if looks else "whole"
            values["OP2_PARTITION"] = f"random:{pick.randint(0, 99)}"
            values["FUZZ_RANKS"] = str(pick.randint(2, 7))
        if program.may_declare_blocks:
            self.declare_blocks(random.Random(f"blocks {seed}"))
        #: Of the same program, compiled otherwise.
        self.other_options = None
        #: Targets on which two loops have run as one.
        self.fused = set()
        if rounded:
            self.keep_order(random.Random(f"order {seed}"), program)

    def declare_blocks(self, pick):
        for values in self.runs:
            if pick.random() < 0.5:
                values["OP2_RANKS"] = "blocks"
                values["FUZZ_EMPTY"] = str(pick.randint(0, 7))
                values.pop("OP2_RENUMBER", None)

    def keep_order(self, pick, program):
        """Leaves what keeps the order of additions."""
        if "--op2-strategy=atomics" in self.options:
            self.options.remove("--op2-strategy=atomics")
        owner = pick.choice(["auto", "always", "always", "never"])
        if owner == "always" and "emulator" not in self.targets:
            self.options = [option for option in self.options
                            if option != "--op2-strategy=two-level" and
                            not option.startswith("--op2-block-size")]
        for values in self.runs:
            values.pop("OP2_RENUMBER", None)
            values.pop("OP2_CHECK", None)
            if "OP2_OWNER" in values:
                values["OP2_OWNER"] = owner
        self.runs += [{**values, "OP2_EMULATOR_SEED": "100"}
                      for values in self.runs
                      if values["OP2_TARGET"] == "emulator"]
        toggled = "--op2-no-fuse"
        if not program.has_chain and pick.random() < 0.3:
            toggled = "--op2-no-delay"
        self.other_options = [option for option in self.options
                              if option != toggled]
        if len(self.other_options) == len(self.options):
            self.other_options.append(toggled)

    @property
    def reference_flags(self):
        """Processors round products that are added once or twice."""
        return [flag for flag in self.flags
                if flag.startswith(("-std", "-march", "-ffp"))]

    @staticmethod
    def draw_flags(pick, standards):
        flags = [f"-std=c++{pick.choice(standards)}"] if standards else []
        flags.append(f"-O{pick.choice('0111222233')}")
        if pick.random() < 0.4:
            flags.append("-march=native")
        if pick.random() < 0.1:
            flags.append("-g")
        return flags

    @staticmethod
    def circumstances(pick, program, target):
        values = {"OP2_TARGET": target, "OP2_CHECK_PLAN": "1", "OP2_STRICT": "1",
                  "OMP_WAIT_POLICY": "passive"}
        # What looks at storage sees the library's order.
        if not (program.is_raw or program.has_own) and pick.random() < 0.3:
            values["OP2_RENUMBER"] = pick.choice(["rcm", "rcm", "none"])
        if pick.random() < 0.1:
            values["OP2_CHECK"] = "warn"  # of constants through maps
        if target == "emulator":
            values["OP2_EMULATOR_SEED"] = str(pick.randint(0, 99))
        if target != "openmp":
            return values
        values["OMP_NUM_THREADS"] = pick.choice("12335")
        values["OP2_OWNER"] = pick.choice(["auto", "always", "always", "never"])
        values["OP2_CHAIN"] = pick.choice(["auto", "always", "always", "never"])
        if program.has_chain and pick.random() < 0.8:
            values["OP2_CHAIN"] = "always"
            values.pop("OP2_CHECK", None)
        if pick.random() < 0.7:
            values["OP2_TILE_SIZE"] = pick.choice(["1", "5", "17", "64"])
        values["OP2_TUNE"] = pick.choice(["off", "auto", "on"])
        return values


def describe(values):
    return " ".join(f"{name}={value}" for name, value in values.items())


class Fuzzer:
    def __init__(self, options):
        self.folder = options.folder
        self.libraries = shlex.split(options.libraries)
        self.language = fortran if options.fortran else generate
        self.suffix = ".F90" if options.fortran else ".cpp"
        self.standards = []
        if options.fortran:
            self.reference = FortranCompiler([*shlex.split(options.flang), "-O0"],
                                             self.folder, "reference", False)
            self.op2cxx = FortranCompiler(shlex.split(options.op2fc),
                                          self.folder, "op2", False)
        else:
            self.reference = Compiler([*shlex.split(options.cxx), "-O0"],
                                      self.folder, "reference",
                                      options.alike > 1)
            self.op2cxx = Compiler(shlex.split(options.op2cxx), self.folder,
                                   "op2", options.alike > 1)
            self.standards = options.standards.split(",")
        self.alike = options.alike
        self.seconds = collections.Counter()
        self.kinds = collections.Counter()
        self.watches = options.cost
        self.tried, self.fused = collections.Counter(), collections.Counter()
        #: Runs with threads or blocks that were compared with the development mode.
        self.in_order = 0
        self.reduce = options.reduce
        self.ranks = options.ranks
        self.rounded = ["-DFUZZ_ROUNDED"] * options.rounded
        self.mpirun = shlex.split(options.mpirun)
        self.refused = collections.Counter()
        self.support = os.path.join(self.folder, "support.o")
        source = os.path.join(INPUTS, "fuzz" + self.suffix)
        of_language = ["-module-dir", self.folder] if options.fortran else \
            ["-std=c++17"]
        execute([*self.reference.command, *self.rounded, *of_language, "-c",
                 source, "-o", self.support], source, limit=600)

    def timed(self, what, function, *args, **kwargs):
        begin = time.monotonic()
        try:
            return function(*args, **kwargs)
        finally:
            self.seconds[what] += time.monotonic() - begin

    def write(self, seed, dropped=(), suffix=""):
        program, writer = self.language.generate(seed, dropped, self.ranks,
                                                 bool(self.rounded))
        header, *texts = writer.texts()
        shared = f"fuzz{seed}{suffix}.h"
        with open(os.path.join(self.folder, shared), "w") as file:
            file.write(header)
        sources = []
        for number, text in enumerate(texts):
            must_exit = self.ranks or self.watches or self.rounded
            if must_exit and program.end != "op_exit();" and \
                    "int main" in text:
                text = text[:text.rindex("}")].replace("  std::exit(0);\n", "")
                text += "  op_exit();\n}\n"
            path = os.path.join(self.folder, f"fuzz{seed}{suffix}-{number}{self.suffix}")
            with open(path, "w") as file:
                file.write(f'#include "{shared}"\n{text}')
            sources.append(path)
        return program, writer, sources

    def check_report(self, text, writer):
        """Every loop is compiled, and none for another target."""
        problem = FALLBACK.search(text)
        if problem:
            raise Problem(f"a loop is not compiled: {text[:3000]}")
        for loop in writer.loops:
            if f"loop '{loop.name}' compiled for " not in text:
                raise Problem(f"op2c++ says nothing of loop {loop.name}")

    def test(self, seed, dropped=(), suffix="", runs=None):
        """Raises a Problem if a program is wrong; returns its files."""
        program, writer, sources = self.write(seed, dropped, suffix)
        way = Way(seed, program, self.standards, self.alike, self.ranks,
                  bool(self.rounded))
        binary = sources[0][:-6]
        self.timed("reference", self.reference.compile, sources, binary + ".dev",
                   [*way.reference_flags, *self.rounded],
                   [self.support, *self.libraries],
                   "development mode")
        expected = results(self.timed("runs", execute, [binary + ".dev"],
                                      "development mode", OMP_NUM_THREADS="1")[0])
        first = {"seq": expected} if self.rounded else \
            dict.fromkeys(way.targets, expected)
        self.try_runs(way, way.options, runs or way.runs, sources, binary, first,
                      writer)
        if way.other_options:
            self.try_runs(way, way.other_options, runs or way.runs, sources,
                          binary + ".other", first, writer)
        if not dropped:
            for loop in writer.loops:
                self.kinds[loop.kernel.form] += 1
            self.tried.update(way.targets)
            self.fused.update(way.fused)
        return [binary, *glob.glob(binary + "[-._]*")]

    def try_runs(self, way, options, runs, sources, binary, first, writer):
        """Compares runs with the first one on their target."""
        said = self.timed("op2c++", self.op2cxx.compile, sources, binary,
                          [*way.flags, *self.rounded], [*options, self.support],
                          " ".join(way.flags + options))
        self.check_report(said[1], writer)
        for around in runs:
            what = f"{describe(around)} ({' '.join(way.flags + options)})"
            command = [binary]
            if self.ranks:
                command = [*self.mpirun, "-n", around["FUZZ_RANKS"],
                           *ROOT_PRINTS, binary]
                # Of a thread: else one job takes the folder away in which
                # another one begins.
                number = threading.current_thread().name.rpartition("_")[2]
                around = {**around, "OMPI_MCA_orte_tmpdir_base":
                          os.path.join(self.folder, "mpi" + number)}
            if self.watches:
                around = {**around, "OP2_TRACE": binary + ".json"}
            output, _ = self.timed("runs", execute, command, what, **around)
            found = results(output)
            if self.watches and self.has_fused(binary + ".json"):
                way.fused.add(around["OP2_TARGET"])
            compare(first.setdefault(around["OP2_TARGET"], found), found, what)
            if self.rounded and self.is_in_order(around, options, output):
                self.in_order += 1
                compare(first["seq"], found, what)

    @staticmethod
    def is_in_order(around, options, output):
        """Whether all loops have added in the order of the elements. Functions
        of a library round otherwise."""
        strategies = set(STRATEGY.findall(output))
        return around["OP2_TARGET"] != "seq" and bool(strategies) and \
            strategies <= IN_ORDER and "--op2-veclib=libmvec" not in options

    @staticmethod
    def has_fused(trace):
        """Whether two loops ran as one."""
        with open(trace) as file:
            text = file.read()
        os.remove(trace)
        return re.search(r'"k\d+\+k\d+"', text) is not None

    def fails(self, seed, dropped, kind):
        """In the same way?"""
        try:
            self.remove(self.test(seed, dropped, "-less"))
        except Problem as problem:
            return self.kind_of(problem) == kind
        except Exception:  # a program that is not one any more
            return False
        return False

    @staticmethod
    def reason_of(problem):
        """The error, without what is the program's own."""
        line = next(line for line in str(problem).splitlines()
                    if NOT_ON_RANKS.search(line))
        return re.sub(r".*?(loop|dat|set) \w+( \([^)]*\))?[:,]? *", "", line)

    @staticmethod
    def kind_of(problem):
        """What happens, without numbers and names."""
        text = str(problem)
        for kind in ("development mode", "is not compiled", "says nothing",
                     "expected", "lines instead", "takes longer"):
            if kind in text:
                return kind
        return re.sub(r"[^a-z ]", "", "".join(
            line for line in text.splitlines()[1:] if "error" in line))[:60]

    def shrink(self, seed, problem):
        """Takes away whatever the program can fail without."""
        program, _ = self.language.generate(seed)
        kind, dropped = self.kind_of(problem), []
        for number in range(program.nodes, 0, -1):
            if self.fails(seed, dropped + [number], kind):
                dropped.append(number)
        self.write(seed, dropped, "-less")
        return dropped

    @staticmethod
    def remove(paths):
        for path in paths:
            os.remove(path)

    def one(self, seed):
        try:
            self.remove(self.test(seed))
            return None
        except Problem as problem:
            if self.ranks and NOT_ON_RANKS.search(str(problem)):
                self.refused[self.reason_of(problem)] += 1
                return "refused"
            text = f"program {seed}: {problem}"
            if self.reduce:
                dropped = self.shrink(seed, problem)
                text += f"\nless of it: generate.py {seed} " + \
                    " ".join(map(str, dropped))
            print(text, file=sys.stderr, flush=True)
            return text


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time", type=float, help="seconds, no more")
    parser.add_argument("--folder", default="fuzz-programs")
    parser.add_argument("--build", default="build")
    parser.add_argument("--op2cxx")
    parser.add_argument("--cxx")
    parser.add_argument("--libraries")
    parser.add_argument("--standards", default="17,20")
    parser.add_argument("--alike", type=int, default=1, metavar="N",
                        help="N programs one after the other have the same "
                             "standard and level of optimisation, and headers "
                             "precompiled for them")
    parser.add_argument("--reduce", action="store_true",
                        help="take statements away from programs that fail")
    parser.add_argument("--ranks", action="store_true",
                        help="run programs on 2 to 7 ranks, with random parts")
    parser.add_argument("--rounded", action="store_true",
                        help="compare what depends on the order of additions")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--fortran", action="store_true",
                        help="programs in Fortran")
    parser.add_argument("--op2fc")
    parser.add_argument("--flang")
    parser.add_argument("--cost", action="store_true",
                        help="say where the time goes, and what ran fused")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    options.op2cxx = options.op2cxx or f"{build}/bin/op2c++"
    options.cxx = options.cxx or f"clang++-22 -I{build}/include/op2 -fuse-ld=lld"
    options.op2fc = options.op2fc or f"{build}/bin/op2fc"
    options.flang = options.flang or (
        f"flang-22 -I{build}/include/op2/fortran/flang-22")
    libraries = "-lop2f -lop2" if options.fortran else "-lop2"
    options.libraries = options.libraries or (
        f"-L{build}/lib {libraries} -Wl,-rpath,{build}/lib")
    options.first = int(os.environ.get("OP2_FUZZ_FIRST", options.first))
    options.programs = int(os.environ.get("OP2_FUZZ_PROGRAMS", options.programs))
    return options


def main():
    options = parse()
    os.makedirs(options.folder, exist_ok=True)
    fuzzer = Fuzzer(options)
    begin = time.monotonic()

    def one(seed):
        if options.time and time.monotonic() - begin > options.time:
            return "late"
        return fuzzer.one(seed)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(one, range(options.first, options.first +
                                            options.programs)))
    tried = [outcome for outcome in outcomes if outcome != "late"]
    agree = sum(outcome is None for outcome in tried)
    seconds = time.monotonic() - begin
    print(f"{agree} of {len(tried)} programs agree "
          f"(first: {options.first}; {len(tried) / seconds:.2f} a second)")
    if options.rounded:
        print(f"{fuzzer.in_order} runs with threads or blocks in the order of the elements")
    refused = sum(fuzzer.refused.values())
    if options.ranks:
        print(f"{refused} refused: what they do ranks cannot")
        for reason, count in fuzzer.refused.most_common():
            print(f"{count:5} {reason}")
    if options.cost:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"processor: {(used.ru_utime + used.ru_stime) / len(tried):.2f} s a "
              "program; waited: " +
              ", ".join(f"{what} {spent / len(tried):.2f} s"
                        for what, spent in fuzzer.seconds.most_common()))
        print(f"kernels: {dict(fuzzer.kinds.most_common())}")
        print("programs with fused loops: " +
              ", ".join(f"{fuzzer.fused[target]} of {count} on {target}"
                        for target, count in fuzzer.tried.most_common()
                        if target != "seq"))
    return 0 if agree + refused == len(tried) and agree else 1


if __name__ == "__main__":
    sys.exit(main())
