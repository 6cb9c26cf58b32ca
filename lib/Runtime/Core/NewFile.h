//===- NewFile.h - A file that is written whole -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_NEWFILE_H
#define OP2_LIB_RUNTIME_CORE_NEWFILE_H

#include <string>
#include <sys/stat.h>

namespace op2::rt {

/// Has a name of its own beside the file until finish(): without it, what was
/// there stays as it was. What returns false has an errno that says why.
class NewFile {
public:
  NewFile() = default;
  ~NewFile() { discard(); }
  NewFile(NewFile const &) = delete;
  NewFile &operator=(NewFile const &) = delete;

  /// False if the file that is there cannot be written, or none can be made.
  bool begin(std::string const &path);
  /// What to write to; empty before begin() and in the end.
  std::string const &name() const { return unfinished; }
  /// When all is written and closed.
  bool finish();
  /// Nothing is left of it.
  void discard();

private:
  std::string unfinished, finished;
  bool isThere = false;
  struct stat old = {};
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_NEWFILE_H
