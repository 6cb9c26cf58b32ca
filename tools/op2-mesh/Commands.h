//===- Commands.h - The commands of op2-mesh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_COMMANDS_H
#define OP2_TOOLS_OP2_MESH_COMMANDS_H

#include "Draw/Mesh.h"

namespace op2::mesh {

/// A command line that cannot be understood: exit status 2.
class UsageError : public Error {
public:
  using Error::Error;
};

/// The arguments behind the command's name. Options are --name=value, in any
/// place; -o FILE stands for --output=FILE. Each access takes one away.
class CommandLine {
public:
  explicit CommandLine(std::vector<std::string> words);

  /// The value of --name=..., or `otherwise`.
  std::string option(std::string const &name, std::string const &otherwise);
  /// One of `choices`, separated by '|'.
  std::string choice(std::string const &name, std::string const &otherwise,
                     std::string const &choices);
  /// In low ... high.
  int64_t number(std::string const &name, int64_t otherwise, int64_t low,
                 int64_t high);
  /// The value of --name=A,B,...; empty if it is not there.
  std::vector<std::string> list(std::string const &name);
  /// Are there more that are no options?
  bool hasArgument() const;
  /// The next argument that is no option. `what` names it in messages.
  std::string argument(std::string const &what);
  int64_t numericArgument(std::string const &what, int64_t low, int64_t high);
  /// -o FILE, which must be there.
  std::string output();
  /// To be called when all is taken: an error if something is left.
  void finish() const;

private:
  std::vector<std::string> words;
};

/// Each returns the exit status: 0, or 1 if `info` found faults.
int runInfo(CommandLine &line);
int runDraw(CommandLine &line);
int runGenerate(CommandLine &line);
int runShuffle(CommandLine &line);
int runConvert(CommandLine &line);
int runXdmf(CommandLine &line);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_COMMANDS_H
