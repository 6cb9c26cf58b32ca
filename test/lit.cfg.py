# Configuration of the lit suites; lit.site.cfg.py, made by CMake, sets the
# paths and loads this file.

import os
import shutil
import socket
import sys
import tempfile

import lit.formats
from lit.llvm import llvm_config

config.name = "OP2"
config.suffixes = [".mlir", ".cpp", ".F90", ".test"]
config.excludes = ["Inputs"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.op2_build_dir, "test")

op2_bin = os.path.join(config.op2_build_dir, "bin")
op2_lib = os.path.join(config.op2_build_dir, "lib")

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
# Tests run side by side: threads that wait must leave the cores to others.
config.environment["OMP_WAIT_POLICY"] = "passive"
llvm_config.with_system_environment(["OP2_FUZZ_FIRST", "OP2_FUZZ_PROGRAMS"])
# Tests say themselves which target and how many threads they want.
for name in ["OP2_TARGET", "OMP_NUM_THREADS", "OP_PART_SIZE", "OP2_CHECK_PLAN",
             "OP2_EMULATOR_SEED", "OP2_CUDA_DRIVER", "OP2_RENUMBER", "OP2_CHECK",
             "OP2_TUNE", "OP2_TIMING", "OP2_TRACE", "OP2_REPORT", "OP2_DRAW_PLAN",
             "OP2_RANKS",
             "OP2_PARTITION", "OP2_RANKS_TIMEOUT", "OP2_CHAIN",
             "OP2_TILE_SIZE"]:
    config.environment.pop(name, None)
# A loop that runs otherwise than it was compiled for fails its test; those
# about such loops say OP2_STRICT=0.
config.environment["OP2_STRICT"] = "1"
llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    ["op2-fuzz", "op2-mesh", "op2-opt", "op2-run", "mlir-translate", "split-file"],
    [op2_bin, config.llvm_tools_dir],
)

# Found by its path: for `diff` alone lit starts a Python program of its own,
# which takes twenty times as long.
llvm_config.add_tool_substitutions(["diff"], os.environ["PATH"].split(os.pathsep))

# --param sanitize=address,undefined (or thread) --param runtime=DIR:
# applications are compiled with these sanitizers and run with the libop2 of DIR,
# built likewise.
sanitizers = lit_config.params.get("sanitize", "")
runtime = lit_config.params.get("runtime", op2_lib)
# Leaves LLVM's optimiser out, which takes most of a compilation's time, and
# nothing before it but PTX's optimiser: for lines about what the plugin says and makes, for
# further ways of a program that another line compiles with the optimiser, and
# for what is to be found with sanitizers.
unoptimized = "-mllvm -opt-bisect-limit=0 -mllvm -opt-bisect-verbose=0"
sanitize = f"-fsanitize={sanitizers} -fno-sanitize-recover=all -gline-tables-only" if sanitizers else ""
sanitize_unoptimized = f"{sanitize} {unoptimized}" if sanitizers else ""
if sanitizers:
    unoptimized = ""
# Programs are many: lld takes a quarter of the time that ld takes for each.
config.op2_linker = ""
if os.access(os.path.join(config.llvm_tools_dir, "ld.lld"), os.X_OK):
    config.op2_linker = ("--start-no-unused-arguments -fuse-ld=lld "
                         "--end-no-unused-arguments")
if sanitizers:
    config.environment["LD_LIBRARY_PATH"] = runtime
    # What an application does not free is its own affair.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
if sanitizers == "thread":
    # OpenMP's runtime is not compiled with ThreadSanitizer: Archer, a part of
    # it, says what it orders, and what happens inside of it is no race.
    config.available_features.add("thread-sanitizer")
    config.environment["OMP_TOOL_LIBRARIES"] = os.path.join(
        config.op2_llvm_lib_dir, "libarcher.so")
    config.environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1"

# C++17's special functions are half of what parsing op_seq.h takes, by way of
# <math.h>; no program here needs them. This is their header's guard in libstdc++.
spare = "-D_GLIBCXX_BITS_SPECFUN_H"

# Clang with large pages, as op2c++ has it (tools/op2c++/Main.cpp).
clangxx = f"env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 {config.op2_cxx}"

