//===- DeviceCheck.h - Kernels that cannot run on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEVICECHECK_H
#define OP2_FRONTEND_DEVICECHECK_H

#include "LoopDescription.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace op2::frontend {

/// What keeps `kernel` from running on a GPU: something that it, or a function
/// that it calls, does after inlining. `source` is the user's module, which
/// the kernel was copied from.
std::optional<TargetProblem> findDeviceProblem(llvm::Function &kernel,
                                               const llvm::Module &source);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEVICECHECK_H
