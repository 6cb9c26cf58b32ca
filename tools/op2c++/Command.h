//===- Command.h - The compiler's command line -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_COMMAND_H
#define OP2CXX_COMMAND_H

#include "Arguments.h"

namespace op2c {

/// The folder that holds bin with the driver and lib with the plugin.
std::string findPrefix();

/// Ends the program with a message unless the file can be read.
void requireFile(const std::string &path, const std::string &what);

/// The parts of a list of CMake's.
std::vector<std::string> splitList(const std::string &list);

/// The compiler's path and its arguments. Ends the program with a message if
/// the plugin or the compiler is missing, or if the options contradict each
/// other.
std::vector<std::string> buildCommand(const Arguments &arguments,
                                      const std::string &prefix);

} // namespace op2c

#endif // OP2CXX_COMMAND_H
