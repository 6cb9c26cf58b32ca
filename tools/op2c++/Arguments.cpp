//===- Arguments.cpp - The driver's own options -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "OP2/Dialect/Ranges.h"
#include <cstdio>
#include <cstdlib>
#include <set>

using namespace op2c;

void op2c::fail(const std::string &message) {
  std::fprintf(stderr, "op2c++: error: %s\n", message.c_str());
  std::exit(1);
}

void op2c::printHelp() {
  std::puts(
      "op2c++: a C++ compiler for applications that use OP2\n"
      "\n"
      "Usage: op2c++ [options] file...\n"
      "\n"
      "Takes every option of clang++, and:\n"
      "  --op2-target=<list>  where loops can run: openmp (default), cuda\n"
      "                       (NVIDIA GPUs), seq, emulator (GPU code run on "
      "the\n"
      "                       CPU, thread by thread: slow, for tests); the\n"
      "                       program selects one by OP2_TARGET, or takes a "
      "GPU\n"
      "                       if there is one\n"
      "  --op2-strategy=<s>   how loops avoid races: auto (default), owner "
      "(threads\n"
      "                       own what they add to; openmp's default), "
      "two-level\n"
      "                       (colours of blocks, and of elements on a device; "
      "the\n"
      "                       default there); for devices also atomics, "
      "global\n"
      "                       (colours of the whole set)\n"
      "  --op2-layout=<l>     how dats lie on a device: aos (default: array "
      "of\n"
      "                       structs), soa (struct of arrays, as for a dat "
      "with\n"
      "                       type string \"double:soa\")\n"
      "  --op2-no-stage       on a device, do not copy data to shared memory\n"
      "  --op2-stage-direct   also copy the data of direct loops there, if "
      "they\n"
      "                       have several components side by side\n"
      "  --op2-whole-kernel   on a device, let element colours control the\n"
      "                       whole kernel, not its increments only\n"
      "  --op2-no-raise       leave kernels as clang made them\n"
      "  --op2-no-fuse        do not make one loop of two that follow each\n"
      "                       other\n"
      "  --op2-no-delay       run each loop where it is called: neither as "
      "one\n"
      "                       with the next one, nor several in one sweep, "
      "nor\n"
      "                       with results that a device sends later\n"
      "  --op2-split          on openmp, make two loops of one whose results "
      "fall\n"
      "                       into parts, where that promises to pay;\n"
      "                       --op2-split=always: wherever it is right\n"
      "  --op2-block-size=<n> elements per block of a plan, 1 to 65536\n"
      "                       (default: the runtime's, OP_PART_SIZE; 128 on a\n"
      "                       device)\n"
      "  --op2-vector-bits=<n> size of the vectors that run several elements "
      "at\n"
      "                       once on openmp: 512, 256, 128; 0: one after "
      "another\n"
      "                       (default: what -march has, 0 without AVX2)\n"
      "  --op2-veclib=<l>     libmvec: glibc's exp, sin, ... of several "
      "numbers at\n"
      "                       once, with other last digits; none (default, "
      "unless\n"
      "                       -fveclib=libmvec is given)\n"
      "  --op2-gpu-chip=<list>\n"
      "                       chips to compile GPU code for (default: "
      "sm_80,sm_90)\n"
      "  --op2-gpu-format=<f> what GPU code is embedded as: fatbin (machine "
      "code\n"
      "                       for each chip and PTX for newer ones; the "
      "default\n"
      "                       where CUDA's ptxas is found), cubin (one chip), "
      "ptx\n"
      "                       (compiled by the driver when the program runs)\n"
      "  --op2-cuda-path=<d>  where CUDA is installed\n"
      "  --op2-emit=<stage>   print a stage of the compilation instead: op2,\n"
      "                       loops, plan, omp, gpu, ptx or llvm (to the file "
      "of -o, "
      "if\n"
      "                       given)\n"
      "  --op2-save-temps     keep all stages in files next to the output\n"
      "  -W[no-][error=]op2-<name>\n"
      "                       a warning, as clang has them; -Wno-op2, "
      "-Werror=op2:\n"
      "                       all of these:\n"
      "    sequential         a loop is not compiled, and runs sequentially\n"
      "    read, write, inc, min-max\n"
      "                       a kernel writes an OP_READ argument, reads an\n"
      "                       OP_WRITE one first, does not only add to an "
      "OP_INC\n"
      "                       one, assigns to an OP_MIN or OP_MAX one: an "
      "error\n"
      "                       where every call does so\n"
      "    shared             a kernel writes a variable of the program\n"
      "    const              a kernel cannot write what its loop declares "
      "written\n"
      "  --op2-mpi            a program that mpirun may start as several "
      "processes,\n"
      "                       which share the mesh\n"
      "  --op2-report         a remark for every compiled loop\n"
      "  --op2-print-command  print clang's command line instead of running "
      "it\n"
      "  --op2-launch         the next argument that is not ours is the name\n"
      "                       of a compiler, which op2c++ replaces (for use "
      "as\n"
      "                       a CMake launcher)\n"
      "  --op2-version, --op2-help\n"
      "\n"
      "op2c++ defines __OP2CXX__, sets -fno-math-errno (before your options:\n"
      "-fmath-errno undoes it) and links OP2's and OpenMP's libraries, that\n"
      "for HDF5 files only if the program uses it.");
}