config.substitutions += [
    ("%op2cxx", f"{op2_bin}/op2c++ {spare} {sanitize_unoptimized}".strip()),
    # With LLVM's optimiser also under sanitizers: what counts executions needs
    # it, and PTX as a user sees it.
    ("%optimizing_op2cxx", f"{op2_bin}/op2c++ {spare} {sanitize}".strip()),
    ("%clangxx", f"{clangxx} {spare} {sanitize_unoptimized} {config.op2_linker}".strip()),
    ("%unoptimized", unoptimized),
    # What a program of the sequential development mode is compiled with.
    ("%op2api", f"-I{config.op2_build_dir}/include/op2"),
    ("%op2lib", f"-L{runtime} -lop2 -Wl,-rpath,{runtime}"),
    ("%op2hdf5lib", f"-L{runtime} -lop2_hdf5"),
    # The emulator on a C++ program, in several ways: see there.
    ("%emulate", f"{sys.executable} {config.test_source_root}/Integration/Inputs/emulate.py"),
    # A driver without a device: unittests/Runtime/FakeCudaDriver.h.
    ("%fake_cuda", os.path.join(op2_lib, "libcuda-fake.so")),
    ("%python", sys.executable),
    ("%runner_utils", os.path.join(config.op2_llvm_lib_dir, "libmlir_c_runner_utils.so")),
    ("%examples", os.path.join(config.op2_source_dir, "examples")),
    ("%build", config.op2_build_dir),
    ("%source", config.op2_source_dir),
]

# Machine code for GPUs; PTX is made without CUDA. The ptxas on PATH may be a
# link or a script that calls the real one: a root is what also has libdevice.
def find_cuda():
    ptxas = shutil.which("ptxas")
    roots = [os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    if ptxas:
        roots.insert(1, os.path.dirname(os.path.dirname(os.path.realpath(ptxas))))
    for root in filter(None, roots):
        if os.access(os.path.join(root, "bin", "ptxas"), os.X_OK) and os.path.exists(
            os.path.join(root, "nvvm", "libdevice", "libdevice.10.bc")
        ):
            return os.path.realpath(root)
    return None


cuda = find_cuda()
if cuda:
    config.available_features.add("ptxas")
    config.substitutions.append(("%cuda", cuda))

# Ranks: more than there are cores, as root in containers, waiting politely.
if config.op2_mpiexec:
    config.available_features.add("mpi")
    config.environment.update({
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        # A start is most of such a run: no look for networks and their devices.
        "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader",
        "HWLOC_COMPONENTS": "-linuxio,-pci"})
    # Open MPI's folders of several runs at once are each other's undoing. That of
    # programs that are started alone must not go away with one of them.
    alone = os.path.join(tempfile.gettempdir(), f"op2-mpi-{os.getuid()}")
    os.makedirs(os.path.join(alone, f"ompi.{socket.gethostname()}.{os.getuid()}",
                             "keep"), exist_ok=True)
    config.environment["OMPI_MCA_orte_tmpdir_base"] = alone
    config.substitutions += [
        ("%mpiexec", config.op2_mpiexec),
        ("%mpirun",
         f"env OMPI_MCA_orte_tmpdir_base=%t.mpi {config.op2_mpiexec}")]

# The development mode of Fortran: modules and libop2f of each compiler. Their
# code has no sanitizers.
if config.op2_flang and not sanitizers:
    config.available_features.add("flang")
    config.substitutions += [
        ("%op2fc", f"{op2_bin}/op2fc"),
        ("%flang", f"{config.op2_flang} -O1 -I{config.op2_build_dir}/include/op2/fortran/flang-22"),
        ("%op2flib", f"-L{op2_lib} -lop2f -L{runtime} -lop2 -Wl,-rpath,{runtime}")]
    config.substitutions.append(
        ("%op2mpilib", f"-L{op2_lib} -lop2_mpi" if config.op2_mpiexec else ""))
if config.op2_gfortran and not sanitizers:
    config.available_features.add("gfortran")
    folder = os.path.join(config.op2_build_dir, "test/gfortran")
    config.substitutions += [
        ("%gfortran", f"{config.op2_gfortran} -O1 -I{folder}"),
        ("%op2gflib", f"-L{folder} -lop2f -L{runtime} -lop2 -Wl,-rpath,{runtime}")]
if os.path.exists(os.path.join(config.op2_build_dir, "share/man/man1/op2c++.1")):
    config.available_features.add("manual")
# The page about loops in a browser without a window.
chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(
        ("%browse", f"{sys.executable} {config.test_source_root}/Integration/Inputs/browser.py {chromium}"))
if config.op2_has_eigen:
    config.available_features.add("eigen")
if config.op2_has_petsc:
    config.available_features.add("petsc")
    # For programs that call PETSc themselves.
    config.substitutions.append(("%petsc", config.op2_petsc_flags))
if config.op2_has_hdf5 and shutil.which("h5dump"):
    config.available_features.add("hdf5")
    # For files that the library would not write.
    config.substitutions.append(("%hdf5flags", config.op2_hdf5_flags))
config.available_features.add("sanitizer" if sanitizers else "no-sanitizer")
# Checks of arithmetic, which keep kernels from being raised and loops from
# waiting where they cannot be proved.
if "undefined" not in sanitizers:
    config.available_features.add("no-undefined-sanitizer")
if not config.op2_has_frontend:
    config.excludes += ["Frontend"]
