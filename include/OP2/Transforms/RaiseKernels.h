//===- RaiseKernels.h - Imported kernels as func.func -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISEKERNELS_H
#define OP2_TRANSFORMS_RAISEKERNELS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::op2 {

/// What stands in the way of raising a kernel, and where: "calls 'printf'".
struct Obstacle {
  std::string reason;
  Location loc;
};

/// Is called for each loop with an imported kernel, before its kernel is
/// exchanged: with null if the kernel is raised.
using RaiseReport = function_ref<void(ParLoopOp, const Obstacle *)>;

/// Raises the imported kernels of a module's loops (--op2-raise-kernels). The
/// dialects that raised kernels are in must be loaded.
void raiseKernels(ModuleOp module, RaiseReport report);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISEKERNELS_H
