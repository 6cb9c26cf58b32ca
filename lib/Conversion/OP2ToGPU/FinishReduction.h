//===- FinishReduction.h - Kernels that finish reductions -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOGPU_FINISHREDUCTION_H
#define OP2_LIB_CONVERSION_OP2TOGPU_FINISHREDUCTION_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::op2 {

/// The kernels that combine the blocks' partial results, one for each kind of
/// reduction in a module.
class FinishKernels {
public:
  /// What a kernel depends on. An info has `share` values for each component of
  /// the value that it follows.
  struct Shape {
    Access access;
    Type type;
    SmallVector<std::pair<Type, int64_t>> infos;
  };

  explicit FinishKernels(gpu::GPUModuleOp device) : device(device) {}

  /// Launches one before `builder`'s place, for a reduction of a loop with
  /// `args` and the infos that follow it: a block of threads for each
  /// component, if there is anything to combine.
  void launch(OpBuilder &builder, DeviceReductionBeginOp reduction,
              ArrayRef<LoopArg> args, ArrayRef<DeviceReductionBeginOp> infos);

private:
  gpu::GPUFuncOp get(const Shape &shape);

  gpu::GPUModuleOp device;
  llvm::StringMap<gpu::GPUFuncOp> kernels; ///< by the name they ask for
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_FINISHREDUCTION_H
