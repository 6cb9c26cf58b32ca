//===- DescriptionFields.h - Fields of loops' descriptions ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering emits an op2rt_loop_desc for each loop. What only the frontend
// has it adds when the code is part of the user's module.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DESCRIPTIONFIELDS_H
#define OP2_FRONTEND_DESCRIPTIONFIELDS_H

#include "llvm/IR/GlobalVariable.h"

namespace op2::frontend {

/// By their numbers in op2rt_loop_desc.
enum class DescriptionField {
  Run = 9,
  Variables = 10,
  NumVariables = 11,
  Pointers = 12,
  NumPointers = 13,
  Fusions = 14,
  Site = 15
};

llvm::Constant *getDescriptionField(const llvm::GlobalVariable &description,
                                    DescriptionField field);
void setDescriptionField(llvm::GlobalVariable &description,
                         DescriptionField field, llvm::Constant *value);

/// Takes away the functions that would run loops later which never do: neither
/// are they offered to the queue, nor fused.
void dropUnusedRunFunctions(llvm::Module &module);

/// A variable of the module that holds `value`.
llvm::GlobalVariable *createConstant(llvm::Constant &value,
                                     llvm::Module &module);
/// An array of constants of one type, at least one.
llvm::GlobalVariable *createTable(llvm::ArrayRef<llvm::Constant *> entries,
                                  llvm::Module &module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DESCRIPTIONFIELDS_H
