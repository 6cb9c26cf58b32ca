//===- Passes.td - Passes from op2 to op2 -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PASSES_TD
#define OP2_TRANSFORMS_PASSES_TD

include "OP2/Transforms/LoopPasses.td"
include "OP2/Transforms/PlanPasses.td"
include "OP2/Transforms/VectorizePasses.td"

#endif // OP2_TRANSFORMS_PASSES_TD
