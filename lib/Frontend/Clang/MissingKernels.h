//===- MissingKernels.h - Headers that define missing kernels ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MISSINGKERNELS_H
#define OP2_FRONTEND_MISSINGKERNELS_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace op2::frontend {

/// From now on, where a loop names a kernel that is not declared, a note tells
/// which header next to the source or in the include path defines it. OP2's
/// translator includes such headers in what it generates only.
void noteMissingKernels(clang::CompilerInstance &compiler);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MISSINGKERNELS_H
