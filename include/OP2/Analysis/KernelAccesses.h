//===- KernelAccesses.h - Accesses of kernels to their rows -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that certainly do something else than their loops declare. What is
// not certain is the promise of who wrote the loop (S3 in docs/spec.md), which
// OP2_CHECK looks at when the program runs.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_KERNELACCESSES_H
#define OP2_ANALYSIS_KERNELACCESSES_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir::op2 {

/// An operation that breaks a declaration, and what it does: "reads before it
/// writes", to go before the name of the parameter.
struct AccessProblem {
  Operation *op;
  StringRef what;
};

/// What a func.func kernel does with `row`, one of its parameters, apart from
/// adding to it (access `inc`): stores what does not depend on it, or computes
/// with its value. Nothing if it is not certain.
std::optional<AccessProblem> findIncrementProblem(BlockArgument row);

/// Stores in `row`, whatever happens, what does not depend on it, and chooses
/// nothing by its value (access `min` or `max`).
std::optional<AccessProblem> findMinMaxProblem(BlockArgument row);

/// Reads `row` before anything is written to it (access `write`).
std::optional<AccessProblem> findWriteProblem(BlockArgument row);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_KERNELACCESSES_H
