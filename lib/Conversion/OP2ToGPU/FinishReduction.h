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
#include "llvm/ADT/DenseMap.h"

namespace mlir::op2 {

/// The kernels that combine the blocks' partial results, one for each access
/// and type that a module reduces with.
class FinishKernels {
public:
  explicit FinishKernels(gpu::GPUModuleOp device) : device(device) {}

  /// Launches one before `builder`'s place, for the reduction of `arg`: a block
  /// of threads for each component, if there is anything to combine.
  void launch(OpBuilder &builder, DeviceReductionBeginOp reduction,
              const LoopArg &arg);

private:
  gpu::GPUFuncOp get(Access access, Type type);

  gpu::GPUModuleOp device;
  DenseMap<std::pair<int, Type>, gpu::GPUFuncOp> kernels;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_FINISHREDUCTION_H
