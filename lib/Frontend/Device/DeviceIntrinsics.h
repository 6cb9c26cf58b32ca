//===- DeviceIntrinsics.h - LLVM's intrinsics on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NVPTX backend stops the compiler at an intrinsic that it does not know:
// none may get there.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEVICEINTRINSICS_H
#define OP2_FRONTEND_DEVICEINTRINSICS_H

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace op2::frontend {

/// Intrinsics that stand for functions of math.h with several results or a
/// whole one (modf, frexp, sincos, lround, ldexp ...) become calls of these,
/// and so does the remainder of a division (fmod).
void callMathFunctions(llvm::Module &device);

/// Can the backend, or --op2-retarget-device-code, deal with the call?
bool hasDeviceIntrinsic(const llvm::IntrinsicInst &call);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEVICEINTRINSICS_H
