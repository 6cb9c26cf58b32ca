//===- Command.h - Clang's command line -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_COMMAND_H
#define OP2CXX_COMMAND_H

#include "Arguments.h"

namespace op2c {

/// The folder that holds bin/op2c++ and lib/libOP2Clang.so.
std::string findPrefix();

/// Clang's path and its arguments. Ends the program with a message if the
/// plugin or clang is missing, or if the options contradict each other.
std::vector<std::string> buildCommand(const Arguments &arguments,
                                      const std::string &prefix);

} // namespace op2c

#endif // OP2CXX_COMMAND_H
