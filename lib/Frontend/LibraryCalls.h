//===- LibraryCalls.h - What known functions do with memory -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LIBRARYCALLS_H
#define OP2_FRONTEND_LIBRARYCALLS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Gives declarations of the C interface to BLAS the attributes that say what
/// its routines do: they read and write the arrays that they are given, and
/// nothing else that a program can see. A program that defines functions of
/// these names itself has their bodies, which say it.
void describeBLAS(llvm::Module &module);

/// Whether it is such a declaration.
bool isBLAS(const llvm::Function &function);

/// What a function of OP2's does, if no dats or globals are involved.
enum class HostService {
  None,
  Clock, ///< stores eight bytes for each of its pointers, or less
  Print, ///< looks at what its pointers point to
  Query, ///< looks at records of the runtime that no loop changes
};
HostService getHostService(const llvm::Function &function);

} // namespace op2::frontend

#endif // OP2_FRONTEND_LIBRARYCALLS_H
