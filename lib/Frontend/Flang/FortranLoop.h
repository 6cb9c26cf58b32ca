//===- FortranLoop.h - A loop with the calls it is made of ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_FORTRANLOOP_H
#define OP2_FRONTEND_FLANG_FORTRANLOOP_H

#include "FortranSymbols.h"
#include "KernelSignature.h"
#include "llvm/IR/InstrTypes.h"

namespace op2::frontend {

/// One argument, with the call that makes it.
struct FortranArg {
  ArgDescription description;
  llvm::CallBase *maker = nullptr;
  FortranMaker form{};
  FortranType type;
  /// Of what is packed: values in a row, which are the first dimension of the
  /// kernel's dummy argument. 0: nothing is.
  int64_t rowLength = 0;

  llvm::Value *getData() const;
  llvm::Value *getMap() const; ///< null: direct, or of a matrix
};

/// A call of op_par_loop_<N>: kernel, set, arguments.
struct FortranLoop {
  llvm::CallBase *call = nullptr;
  LoopDescription *description = nullptr;
  /// What is called by its address when the loop runs sequentially.
  llvm::Value *procedure = nullptr;
  llvm::Function *kernel = nullptr; ///< with its body; null: not known
  ParLoop over = ParLoop::OverSet;
  std::vector<FortranArg> args;

  /// The call's operands before the first op_arg.
  static constexpr unsigned kFirst = 2;
};

/// Fills in the arguments. Returns why that cannot be done, or "".
std::string readArguments(FortranLoop &loop);

/// Reports what is wrong about the arguments themselves; false if something is.
bool checkArguments(const FortranLoop &loop, clang::DiagnosticsEngine &diags);

/// Finds the arguments that have the same dat or map by construction.
void findSameHandles(FortranLoop &loop);

/// Replaces the call, and those that make its arguments, by what Clang leaves
/// of a loop in C++: a stub, and C's functions. The loop's description is
/// complete.
void rewriteLoop(FortranLoop &loop, FileLoops &loops);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_FORTRANLOOP_H
