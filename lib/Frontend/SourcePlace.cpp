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

std::string op2::frontend::getPath(const llvm::DIScope &scope) {
  llvm::StringRef name = scope.getFilename();
  if (llvm::sys::path::is_absolute(name))
    return name.str();
  llvm::SmallString<128> path(scope.getDirectory());
  llvm::sys::path::append(path, name);
  return path.str().str();
}

clang::SourceLocation op2::frontend::getPlace(const llvm::DILocation *place,
                                              clang::SourceManager &sources) {
  if (!place)
    return {};
  const llvm::DIScope *scope = place->getScope();
  unsigned line = place->getLine(), column = std::max(1u, place->getColumn());
  // flang does not say where included text is: then where the procedure is.
  if (const llvm::DISubprogram *function = place->getScope()->getSubprogram();
      !line && function) {
    scope = function;
    line = function->getLine();
  }
  auto file = sources.getFileManager().getOptionalFileRef(scope->getFilename());
  if (!file)
    file = sources.getFileManager().getOptionalFileRef(getPath(*scope));
  if (!file || !line)
    return {};
  // Of Fortran's files Clang has read none.
  return sources.translateLineCol(
      sources.getOrCreateFileID(*file, clang::SrcMgr::C_User), line, column);
}