static bool consume(const std::string &arg, const std::string &prefix,
                    std::string &value) {
  if (arg.compare(0, prefix.size(), prefix) != 0)
    return false;
  value = arg.substr(prefix.size());
  return true;
}

static void checkTargets(const std::string &list) {
  size_t begin = 0;
  while (begin <= list.size()) {
    size_t end = list.find(',', begin);
    if (end == std::string::npos)
      end = list.size();
    std::string name = list.substr(begin, end - begin);
    if (name != "openmp" && name != "cuda" && name != "seq" &&
        name != "emulator")
      fail("unknown target '" + name +
           "' in --op2-target; known are openmp, cuda, seq, emulator");
    begin = end + 1;
  }
}

static void checkStage(const std::string &stage) {
  if (stage != "op2" && stage != "loops" && stage != "plan" && stage != "omp" &&
      stage != "gpu" && stage != "ptx" && stage != "llvm")
    fail("unknown stage '" + stage +
         "' in --op2-emit; known are op2, loops, plan, omp, gpu, ptx, llvm");
}

static std::string checkStrategy(const std::string &strategy) {
  if (strategy != "auto" && strategy != "owner" && strategy != "two-level" &&
      strategy != "atomics" && strategy != "global")
    fail("unknown strategy '" + strategy +
         "' in --op2-strategy; known are auto, owner, two-level, atomics, "
         "global");
  return "strategy=" + strategy;
}

static std::string checkLayout(const std::string &layout) {
  if (layout != "aos" && layout != "soa")
    fail("unknown layout '" + layout + "' in --op2-layout; known are aos, soa");
  return "layout=" + layout;
}

/// "block-size=64", for a number of the range.
static std::string checkNumber(const std::string &name,
                               const std::string &number,
                               const mlir::op2::NumberRange &range) {
  bool isNumber = !number.empty() && number.size() <= 9 &&
                  number.find_first_not_of("0123456789") == std::string::npos;
  if (!isNumber || !range.contains(std::stol(number)))
    fail("--op2-" + name + " takes " + range.describe() + ", not '" + number +
         "'");
  return name + "=" + number;
}

static std::string checkVectorLibrary(const std::string &library) {
  if (library != "libmvec" && library != "none")
    fail("--op2-veclib takes libmvec or none, not '" + library + "'");
  return "veclib=" + library;
}

static std::string checkFormat(const std::string &format) {
  if (format != "ptx" && format != "cubin" && format != "fatbin")
    fail("unknown format '" + format +
         "' in --op2-gpu-format; known are ptx, cubin, fatbin");
  return "gpu-format=" + format;
}

/// Clang's options whose value is the next argument: the value is no input.
static bool takesValue(const std::string &arg) {
  static const std::set<std::string> options = {
      "-x",          "-I",          "-D",           "-U",      "-L",
      "-l",          "-include",    "-isystem",     "-iquote", "-idirafter",
      "-MF",         "-MT",         "-MQ",          "-Xclang", "-Xlinker",
      "-arch",       "-target",     "-T",           "-u",      "-z",
      "-imacros",    "-iprefix",    "-isysroot",    "-mllvm",  "-Xpreprocessor",
      "-Xassembler", "-Xarch_host", "-cxx-isystem", "--param", "-e",
      "-rpath",      "-G",          "-wrapper",     "-B",      "-F"};
  return options.count(arg) != 0;
}

static std::string getEnding(const std::string &input) {
  size_t dot = input.rfind('.');
  return dot == std::string::npos ? "" : input.substr(dot);
}

/// A header given as input is precompiled, which ends without linking.
static bool isHeader(const std::string &input) {
  static const std::set<std::string> endings = {".hpp", ".hh", ".h", ".hxx",
                                                ".H"};
  return endings.count(getEnding(input)) != 0;
}

static bool isSource(const std::string &input) {
  static const std::set<std::string> endings = {
      ".cpp", ".cc", ".cxx", ".C", ".c++",  ".CPP",
      ".cp",  ".c",  ".ii",  ".i", ".cppm", ".pcm"};
  return endings.count(getEnding(input)) != 0 || isHeader(input);
}

