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
#include "Utf8.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace op2::rt;

OutputFile::OutputFile(std::string ofProblem, char const *name,
                       char const *mode, bool onEachRank)
    : problem(std::move(ofProblem)), file(nullptr) {
  if (!onEachRank && !isRoot())
    return;
  file = name ? std::fopen(name, mode) : nullptr;
  if (!file)
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

OutputFile op2::rt::openOutput(char const *where, char const *name,
                               char const *mode, bool onEachRank) {
  return {std::string(where) + ": cannot write \"" + (name ? name : "(NULL)") +
              "\"",
          name, mode, onEachRank};
}

void op2::rt::fillStandardStreams() {
  for (int number = 0; number <= STDERR_FILENO; ++number)
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
      return;
}

void op2::rt::requirePrinted(char const *where) {
  if (isRoot() && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    fatal(Problem::File, "%s: cannot write to the standard output: %s", where,
          std::strerror(errno));
}

void op2::rt::requireFolder(char const *setting, std::string const &file) {
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code error;
  if (isRoot() && !folder.empty() &&
      !std::filesystem::is_directory(folder, error))
    fatal(Problem::File, "%s: cannot write %s: there is no folder %s", setting,
          file.c_str(), folder.c_str());
}

std::string op2::rt::quoteForJson(std::string const &text) {
  std::string quoted = "\"";
  for (std::size_t at = 0, size; at < text.size();
       at += std::max<std::size_t>(size, 1)) {
    char letter = text[at];
    size = measureCharacter(text, at);
    if (size != 1) {
      quoted += size ? text.substr(at, size) : "\\ufffd";
      continue;
    }
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
