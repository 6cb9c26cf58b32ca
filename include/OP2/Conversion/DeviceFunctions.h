//===- DeviceFunctions.h - Functions of the C library for GPUs --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_CONVERSION_DEVICEFUNCTIONS_H
#define OP2_CONVERSION_DEVICEFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::op2 {

/// A function of the C library's mathematics (sqrt, powf, ...) that
/// --op2-retarget-device-code replaces by an instruction or libdevice's.
bool hasDeviceMath(llvm::StringRef name);

/// A function that the CUDA driver brings: vprintf and __assertfail.
bool isDriverFunction(llvm::StringRef name);

} // namespace mlir::op2

#endif // OP2_CONVERSION_DEVICEFUNCTIONS_H