static bool parseLoopOption(const std::string &arg, Arguments &result) {
  std::string value;
  if (consume(arg, "--op2-strategy=", value))
    result.loopOptions.push_back(checkStrategy(value));
  else if (consume(arg, "--op2-block-size=", value))
    result.loopOptions.push_back(
        checkNumber("block-size", value, mlir::op2::kGivenBlockSizes));
  else if (consume(arg, "--op2-vector-bits=", value))
    result.loopOptions.push_back(
        checkNumber("vector-bits", value, mlir::op2::kVectorBits));
  else if (consume(arg, "--op2-veclib=", value))
    result.loopOptions.push_back(checkVectorLibrary(value));
  else if (consume(arg, "--op2-layout=", value))
    result.loopOptions.push_back(checkLayout(value));
  else if (arg == "--op2-stage-direct")
    result.loopOptions.push_back("stage-direct");
  else if (arg == "--op2-no-stage")
    result.loopOptions.push_back("no-stage");
  else if (arg == "--op2-whole-kernel")
    result.loopOptions.push_back("whole-kernel");
  else if (arg == "--op2-no-raise")
    result.loopOptions.push_back("no-raise");
  else if (arg == "--op2-no-fuse")
    result.loopOptions.push_back("no-fuse");
  else if (arg == "--op2-no-delay")
    result.loopOptions.push_back("no-delay");
  else if (arg == "--op2-split" || arg == "--op2-split=always")
    result.loopOptions.push_back(arg.substr(std::string("--op2-").size()));
  else if (consume(arg, "--op2-gpu-chip=", value))
    result.loopOptions.push_back("gpu-chip=" + value);
  else if (consume(arg, "--op2-gpu-format=", value))
    result.loopOptions.push_back(checkFormat(value));
  else if (consume(arg, "--op2-cuda-path=", value))
    result.loopOptions.push_back("cuda-path=" + value);
  else
    return false;
  return true;
}

/// "-Wno-error=op2-inc" and its like; the plugin knows the names.
static bool parseWarning(const std::string &arg, Arguments &result) {
  for (const char *form : {"-W", "-Wno-", "-Werror=", "-Wno-error="})
    if (arg == std::string(form) + "op2" ||
        arg.rfind(std::string(form) + "op2-", 0) == 0) {
      result.loopOptions.push_back(arg.substr(1));
      return true;
    }
  return false;
}

static bool parseOwnOption(const std::string &arg, Arguments &result) {
  if (parseLoopOption(arg, result) || parseWarning(arg, result))
    return true;
  if (consume(arg, "--op2-target=", result.targets))
    checkTargets(result.targets);
  else if (consume(arg, "--op2-emit=", result.emit))
    checkStage(result.emit);
  else if (arg == "--op2-save-temps")
    result.saveTemps = true;
  else if (arg == "--op2-report")
    result.report = true;
  else if (arg == "--op2-mpi")
    result.usesMPI = true;
  else if (arg == "--op2-launch")
    result.dropsCompiler = true;
  else if (arg == "--op2-print-command")
    result.printCommand = true;
  else if (arg == "--op2-version")
    result.printVersion = true;
  else if (arg == "--op2-help")
    result.printHelp = true;
  else if (arg.compare(0, 6, "--op2-") == 0)
    fail("unknown option '" + arg + "'; see op2c++ --op2-help");
  else
    return false;
  return true;
}

Arguments Arguments::parse(int argc, char **argv) {
  static const std::set<std::string> noLink = {
      "-c",  "-S",           "-E",        "-fsyntax-only", "-M",
      "-MM", "--precompile", "--analyze", "-emit-ast"};
  Arguments result;
  bool forcedLanguage = false;
  auto setLanguage = [&](const std::string &language) {
    forcedLanguage = language != "none";
    if (language.find("-header") != std::string::npos)
      result.links = false;
  };
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (parseOwnOption(arg, result))
      continue;
    if (result.dropsCompiler) {
      result.dropsCompiler = false;
      continue;
    }
    if (arg == "-o" && i + 1 < argc) {
      result.output = argv[++i];
      continue;
    }
    if (arg.size() > 2 && arg.compare(0, 2, "-o") == 0 &&
        arg.compare(0, 5, "-objc") != 0) {
      result.output = arg.substr(2);
      continue;
    }
    result.clangArgs.push_back(arg);
    if (arg == "--version")
      result.printVersion = result.asksClang = true;
    if (noLink.count(arg))
      result.links = false;
    if (takesValue(arg) && i + 1 < argc) {
      result.clangArgs.push_back(argv[++i]);
      if (arg == "-x")
        setLanguage(argv[i]);
      continue;
    }
    if (arg == "-" || arg[0] != '-') {
      result.inputs.push_back(arg);
      // A response file may hold sources.
      result.compiles |= forcedLanguage || isSource(arg) || arg[0] == '@';
      if (!forcedLanguage && isHeader(arg))
        result.links = false;
    }
    if (arg.compare(0, 2, "-x") == 0)
      setLanguage(arg.substr(2));
  }
  return result;
}
