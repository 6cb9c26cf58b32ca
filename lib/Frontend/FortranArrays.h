//===- FortranArrays.h - Array functions of flang's library -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FORTRANARRAYS_H
#define OP2_FRONTEND_FORTRANARRAYS_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Puts operations in the place of calls of flang's library for small arrays of
/// a shape that is known, with the same results: norm2, and assignments of
/// sections that overlap. Kernels have been inlined and simplified.
void expandArrayCalls(llvm::Module &kernels);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FORTRANARRAYS_H
