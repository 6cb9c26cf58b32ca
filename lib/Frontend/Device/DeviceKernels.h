//===- DeviceKernels.h - Kernels for GPUs from host code --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiled the kernels for the host, with the host's flags. A GPU has no
// sanitizers, profiles or debugger of ours, and calls cost it dear: whatever
// the flags, its copies are stripped of all that, inlined and optimised.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEVICEKERNELS_H
#define OP2_FRONTEND_DEVICEKERNELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace op2::frontend {

/// Removes from every function of `clone` what only the host has: debug
/// information, instrumentation, attributes of the processor. Functions other
/// than `kernels` become internal and are inlined always. Calls of printf,
/// assert and abort become the device's own.
void stripHostCode(llvm::Module &clone,
                   llvm::ArrayRef<llvm::Function *> kernels);

/// Functions that sanitizers, profiles and tracing call.
bool isInstrumentation(const llvm::Function &callee);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEVICEKERNELS_H
