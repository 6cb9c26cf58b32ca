//===- HeapMemory.h - Memory that kernels allocate --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_HEAPMEMORY_H
#define OP2_FRONTEND_HEAPMEMORY_H

namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Makes local variables of what functions allocate with a size that is known,
/// and nobody else sees: temporaries of array expressions in Fortran, vectors
/// of the standard library. C++ ([expr.new]) and LLVM let compilers leave out
/// such allocations; nothing is raised with them, and devices have none.
void moveToStack(llvm::Module &kernels);

} // namespace op2::frontend

#endif // OP2_FRONTEND_HEAPMEMORY_H
