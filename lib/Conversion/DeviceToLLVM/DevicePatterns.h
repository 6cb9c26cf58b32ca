//===- DevicePatterns.h - Patterns for device code ------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEPATTERNS_H
#define OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEPATTERNS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mlir::op2 {

/// Lowerings of ops that upstream lowers in a way that does not suit device
/// code: atomics, mathematics that the GPU has instructions for.
void populateDevicePatterns(const LLVMTypeConverter &converter,
                            RewritePatternSet &patterns, bool isAMD);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_DEVICETOLLVM_DEVICEPATTERNS_H
