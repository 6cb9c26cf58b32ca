//===- Fortran.cpp - The driver for Fortran -------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Config.h"
#include "Language.h"
#include <algorithm>
#include <set>

using namespace op2c;

const Language op2c::kLanguage = {
    "op2fc", "flang", OP2_FLANG,
    "A Fortran compiler for applications that use OP2. Takes every option of\n"
    "flang, and:\n",
    "op2fc finds OP2's modules and links OP2's and OpenMP's libraries, that\n"
    "for HDF5 files only if the program uses it. Beside the .mod file of a\n"
    "module it writes <module>-<file>.op2.bc, the code of kernels for the\n"
    "files whose loops use them. With -ftrapping-math, which flang does not\n"
    "know, kernels raise no floating-point exception but their own.\n"};

/// For programs that have exceptions stop them, or look at their flags.
static const char kTrapping[] = "-ftrapping-math";
static const char kVersions[] = "-fversion-loops-for-stride";

/// Where the modules lie, below the prefix: .mod files belong to one compiler.
static const char kModules[] = "/include/op2/fortran/flang-" OP2_CLANG_MAJOR;

bool op2c::isHeader(const std::string &) { return false; }

bool op2c::isSource(const std::string &ending) {
  static const std::set<std::string> endings = {
      ".f",   ".F",   ".for", ".FOR", ".ftn", ".FTN", ".fpp",
      ".FPP", ".f77", ".F77", ".f90", ".F90", ".f95", ".F95",
      ".f03", ".F03", ".f08", ".F08", ".f18", ".F18"};
  return endings.count(ending) != 0;
}

namespace {
/// What the plugin has to know of flang's options.
struct FlangOptions {
  std::string moduleFolder = ".";
  std::vector<std::string> includeFolders;
  std::string debug = "none";
  std::vector<std::string> pluginArgs;
};
} // namespace

static bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::string(prefix).size(), prefix) == 0;
}

/// Asks for debug information in a certain form.
static bool isAboutForm(const std::string &arg) {
  return startsWith(arg, "-gdwarf") || startsWith(arg, "-gsplit-dwarf");
}

/// The detail of debug information that an option asks for; "" if it is about
/// something else.
static std::string getDebugDetail(const std::string &arg) {
  if (arg == "-g0")
    return "none";
  if (arg == "-g1" || startsWith(arg, "-gline-"))
    return "lines";
  return arg == "-g" || arg == "-g2" || arg == "-g3" || isAboutForm(arg)
             ? "full"
             : "";
}

static FlangOptions readOptions(const std::vector<std::string> &args) {
  FlangOptions options;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string &arg = args[i];
    auto takeValue = [&](const char *name) {
      std::string value = arg.substr(std::string(name).size());
      return value.empty() && i + 1 < args.size() ? args[++i] : value;
    };
    if (std::string detail = getDebugDetail(arg); !detail.empty())
      options.debug = detail;
    else if (startsWith(arg, "-module-dir"))
      options.moduleFolder = takeValue("-module-dir");
    else if (startsWith(arg, "-J"))
      options.moduleFolder = takeValue("-J");
    else if (startsWith(arg, "-I"))
      options.includeFolders.push_back(takeValue("-I"));
    else if (arg == kTrapping)
      options.pluginArgs.push_back("trapping-math");
    else if (arg == "-fveclib=libmvec")
      options.pluginArgs.push_back("veclib=libmvec");
    else if (arg == "-Werror") // does not count where -w is given
      options.pluginArgs.insert(options.pluginArgs.begin(), "Werror=op2");
    else if (arg == "-w")
      options.pluginArgs.push_back("Wno-op2");
  }
  return options;
}

void op2c::addCompilation(std::vector<std::string> &command,
                          const Arguments &arguments,
                          const std::vector<std::string> &pluginArgs,
                          const std::string &prefix) {
  std::string plugin = prefix + "/lib/libOP2Flang.so";
  requireFile(plugin, "the plugin");
  std::string modules = prefix + kModules;
  requireFile(modules + "/op2_fortran_declarations.mod", "OP2's modules");
  auto pass = [&](const std::string &arg) {
    command.insert(command.end(), {"-mllvm", arg});
  };
  command.push_back("-fpass-plugin=" + plugin);
  FlangOptions options = readOptions(arguments.compilerArgs);
  // The user's own options are before those: they win.
  for (const std::vector<std::string> &args : {options.pluginArgs, pluginArgs})
    for (const std::string &arg : args)
      pass("-op2=" + arg);
  pass("-op2-module-dir=" + options.moduleFolder);
  for (const std::string &folder : options.includeFolders)
    pass("-op2-include=" + folder);
  // Checks and messages need it; the plugin removes what is not asked for.
  pass("-op2-debug=" + options.debug);
  command.push_back("-g");
  // Before the user's folders: those may hold another OP2's modules.
  command.push_back("-I" + modules);
}

std::vector<std::string> op2c::getUserArguments(const Arguments &arguments) {
  std::vector<std::string> args;
  for (const std::string &arg : arguments.compilerArgs)
    if ((getDebugDetail(arg).empty() || isAboutForm(arg)) && arg != kTrapping)
      args.push_back(arg);
  // -O3 makes copies of host loops, which share the op_args in them: no OP2
  // loop there could be read. The last word counts.
  if (arguments.compiles &&
      std::find(args.begin(), args.end(), kVersions) == args.end())
    args.push_back("-fno-version-loops-for-stride");
  return args;
}

void op2c::addEmission(std::vector<std::string> &command) {
  command.insert(command.end(), {"-c", "-o", "/dev/null"});
}

void op2c::addLanguageLibraries(std::vector<std::string> &command) {
  command.push_back("-lop2f");
}
