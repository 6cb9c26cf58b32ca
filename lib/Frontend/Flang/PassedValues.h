//===- PassedValues.h - What is passed by reference -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran passes addresses: constants lie in variables that are stored to right
// before the call, text in copies of it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_PASSEDVALUES_H
#define OP2_FRONTEND_FLANG_PASSEDVALUES_H

#include "llvm/IR/InstrTypes.h"
#include <cstdint>
#include <optional>
#include <string>

namespace op2::frontend {

/// Operand `number` of a call; text comes out of a pair of address and length.
llvm::Value *getPassed(const llvm::CallBase &call, unsigned number);

/// The integer that lies where operand `number` points to. Nothing unless it is
/// the same at every call.
std::optional<int64_t> findInteger(const llvm::CallBase &call, unsigned number);

/// The text of operand `number`, whose length is the last operand, without
/// spaces at its end.
std::optional<std::string> findText(const llvm::CallBase &call,
                                    unsigned number);

/// Removes a call, and the variables that were there for its operands only.
void eraseWithOperands(llvm::CallBase &call);

/// Whether both point to the same place, whenever they do so at once.
bool isSamePlace(const llvm::Value *a, const llvm::Value *b);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_PASSEDVALUES_H
