//===- Passes.h - Passes that leave the op2 dialect -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_CONVERSION_PASSES_H
#define OP2_CONVERSION_PASSES_H

#include "OP2/Dialect/EnumWords.h"
#include "mlir/Pass/Pass.h"

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace mlir::op2 {

/// Names of loops' descriptions (op2rt_loop_desc) in LLVM's dialect start so.
/// Behind a point comes the name of the loop's function, if it may be delayed.
inline constexpr llvm::StringLiteral kLoopDescriptionPrefix = "__op2_loop_desc";

/// The CUDA installation with libdevice at `path`, or, if that is empty, in the
/// usual places; "" if there is none.
std::string findCudaRoot(llvm::StringRef path);

#define GEN_PASS_DECL
#include "OP2/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "OP2/Conversion/Passes.h.inc"

} // namespace mlir::op2

#endif // OP2_CONVERSION_PASSES_H
