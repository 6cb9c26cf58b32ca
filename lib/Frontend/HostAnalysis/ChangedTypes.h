//===- ChangedTypes.h - Type-based aliasing of loops ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CHANGEDTYPES_H
#define OP2_FRONTEND_CHANGEDTYPES_H

#include "LoopDescription.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class MDOperand;
} // namespace llvm

namespace op2::frontend {

/// The types of what `loop` changes: those it declares, and those that its
/// kernel stores, with everything inlined that can be. Any, if one of them is
/// not visible (unions, memcpy, characters, code without types).
ChangedTypes findChangedTypes(const LoopDescription &loop,
                              const llvm::Function &kernel);

/// The types of what loops change that may be pending where a file calls
/// another one, which knows nothing else of them.
const ChangedTypes &getTypesOfOtherFiles();

/// Whether a loop changes values of these types only.
bool changesOnly(const ChangedTypes &changed, const ChangedTypes &types);

/// The name in a type's node; empty if there is none.
llvm::StringRef getTypeName(const llvm::MDOperand &operand);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CHANGEDTYPES_H
