//===- Passes.h - Passes from op2 to op2 ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PASSES_H
#define OP2_TRANSFORMS_PASSES_H

#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Transforms/NumericOption.h"
#include "mlir/Pass/Pass.h"

namespace mlir::op2 {

#define GEN_PASS_DECL
#include "OP2/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "OP2/Transforms/Passes.h.inc"

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_PASSES_H
