//===- KernelWrites.h - Kernels that write what they may only read -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_KERNELWRITES_H
#define OP2_FRONTEND_KERNELWRITES_H

#include "ParsedLoop.h"

namespace op2::frontend {

/// Reports the first write of the kernel to each argument that the loop
/// declares OP_READ: stores through the parameter, or through local pointers
/// and references made from it. Writes in functions that the kernel calls are
/// not seen. Needs the kernel's body. Returns false if it found one.
bool checkKernelWrites(const ParsedLoop &loop, clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_KERNELWRITES_H
