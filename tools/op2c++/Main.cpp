//===- Main.cpp - op2c++ and op2fc, the compiler drivers -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the compiler that the plugin was built for with the user's arguments,
// the plugin, and OP2's headers or modules, and libraries.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Command.h"
#include "Config.h"
#include "Language.h"
#include "ResponseFiles.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace op2c;

/// Quotes an argument so that it can be pasted into a shell.
static std::string quote(const std::string &arg) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                              "WXYZ0123456789-_=+,./:@%";
  if (!arg.empty() && arg.find_first_not_of(plain) == std::string::npos)
    return arg;
  std::string quoted = "'";
  for (char c : arg)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Has glibc ask for large pages where clang allocates memory. A compilation
/// touches tens of megabytes and lives shortly: with small pages, faults are up
/// to a fifth of its time. What the user has chosen stays.
static void useLargePages() {
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", /*overwrite=*/0);
}

/// Runs the command in this process's place; returns if that cannot be.
static void replaceProcess(std::vector<std::string> command) {
  std::vector<char *> pointers;
  for (std::string &arg : command)
    pointers.push_back(arg.data());
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
}

int main(int argc, char **argv) {
  Arguments arguments =
      Arguments::parse(expandResponseFiles({argv + 1, argv + argc}));
  if (arguments.printHelp)
    printHelp();
  if (arguments.printVersion)
    std::printf("%s %s (%s %s)\n", kLanguage.driver, OP2_VERSION,
                kLanguage.compiler, OP2_CLANG_MAJOR);
  if (arguments.printHelp || arguments.printVersion) {
    if (!arguments.asksCompiler)
      return 0;
    std::fflush(stdout);
  }
  std::vector<std::string> command = buildCommand(arguments, findPrefix());
  if (arguments.printCommand) {
    for (size_t i = 0; i < command.size(); ++i)
      std::printf("%s%s", i ? " " : "", quote(command[i]).c_str());
    std::printf("\n");
    return 0;
  }
  useLargePages();
  replaceProcess(command);
  // Response files may have more arguments than a process can be given.
  if (errno == E2BIG) {
    std::string file = makeResponseFile(command.begin() + 1, command.end());
    if (!file.empty())
      replaceProcess({command[0], file});
  }
  fail("cannot run '" + command[0] + "': " + std::strerror(errno));
}
