//===- KernelVariables.h - Global variables that kernels read ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_KERNELVARIABLES_H
#define OP2_FRONTEND_KERNELVARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalVariable.h"

namespace llvm {
class LoadInst;
} // namespace llvm

namespace op2::frontend {

using VariableSet = llvm::SetVector<const llvm::GlobalVariable *>;

/// The variables of the program that kernels use by their names, of those that
/// may change. Storage of dats may be among them (OP_NO_REALLOC).
VariableSet findVariables(llvm::ArrayRef<const llvm::Function *> kernels);

/// A variable of the program, of those that may change, that `place` may lie
/// in; null if there is none.
const llvm::GlobalVariable *findVariable(const llvm::Value *place);

/// Whether each thread has one of its own: by the linker, or by OpenMP's
/// library (THREADPRIVATE of flang).
bool isOfThread(const llvm::GlobalVariable &variable);

/// One that a kernel uses, or a function of the file that it may call through a
/// pointer; null if there is none.
const llvm::GlobalVariable *findThreadLocal(const llvm::Function &kernel);

/// The variable of the program, of those that may change, that a load gets a
/// pointer from: by its name, or from a copy in local memory; null if there is
/// none.
const llvm::GlobalVariable *findPointerVariable(const llvm::LoadInst &load);

/// Whether a pointer that is loaded may be anybody's: what it is loaded from is
/// reached by another pointer, or local memory gets it from elsewhere.
bool isFromElsewhere(const llvm::LoadInst &load);

/// Whether a kernel may know the addresses of other memory than its arguments
/// and these variables: it reads pointers in variables, or calls functions
/// whose body is not there.
bool mayReadAnything(const llvm::Function &kernel);

/// How many bytes there may be at a variable: OP2RT_UNKNOWN_BYTES if only its
/// definition has the size.
int64_t getExtent(const llvm::GlobalVariable &variable);

/// Whether one of `results`, as LocalVariables finds them, might be in one of
/// `variables`.
bool mayLieIn(llvm::ArrayRef<const llvm::Value *> results,
              const VariableSet &variables);

} // namespace op2::frontend

#endif // OP2_FRONTEND_KERNELVARIABLES_H
