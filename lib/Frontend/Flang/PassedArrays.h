//===- PassedArrays.h - Arrays that are passed to op_arg_gbl ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_PASSEDARRAYS_H
#define OP2_FRONTEND_FLANG_PASSEDARRAYS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace op2::frontend {

/// Where flang asks at run time whether the array that `maker` takes is
/// contiguous, and else passes a copy, which it frees before the loop runs: an
/// error that begins with `place` then, in place of the copy. What is in
/// branches around the maker's call is in its block afterwards.
void requireContiguous(llvm::CallBase &maker, llvm::StringRef place);

/// Whether a function only looks at the shape of arrays, for that.
bool isContiguityCheck(const llvm::Function &function);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_PASSEDARRAYS_H
