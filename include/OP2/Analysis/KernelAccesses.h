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
#include <set>
#include <string>
#include <tuple>

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

/// Where a pointer lies that a kernel follows: in a variable of the program, so
/// many bytes from its beginning.
struct FollowedPointer {
  std::string symbol;
  int64_t offset;

  bool operator<(const FollowedPointer &other) const {
    return std::tie(symbol, offset) < std::tie(other.symbol, other.offset);
  }
};

/// Those that a kernel follows: what they lead to may be the storage of any
/// dat. Nothing if it has some from elsewhere.
using FollowedPointers = std::optional<std::set<FollowedPointer>>;
FollowedPointers findFollowedPointers(func::FuncOp kernel);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_KERNELACCESSES_H
