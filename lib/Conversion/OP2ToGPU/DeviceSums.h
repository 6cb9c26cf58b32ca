//===- DeviceSums.h - Exact sums on devices ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of floating-point numbers that depend on the numbers only, with the bits
// that the host's have (lib/Runtime/Execute/ExactSum.h): a fixed-point number
// of digits to which warps add integers by atomic operations, whose order does
// not matter.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOGPU_DEVICESUMS_H
#define OP2_LIB_CONVERSION_OP2TOGPU_DEVICESUMS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::op2 {

/// Adds one term of each thread, f32 or f64, to component `component` of the
/// sums of `dim` components at `sums`, a pointer from
/// op2.device_reduction_begin. All threads of a warp come here; one that has
/// nothing to add has -0.0. `block`: its number, of type index; neighbours do
/// not wait for each other.
void addTerms(OpBuilder &builder, Location loc, gpu::GPUModuleOp device,
              Value term, Value sums, Value block, Value component,
              int64_t dim);

/// The kernel that adds what the sums have to a global of `type`, rounded once,
/// and leaves zeros there: (sums: pointer, dim: index, global: pointer), a
/// block of kSumThreads threads for each component.
gpu::GPUFuncOp getFinishSum(gpu::GPUModuleOp device, FloatType type);
inline constexpr int64_t kSumThreads = 96;

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_DEVICESUMS_H
