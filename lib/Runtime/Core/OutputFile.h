//===- OutputFile.h - Files that are written whole --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_OUTPUTFILE_H
#define OP2_LIB_RUNTIME_CORE_OUTPUTFILE_H

#include <cstdio>
#include <string>

namespace op2::rt {

/// A file that is written completely, or an error: `problem`, "op_x: cannot
/// write f", and why. Only the root has one, unless each rank has its own.
class OutputFile {
public:
  OutputFile(std::string problem, char const *name, char const *mode,
             bool onEachRank = false);
  ~OutputFile();
  OutputFile(OutputFile const &) = delete;
  OutputFile &operator=(OutputFile const &) = delete;
  /// NULL on ranks that have none.
  std::FILE *get() const { return file; }

private:
  void fail() const;

  std::string problem;
  std::FILE *file;
};

/// One for a call of the API, which errors begin with.
OutputFile openOutput(char const *where, char const *name, char const *mode,
                      bool onEachRank = false);

/// At op_init, on the root: an error if there is no folder for the file that a
/// setting has the program write at its end.
void requireFolder(char const *setting, std::string const &file);

/// Opens /dev/null where the program was started without a standard input,
/// output or error: no file that it opens is taken for one of these.
void fillStandardStreams();

/// An error if what the root has printed cannot be written.
void requirePrinted(char const *where);

/// In quotes, as JSON has it; bytes that are no UTF-8 become U+FFFD.
std::string quoteForJson(std::string const &text);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_OUTPUTFILE_H
