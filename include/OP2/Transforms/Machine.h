//===- Machine.h - What passes may use of a processor -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_MACHINE_H
#define OP2_TRANSFORMS_MACHINE_H

#include "OP2/Dialect/OP2Dialect.h"

namespace mlir::op2 {

/// What loops on the host can use of a processor.
struct Processor {
  /// Size of its vector registers in bits; 0 if they hold less than four
  /// doubles.
  int64_t vectorBits = 0;
  bool gathers = false; ///< are fast
};

/// That of a processor with the features for which `has` is true, by LLVM's
/// names for them ("avx2").
Processor describeProcessor(llvm::function_ref<bool(llvm::StringRef)> has);

/// Bits of the registers that libmvec's functions take on that processor.
int64_t getVectorMathBits(const Processor &processor);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_MACHINE_H
