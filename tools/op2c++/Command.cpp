//===- Command.cpp - The compiler's command line -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Config.h"
#include "Language.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace op2c;

std::string op2c::findPrefix() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0)
    fail("cannot find out where it is installed (/proc/self/exe)");
  std::string folder(path, static_cast<size_t>(length));
  for (int up = 0; up < 2; ++up)
    folder.erase(folder.rfind('/'));
  return folder;
}

void op2c::requireFile(const std::string &path, const std::string &what) {
  if (access(path.c_str(), R_OK) != 0)
    fail("cannot find " + what + " at '" + path + "'");
}

/// The name of an output without its ending: where temporaries go.
static std::string makeStem(const Arguments &arguments) {
  std::string name =
      !arguments.output.empty() ? arguments.output : arguments.inputs.front();
  size_t slash = name.rfind('/');
  // Without -o, clang writes to the current folder.
  if (arguments.output.empty() && slash != std::string::npos) {
    name.erase(0, slash + 1);
    slash = std::string::npos;
  }
  size_t dot = name.rfind('.');
  if (dot != std::string::npos && (slash == std::string::npos || dot > slash))
    name.erase(dot);
  return name;
}

/// Some stages are those of certain targets only.
static void requireStage(const Arguments &arguments) {
  static const std::map<std::string, std::string> targetsOf = {
      {"loops", "openmp,emulator,cuda"},
      {"plan", "openmp,emulator,cuda"},
      {"omp", "openmp"},
      {"gpu", "emulator,cuda"},
      {"ptx", "cuda"}};
  auto stage = targetsOf.find(arguments.emit);
  if (stage == targetsOf.end())
    return;
  std::string wanted = "," + stage->second + ",";
  std::istringstream targets(arguments.targets);
  for (std::string target; std::getline(targets, target, ',');)
    if (wanted.find("," + target + ",") != std::string::npos)
      return;
  fail("--op2-emit=" + arguments.emit + " prints a stage of " + stage->second +
       "; expected one of these in --op2-target=" + arguments.targets);
}

/// What the plugin takes, for either compiler.
static std::vector<std::string> getPluginArgs(const Arguments &arguments) {
  std::vector<std::string> args{"target=" + arguments.targets};
  args.insert(args.end(), arguments.loopOptions.begin(),
              arguments.loopOptions.end());
  if (arguments.report)
    args.push_back("report");
  if (!arguments.reportFolder.empty())
    args.push_back("report=html:" + arguments.reportFolder);
  if (arguments.usesMPI)
    args.push_back("ranks");
  if (arguments.saveTemps) {
    if (arguments.inputs.size() != 1)
      fail("--op2-save-temps takes one input file");
    args.push_back("save-temps=" + makeStem(arguments));
  }
  if (arguments.emit.empty())
    return args;
  if (arguments.inputs.size() != 1)
    fail("--op2-emit takes one input file");
  requireStage(arguments);
  args.push_back("emit=" + arguments.emit);
  if (!arguments.output.empty())
    args.push_back("emit-file=" + arguments.output);
  return args;
}

std::vector<std::string> op2c::splitList(const std::string &list) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < list.size();) {
    size_t end = std::min(list.find(';', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// In the program although it calls nothing there.
static void addMPI(std::vector<std::string> &command,
                   const std::string &folder) {
  if (access((folder + "/libop2_mpi.so").c_str(), R_OK) != 0)
    fail("--op2-mpi: this OP2 was built without MPI; configure it with "
         "-DOP2_ENABLE_MPI=ON");
  command.insert(command.end(), {"-Wl,--push-state,--no-as-needed", "-lop2_mpi",
                                 "-Wl,--as-needed"});
  for (const std::string &library : splitList(OP2_MPI_LIBRARIES))
    command.push_back(library);
  command.push_back("-Wl,--pop-state");
}

static void addLibraries(std::vector<std::string> &command,
                         const Arguments &arguments,
                         const std::string &prefix) {
  if (!arguments.staticOption.empty())
    fail(arguments.staticOption +
         ": OP2's library is a shared one only; expected a program that is "
         "linked dynamically");
  std::string folder = prefix + "/lib";
  for (const std::string &path : {folder, std::string(OP2_OPENMP_LIBDIR)}) {
    command.push_back("-L" + path);
    // Not by -Wl: a comma would end the path.
    command.insert(command.end(), {"-Xlinker", "-rpath", "-Xlinker", path});
  }
  addLanguageLibraries(command);
  // In the program only if it reads or writes HDF5 files, or calls PETSc.
  for (const char *library : {"op2_hdf5", "op2_petsc"})
    if (access((folder + "/lib" + library + ".so").c_str(), R_OK) == 0)
      command.insert(command.end(),
                     {"-Wl,--push-state,--as-needed",
                      std::string("-l") + library, "-Wl,--pop-state"});
  if (arguments.usesMPI)
    addMPI(command, folder);
  command.insert(command.end(), {"-lop2", "-lomp"});
}

std::vector<std::string> op2c::buildCommand(const Arguments &arguments,
                                            const std::string &prefix) {
  if (access(kLanguage.program, X_OK) != 0)
    fail(std::string("cannot find ") + kLanguage.compiler +
         " " OP2_CLANG_MAJOR " at '" + kLanguage.program + "'");
  std::vector<std::string> command{kLanguage.program};
  bool isEmitting = !arguments.emit.empty();
  if (isEmitting && !arguments.compiles)
    fail("--op2-emit needs a source file");
  if (arguments.compiles)
    addCompilation(command, arguments, getPluginArgs(arguments), prefix);
  std::vector<std::string> userArgs = getUserArguments(arguments);
  command.insert(command.end(), userArgs.begin(), userArgs.end());
  if (isEmitting) {
    addEmission(command);
    return command;
  }
  if (!arguments.output.empty())
    command.insert(command.end(), {"-o", arguments.output});
  if (arguments.links && !arguments.inputs.empty())
    addLibraries(command, arguments, prefix);
  return command;
}
