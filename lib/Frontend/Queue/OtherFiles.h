//===- OtherFiles.h - Loops that are pending across files -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file knows nothing of the loops that are pending where a function of
// another file calls its functions, or that are where those of another file
// return, but this: they store numbers of a few types, and none of their
// results is where it could look. See docs/design/queue.md.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_OTHERFILES_H
#define OP2_FRONTEND_OTHERFILES_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace op2::frontend {

/// What a module shares with other files.
struct OtherFiles {
  /// Calls of functions that may be defined in one that op2c++ compiles.
  llvm::SetVector<llvm::CallBase *> calls;
  /// Functions that run loops, and that others may call.
  llvm::SetVector<llvm::Function *> entries;

  bool isCall(const llvm::Instruction &inst) const;
  bool isEntry(const llvm::Function &function) const;
};

/// The calls of functions that headers of the program declare and that are not
/// defined here; with their paths known, and not in what loops run.
llvm::SetVector<llvm::CallBase *>
findOutgoingCalls(llvm::Module &module, llvm::ArrayRef<CallSite> sites,
                  const FileLoops &loops);

/// Those of `functions` that headers of the program declare.
llvm::SetVector<llvm::Function *>
findEntries(llvm::ArrayRef<llvm::Function *> functions, const FileLoops &loops);

/// Whether the loop of `site` may be pending where a file calls another one or
/// returns to it. `results` are what its results lie in.
bool mayBePendingElsewhere(const CallSite &site,
                           llvm::ArrayRef<const llvm::Value *> results);

/// Makes a call enter the function with what is pending, if its file can deal
/// with that. Returns the call that is left for all others, before which what
/// is pending must have run.
llvm::CallBase &enterOtherFile(llvm::CallBase &call);

/// Tells other files that instead of `named` they may enter `entry`.
void letOthersEnter(llvm::Function &named, llvm::Function &entry);

} // namespace op2::frontend

#endif // OP2_FRONTEND_OTHERFILES_H
