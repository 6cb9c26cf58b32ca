//===- KernelExceptions.h - Exceptions that kernels throw -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel throws must not leave the loop in the middle, nor a thread: it
// is kept, the elements that are left are passed over, and the loop's caller
// gets it when the loop has ended.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_KERNELEXCEPTIONS_H
#define OP2_FRONTEND_KERNELEXCEPTIONS_H

namespace llvm {
class Function;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace op2::frontend {

/// Whether an exception may leave the function. Those that its module only
/// declares may throw unless their attributes deny it.
bool mayThrow(const llvm::Function &function);

/// A function that calls `kernel` and keeps what it throws; one for each.
llvm::Function *getCatchingCall(llvm::Function &kernel);

/// Whether something was kept: then elements that have not begun are passed
/// over.
llvm::Value *createHasException(llvm::IRBuilderBase &builder);

/// Throws what was kept, if anything was.
void createRethrow(llvm::IRBuilderBase &builder);

} // namespace op2::frontend

#endif // OP2_FRONTEND_KERNELEXCEPTIONS_H
