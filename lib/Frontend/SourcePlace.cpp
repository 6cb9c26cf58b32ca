//===- SourcePlace.cpp - Source locations of instructions -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourcePlace.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

clang::SourceLocation op2::frontend::getPlace(const llvm::DILocation *place,
                                              clang::SourceManager &sources) {
  if (!place || !place->getLine())
    return {};
  llvm::SmallString<128> path(place->getFilename());
  auto file = sources.getFileManager().getOptionalFileRef(path);
  if (!file && !llvm::sys::path::is_absolute(path)) {
    path = place->getDirectory();
    llvm::sys::path::append(path, place->getFilename());
    file = sources.getFileManager().getOptionalFileRef(path);
  }
  if (!file)
    return {};
  // Of Fortran's files Clang has read none.
  return sources.translateLineCol(
      sources.getOrCreateFileID(*file, clang::SrcMgr::C_User), place->getLine(),
      std::max(1u, place->getColumn()));
}
