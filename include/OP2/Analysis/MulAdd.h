//===- MulAdd.h - How often a product that is added is rounded --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_MULADD_H
#define OP2_ANALYSIS_MULADD_H

#include "llvm/ADT/APFloat.h"
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

/// Follows from the target triple, the features that a function is compiled
/// for, as hasFeature("+fma"), and the type. Source: LLVM's
/// isFMAFasterThanFMulAndFAdd of these targets.
inline MulAdd getMulAdd(const llvm::Triple &triple,
                        llvm::function_ref<bool(llvm::StringRef)> hasFeature,
                        const llvm::fltSemantics &type) {
  bool isHalf = &type == &llvm::APFloat::IEEEhalf();
  bool isUsual = &type == &llvm::APFloat::IEEEsingle() ||
                 &type == &llvm::APFloat::IEEEdouble();
  if ((!isHalf && !isUsual) || (!triple.isAArch64() && !triple.isX86()))
    return MulAdd::Unknown;
  bool isFused;
  if (isHalf)
    isFused = hasFeature(triple.isX86() ? "+avx512fp16" : "+fullfp16");
  else
    isFused = triple.isAArch64() || hasFeature("+fma") || hasFeature("+fma4") ||
              hasFeature("+avx512f");
  return isFused ? MulAdd::Fused : MulAdd::Separate;
}

} // namespace mlir::op2

#endif // OP2_ANALYSIS_MULADD_H
