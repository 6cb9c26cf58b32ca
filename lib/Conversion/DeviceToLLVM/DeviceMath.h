//===- DeviceMath.h - The C library's mathematics on a GPU ---- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEMATH_H
#define OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::op2 {

/// Calls of the C library's mathematics and LLVM's intrinsics that the backend
/// cannot select become intrinsics that it can, or calls of libdevice; for
/// AMD's chips, whose library is not used, those of the C library's functions
/// stay.
void mapDeviceMath(gpu::GPUModuleOp device, bool isAMD);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEMATH_H
