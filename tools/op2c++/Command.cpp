//===- Command.cpp - Clang's command line -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Config.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <unistd.h>

using namespace op2c;

std::string op2c::findPrefix() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0)
    fail("cannot find out where op2c++ is installed (/proc/self/exe)");
  std::string folder(path, static_cast<size_t>(length));
  for (int up = 0; up < 2; ++up)
    folder.erase(folder.rfind('/'));
  return folder;
}

static void requireFile(const std::string &path, int mode,
                        const std::string &what) {
  if (access(path.c_str(), mode) != 0)
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

static void addPluginArg(std::vector<std::string> &command,
                         const std::string &arg) {
  command.insert(command.end(), {"-Xclang", "-plugin-arg-op2", "-Xclang", arg});
}

static void addPlugin(std::vector<std::string> &command,
                      const Arguments &arguments, const std::string &prefix) {
  std::string plugin = prefix + "/lib/libOP2Clang.so";
  requireFile(plugin, R_OK, "the plugin");
  // Not -fplugin: Clang's driver drops that where it compiles a module's
  // interface (.pcm), whose loops would run sequentially.
  command.insert(command.end(), {"-Xclang", "-load", "-Xclang", plugin});
  addPluginArg(command, "target=" + arguments.targets);
  for (const std::string &option : arguments.loopOptions)
    addPluginArg(command, option);
  if (arguments.report)
    addPluginArg(command, "report");
  if (arguments.usesMPI)
    addPluginArg(command, "ranks");
  if (arguments.saveTemps) {
    if (arguments.inputs.size() != 1)
      fail("--op2-save-temps takes one input file");
    addPluginArg(command, "save-temps=" + makeStem(arguments));
  }
  if (arguments.emit.empty())
    return;
  if (arguments.inputs.size() != 1)
    fail("--op2-emit takes one input file");
  addPluginArg(command, "emit=" + arguments.emit);
  if (!arguments.output.empty())
    addPluginArg(command, "emit-file=" + arguments.output);
}

static std::vector<std::string> splitList(const std::string &list) {
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
  std::string folder = prefix + "/lib";
  for (const std::string &path : {folder, std::string(OP2_OPENMP_LIBDIR)}) {
    command.push_back("-L" + path);
    command.push_back("-Wl,-rpath," + path);
  }
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
  requireFile(OP2_CLANGXX, X_OK, "clang++ " OP2_CLANG_MAJOR);
  std::vector<std::string> command{OP2_CLANGXX};
  bool isEmitting = !arguments.emit.empty();
  if (isEmitting && !arguments.compiles)
    fail("--op2-emit needs a source file");
  if (arguments.compiles) {
    command.push_back("--start-no-unused-arguments");
    addPlugin(command, arguments, prefix);
    // Before the user's options, so that those can undo it: with errno, calls
    // of sqrt and pow cannot be vectorized.
    command.push_back("-fno-math-errno");
    command.push_back("-D__OP2CXX__");
    // Before the user's folders: those may hold another OP2's headers, whose
    // loops the plugin does not know.
    command.push_back("-I" + prefix + "/include/op2");
    command.push_back("--end-no-unused-arguments");
  }
  command.insert(command.end(), arguments.clangArgs.begin(),
                 arguments.clangArgs.end());
  if (arguments.compiles && arguments.usesMPI)
    for (const std::string &folder : splitList(OP2_MPI_INCLUDE_DIRS))
      command.insert(command.end(), {"-isystem", folder});
  if (isEmitting) {
    // Compile up to our pass, and write nothing but what it writes.
    command.insert(command.end(), {"-c", "-Xclang", "-emit-llvm-only"});
    return command;
  }
  if (!arguments.output.empty())
    command.insert(command.end(), {"-o", arguments.output});
  if (arguments.links && !arguments.inputs.empty())
    addLibraries(command, arguments, prefix);
  return command;
}
