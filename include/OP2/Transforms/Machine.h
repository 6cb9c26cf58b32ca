//===- Machine.h - The processor that a module is compiled for --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_MACHINE_H
#define OP2_TRANSFORMS_MACHINE_H

#include "OP2/Dialect/OP2Dialect.h"

namespace mlir::op2 {

/// Whether loads from as many addresses as a register has lanes are fast on a
/// processor with the features of LLVM that `has` knows.
bool hasFastGathers(llvm::function_ref<bool(llvm::StringRef)> has);

/// What passes may use of a processor with the features for which `has` is
/// true, by LLVM's names for them ("avx2").
MachineAttr describeProcessor(MLIRContext *context,
                              llvm::function_ref<bool(llvm::StringRef)> has);

/// What options give in place of what a machine has.
struct MachineRequest {
  int64_t vectorBits = -1;                  ///< -1: what there is
  bool gathers = false;                     ///< are fast in any case
  bool vectorMath = false;                  ///< call libmvec
  llvm::SmallVector<llvm::StringRef> chips; ///< empty: those there are
};
MachineAttr applyRequest(MachineAttr machine, const MachineRequest &request);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_MACHINE_H
