//===- ModuleAnnotations.h - OP2's functions in LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MODULEANNOTATIONS_H
#define OP2_FRONTEND_MODULEANNOTATIONS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace op2::frontend {

/// The characters of a string literal that `value` is the address of; none if
/// it is something else.
llvm::StringRef getConstantText(const llvm::Value &value);

/// The sequential loops of a module: what its calls of op_par_loop reach unless
/// they have been redirected.
std::vector<llvm::Function *> findTemplates(llvm::Module &module);

/// Removes the annotations by which we found OP2's functions: the list of them
/// keeps every function alive that it names.
void dropAnnotations(llvm::Module &module);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MODULEANNOTATIONS_H
