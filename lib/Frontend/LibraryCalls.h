//===- LibraryCalls.h - What known functions do with memory -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LIBRARYCALLS_H
#define OP2_FRONTEND_LIBRARYCALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Gives declarations of the C interface to BLAS the attributes that say what
/// its routines do: they read and write the arrays that they are given, and
/// nothing else that a program can see. A program that defines functions of
/// these names itself has their bodies, which say it.
void describeBLAS(llvm::Module &module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_LIBRARYCALLS_H
