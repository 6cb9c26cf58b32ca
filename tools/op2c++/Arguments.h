//===- Arguments.h - The driver's own options -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_ARGUMENTS_H
#define OP2CXX_ARGUMENTS_H

#include <string>
#include <vector>

namespace op2c {

/// The command line: our options, and everything else, which clang gets.
struct Arguments {
  std::vector<std::string> compilerArgs;
  std::vector<std::string> inputs; ///< also in compilerArgs
  std::string output;              ///< value of -o; not in compilerArgs
  std::string targets = "openmp";
  std::string emit;
  /// How loops are planned and what GPU code is compiled to, as the plugin
  /// takes it: "strategy=atomics" ...
  std::vector<std::string> loopOptions;
  bool saveTemps = false;
  bool report = false;
  std::string reportFolder;   ///< of the page about loops
  bool usesMPI = false;       ///< may run as several processes
  bool dropsCompiler = false; ///< a compiler's name is still to come
  bool printCommand = false;
  bool printVersion = false;
  bool asksCompiler = false; ///< it goes on where our version or help ends
  bool printHelp = false;
  std::string staticOption; ///< -static or its like, if any
  bool links = true;        ///< no -c, -S, -E ...
  bool compiles = false;    ///< some input is source code

  /// Ends the program with a message if an option of ours is wrong.
  static Arguments parse(const std::vector<std::string> &args);
};

/// Prints "op2c++: error: <message>" and ends the program with status 1.
[[noreturn]] void fail(const std::string &message);

void printHelp();

} // namespace op2c

#endif // OP2CXX_ARGUMENTS_H
