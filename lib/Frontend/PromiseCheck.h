//===- PromiseCheck.h - What is asked when the program runs -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fused and split loops are compiled for handles that are different data. The
// compiler cannot know; the runtime does.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_PROMISECHECK_H
#define OP2_FRONTEND_PROMISECHECK_H

#include "CallSite.h"
#include "HostAnalysis/KernelVariables.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace op2::frontend {

/// The arity that a map has which fits the slots used of it in a loop, for the
/// map of argument `arg`; 0 if the argument has none. Chunk functions for
/// elements in groups are made for that one.
int32_t getExpectedArity(const LoopDescription &loop, unsigned arg);

/// Asks whether code may run that was compiled for `loop` with what is not
/// known to be the same being different memory (op2rt_may_fuse). `opArgs[i]` is
/// the op_arg of argument i, `arities[i]` what its map was taken to have;
/// `variables` are what the kernels use by name; `isExact`: both ways give the
/// same bits, so that speed may decide. Yields an i1; `function` is the one
/// that `builder` is in.
llvm::Value *createPromiseCheck(llvm::IRBuilder<> &builder,
                                const LoopDescription &loop, llvm::Value *set,
                                llvm::ArrayRef<llvm::Value *> opArgs,
                                llvm::ArrayRef<int32_t> arities,
                                const VariableSet &variables, bool isExact,
                                const OpArgLayout &layout);

} // namespace op2::frontend

#endif // OP2_FRONTEND_PROMISECHECK_H
