//===- FollowedCalls.h - Loops of several functions -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FOLLOWEDCALLS_H
#define OP2_FRONTEND_FOLLOWEDCALLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace op2::frontend {

/// The calls of functions that run loops, directly or in functions that they
/// call, whose bodies are here: pending loops may stay so into them, and beyond
/// their ends.
class FollowedCalls {
public:
  /// `callers` call loops, or what may run some, and their paths are known.
  explicit FollowedCalls(const llvm::SetVector<llvm::Function *> &callers);

  /// The functions that run loops, and that others can enter by another name.
  llvm::ArrayRef<llvm::Function *> getFunctions() const { return functions; }

  /// The function that a followed call calls; else null.
  llvm::Function *getCallee(const llvm::Instruction &inst) const;

  /// The followed calls of a function.
  llvm::ArrayRef<llvm::CallBase *>
  getCalls(const llvm::Function &function) const;

  /// Whether a function is called by others, too, or may be.
  bool hasOtherCallers(const llvm::Function &function) const;

  /// Visits what may be executed after an instruction, until `visit` answers
  /// false for a path: also in functions that followed calls call,
  /// where `copies` says that their arguments may be copied, and behind calls
  /// of the function itself. There `visit` is called for the return.
  void walk(llvm::Instruction &start,
            llvm::function_ref<bool(llvm::Instruction &)> visit,
            llvm::function_ref<bool(const llvm::CallBase &)> copies) const;

  /// The same from where a function begins.
  void walk(llvm::Function &start,
            llvm::function_ref<bool(llvm::Instruction &)> visit,
            llvm::function_ref<bool(const llvm::CallBase &)> copies) const;

  auto begin() const { return calls.begin(); }
  auto end() const { return calls.end(); }

private:
  llvm::MapVector<const llvm::Function *, std::vector<llvm::CallBase *>> calls;
  std::vector<llvm::Function *> functions;
};

/// Leaves a function to `calls`. All others get one of its name that calls it;
/// the return of that one is returned.
llvm::ReturnInst *splitFunction(llvm::Function &body,
                                llvm::ArrayRef<llvm::CallBase *> calls);

/// A function of the module's own that calls `body`; its return is returned.
llvm::ReturnInst *makeCaller(llvm::Function &body, const llvm::Twine &name);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FOLLOWEDCALLS_H
