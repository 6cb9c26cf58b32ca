//===- Cxx.cpp - The driver for C++ ---------------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Config.h"
#include "Language.h"
#include <set>

using namespace op2c;

const Language op2c::kLanguage = {
    "op2c++", "clang", OP2_CLANGXX,
    "A C++ compiler for applications that use OP2. Takes every option of\n"
    "clang++, and:\n",
    "op2c++ defines __OP2CXX__, sets -fno-math-errno (before your options:\n"
    "-fmath-errno undoes it) and links OP2's and OpenMP's libraries, that\n"
    "for HDF5 files only if the program uses it.\n"};

bool op2c::isHeader(const std::string &ending) {
  static const std::set<std::string> endings = {".hpp", ".hh",  ".h",
                                                ".hxx", ".h++", ".H"};
  return endings.count(ending) != 0;
}

bool op2c::isSource(const std::string &ending) {
  static const std::set<std::string> others = {
      "", ".o", ".lo", ".obj", ".a", ".so", ".s", ".S", ".bc", ".ll"};
  return others.count(ending) == 0;
}

void op2c::addCompilation(std::vector<std::string> &command, const Arguments &,
                          const std::vector<std::string> &pluginArgs,
                          const std::string &prefix) {
  std::string plugin = prefix + "/lib/libOP2Clang.so";
  requireFile(plugin, "the plugin");
  command.push_back("--start-no-unused-arguments");
  // Not -fplugin: Clang's driver drops that where it compiles a module's
  // interface (.pcm), whose loops would run sequentially.
  command.insert(command.end(), {"-Xclang", "-load", "-Xclang", plugin});
  for (const std::string &arg : pluginArgs)
    command.insert(command.end(),
                   {"-Xclang", "-plugin-arg-op2", "-Xclang", arg});
  // Before the user's options, so that those can undo it: with errno, calls
  // of sqrt and pow cannot be vectorized.
  command.push_back("-fno-math-errno");
  command.push_back("-D__OP2CXX__");
  // Before the user's folders: those may hold another OP2's headers, whose
  // loops the plugin does not know.
  command.push_back("-I" + prefix + "/include/op2");
  command.push_back("--end-no-unused-arguments");
}

std::vector<std::string> op2c::getUserArguments(const Arguments &arguments) {
  std::vector<std::string> args = arguments.compilerArgs;
  if (arguments.compiles && arguments.usesMPI)
    for (const std::string &folder : splitList(OP2_MPI_INCLUDE_DIRS))
      args.insert(args.end(), {"-isystem", folder});
  return args;
}

void op2c::addEmission(std::vector<std::string> &command) {
  command.insert(command.end(),
                 {"--start-no-unused-arguments", "-c",
                  "--end-no-unused-arguments", "-Xclang", "-emit-llvm-only"});
}

void op2c::addLanguageLibraries(std::vector<std::string> &) {}
