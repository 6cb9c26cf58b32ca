//===- OutputFile.cpp - Files that are written whole ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "Error.h"
#include "Job.h"
#include "OP2/Runtime/op2rt.h"

#include <cerrno>
#include <cstring>

using namespace op2::rt;

OutputFile::OutputFile(std::string ofProblem, char const *name,
                       char const *mode)
    : problem(std::move(ofProblem)),
      file(name && isRoot() ? std::fopen(name, mode) : nullptr) {
  if (!file && isRoot())
    fail();
}

OutputFile::~OutputFile() {
  if (!file)
    return;
  bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed)
    fail();
}

void OutputFile::fail() const {
  fatal(Problem::File, "%s: %s", problem.c_str(), std::strerror(errno));
}

std::string op2::rt::quoteForJson(std::string const &text) {
  std::string quoted = "\"";
  for (char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", letter);
      quoted += code;
      continue;
    }
    if (letter == '"' || letter == '\\')
      quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}
