//===- MulAdd.h - How often a product that is added is rounded --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_MULADD_H
#define OP2_ANALYSIS_MULADD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace mlir::op2 {

/// What the target does with a product that is added: `llvm.fmuladd` leaves it
/// to the target.
enum class MulAdd {
  Fused,    ///< one instruction, one rounding
  Separate, ///< two
  Unknown   ///< stays open
};

/// Follows from the target triple and the features that a function is compiled
/// for; hasFeature("+fma").
inline MulAdd getMulAdd(const llvm::Triple &triple,
                        llvm::function_ref<bool(llvm::StringRef)> hasFeature) {
  if (triple.isAArch64())
    return MulAdd::Fused;
  if (!triple.isX86())
    return MulAdd::Unknown;
  bool isFused =
      hasFeature("+fma") || hasFeature("+fma4") || hasFeature("+avx512f");
  return isFused ? MulAdd::Fused : MulAdd::Separate;
}

} // namespace mlir::op2

#endif // OP2_ANALYSIS_MULADD_H
