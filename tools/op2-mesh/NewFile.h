//===- NewFile.h - A file that is written whole -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_NEWFILE_H
#define OP2_TOOLS_OP2_MESH_NEWFILE_H

#include "Core/NewFile.h"

namespace op2::mesh {

/// The runtime's, with Errors that name the file.
class NewFile {
public:
  /// An Error if the file that is there cannot be written or is in use.
  explicit NewFile(std::string const &path);

  std::string const &name() const { return file.name(); }
  void finish();
  /// An Error with the reason that errno gives.
  [[noreturn]] void fail() const;

private:
  std::string path;
  rt::NewFile file;
};

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_NEWFILE_H
