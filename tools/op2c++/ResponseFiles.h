//===- ResponseFiles.h - Arguments in files -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_RESPONSEFILES_H
#define OP2CXX_RESPONSEFILES_H

#include <string>
#include <vector>

namespace op2c {

/// The command line with the arguments of files in place of "@file", as GCC and
/// Clang read them: divided by blanks, with quotes, and \ before any character.
/// What names no file that can be read stays.
std::vector<std::string>
expandResponseFiles(const std::vector<std::string> &args);

/// A file in memory that this process leaves to what runs in its place, with
/// these arguments: its name with @, or "" if there is none.
std::string makeResponseFile(std::vector<std::string>::const_iterator begin,
                             std::vector<std::string>::const_iterator end);

} // namespace op2c

#endif // OP2CXX_RESPONSEFILES_H
