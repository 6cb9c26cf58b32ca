//===- VectorizerGuard.h - Loops that LLVM does not vectorize ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_VECTORIZERGUARD_H
#define OP2_FRONTEND_VECTORIZERGUARD_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace op2::frontend {

/// Keeps LLVM's loop vectorizer from loops with a long computation that is the
/// same in all iterations, but cannot leave the loop, as what it reads may
/// change: the vectorizer takes time that is exponential in its length (LLVM
/// 22.1, vputils::isSingleScalar). Kernels are inlined into loops over elements
/// unrolled, and many read globals. And from loops with integers of more than
/// 64 bits: LLVM shifts vectors of them wrongly.
void registerVectorizerGuard(llvm::PassBuilder &builder);

} // namespace op2::frontend

#endif // OP2_FRONTEND_VECTORIZERGUARD_H
