//===- ModulePreparation.h - flang's modules as ours need them --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_MODULEPREPARATION_H
#define OP2_FRONTEND_FLANG_MODULEPREPARATION_H

#include "llvm/IR/Module.h"

namespace op2::frontend {

/// Debug information that the program is compiled with. There is always all of
/// it at first, for checks and messages.
enum class DebugDetail { None, Lines, Full };

/// Takes away calls for a thread's copy of a THREADPRIVATE variable that
/// nothing uses: flang has them in all procedures that see the variable.
void dropUnusedCopies(llvm::Module &module);

/// Takes type-based aliasing away, and says which features of the processor
/// functions are compiled for.
void prepareForLoops(llvm::Module &module);

/// Leaves places of code, at most: none of it gets into the object file for
/// DebugDetail::None, but messages have places.
void setDebugDetail(llvm::Module &module, DebugDetail detail);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_MODULEPREPARATION_H
