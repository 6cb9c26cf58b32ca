//===- WidenKernel.h - Kernels on several elements at once ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_WIDENKERNEL_H
#define OP2_LIB_TRANSFORMS_WIDENKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Makes the version of `kernel`, for which findKernelObstacle has none, for
/// `width` elements at once, next to it in the module. Parameter i of type
/// memref<dim x T> becomes memref<dim x width x T>, a lane
/// buffer, unless `isUniform[i]`: all elements then share it, and
/// the kernel may only read it.
///
/// What depends on the element becomes a vector with a lane for each; what
/// does not stays as it is. Branches on lane-dependent conditions are executed
/// for all lanes, stores and what could trap under a mask.
func::FuncOp widenKernel(func::FuncOp kernel, int64_t width,
                         ArrayRef<bool> isUniform);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_WIDENKERNEL_H
