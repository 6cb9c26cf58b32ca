//===- Language.h - What each driver has for itself -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2c++ and op2fc are the same but for this: Cxx.cpp is linked into one,
// Fortran.cpp into the other.
//
//===----------------------------------------------------------------------===//

#ifndef OP2CXX_LANGUAGE_H
#define OP2CXX_LANGUAGE_H

#include "Arguments.h"

namespace op2c {

struct Language {
  const char *driver;   ///< "op2c++"
  const char *compiler; ///< "clang", for people
  const char *program;  ///< what runs in the driver's place
  const char *about;    ///< the help's first lines
  const char *notes;    ///< its last ones
};
extern const Language kLanguage;

/// By the ending of a file's name, ".cpp". Headers make no program.
bool isSource(const std::string &ending);
bool isHeader(const std::string &ending);

/// The plugin and its options, `pluginArgs`, and what programs are compiled
/// with before the user's own options.
void addCompilation(std::vector<std::string> &command,
                    const Arguments &arguments,
                    const std::vector<std::string> &pluginArgs,
                    const std::string &prefix);

/// The user's options as the compiler gets them.
std::vector<std::string> getUserArguments(const Arguments &arguments);

/// Makes the compiler write nothing but what the plugin writes.
void addEmission(std::vector<std::string> &command);

/// What is linked before OP2's own libraries.
void addLanguageLibraries(std::vector<std::string> &command);

} // namespace op2c

#endif // OP2CXX_LANGUAGE_H
