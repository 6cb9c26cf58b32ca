//===- NewFile.h - A file that is written whole -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_NEWFILE_H
#define OP2_TOOLS_OP2_MESH_NEWFILE_H

#include <string>
#include <sys/stat.h>

namespace op2::mesh {

/// Has a name of its own beside the file until finish(): without it, what was
/// there stays as it was. Errors name the file.
class NewFile {
public:
  /// An Error if the file that is there cannot be written or is in use.
  explicit NewFile(std::string const &path);
  ~NewFile();
  NewFile(NewFile const &) = delete;
  NewFile &operator=(NewFile const &) = delete;

  /// What to write to.
  std::string const &name() const { return unfinished; }
  /// When all is written and closed.
  void finish();
  /// An Error with the reason that errno gives.
  [[noreturn]] void fail() const;

private:
  std::string path, unfinished, finished;
  bool isThere, isOpen = true;
  struct stat old;
};

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_NEWFILE_H
