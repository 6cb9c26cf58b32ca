//===- SharedWrites.h - What elements share, and a kernel writes -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_SHAREDWRITES_H
#define OP2_FRONTEND_SHAREDWRITES_H

#include "LoopDescription.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace op2::frontend {

/// A kernel's write to a variable of the program, or to where pointers in one
/// lead, without being atomic.
struct SharedWrite {
  /// Null: the state of the function `passedTo`.
  const llvm::GlobalVariable *variable;
  const llvm::Instruction *where;
  bool isBehindPointer;
  /// A function out of sight that gets it, and may write it.
  const llvm::Function *passedTo = nullptr;
};

/// The first write to each variable, but thread-local ones, and without those
/// behind locks and those to places that a thread's number chooses. Statics of
/// functions that are set when they are first met are among them if they are
/// set to what an element has: which one that is differs from run to run.
/// So are those that a function out of sight may write.
std::vector<SharedWrite>
findSharedWrites(const llvm::Function &kernel,
                 llvm::ArrayRef<ArgDescription> args,
                 const CFunctionParameters &writtenByC);

} // namespace op2::frontend

#endif // OP2_FRONTEND_SHAREDWRITES_H
