//===- ColumnKernel.h - Kernels of columns of layers ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_COLUMNKERNEL_H
#define OP2_FRONTEND_COLUMNKERNEL_H

#include "CallSite.h"

namespace op2::frontend {

/// Makes, in the module of the kernel, the kernel of a column: a loop over
/// layers around it. Its parameters are those of
/// LoopDescription::runOverColumns, which has not been called yet.
llvm::Function *createColumnKernel(const CallSite &site);

/// Does the kernel of a column add sums to the rows of an argument itself,
/// level by level? Not where something else changes the dat, or adds to other
/// levels: then the order of the arguments counts (S4).
bool addsInPlace(const LoopDescription &loop, unsigned argument);

/// What is too much of an argument with levels.
struct LayerExcess {
  bool isLevels; ///< that a layer adds to; else values that it takes
  int64_t count, most;
};
std::optional<LayerExcess> findLayerExcess(const ArgDescription &arg);

} // namespace op2::frontend

#endif // OP2_FRONTEND_COLUMNKERNEL_H
