//===- InternalKernel.h - Internal procedures as kernels --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A procedure after `contains` uses variables of the procedure around it, its
// host. flang passes it as a trampoline: code on the stack that adds the
// address of the host's frame, which holds the variables' addresses.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_INTERNALKERNEL_H
#define OP2_FRONTEND_FLANG_INTERNALKERNEL_H

#include "llvm/IR/InstrTypes.h"
#include <map>
#include <set>
#include <string>

namespace llvm {
class Function;
class IntrinsicInst;
} // namespace llvm

namespace op2::frontend {

/// The internal procedures of one module that are kernels.
class InternalKernels {
public:
  /// Whether an operand is an internal procedure that uses its host's
  /// variables.
  static bool isTrampoline(const llvm::Value &procedure);

  /// A function without a frame that does what the procedure behind a
  /// trampoline does. The variables of the main program that it uses get
  /// addresses of their own: they are saved by the standard's rules. Null, and
  /// why, if there is none.
  llvm::Function *get(const llvm::Value &trampoline, std::string &why);

  /// The procedure behind a trampoline; null if that is not clear.
  static llvm::Function *getProcedure(const llvm::Value &trampoline);

  /// Removes the trampolines that nobody calls any more: one that is left makes
  /// the program's stack executable.
  void dropTrampolines();

private:
  /// Of procedures; null where there is none.
  std::map<llvm::Function *, llvm::Function *> clones;
  std::set<llvm::IntrinsicInst *> trampolines;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_INTERNALKERNEL_H
