//===- UsualForms.h - Kernels without their rare paths ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some paths of a kernel never return: they throw, or end the program, as
// `assert` and Fortran's `stop` do. Others print something. Elements side by
// side in a vector go through the kernel's usual form, which lacks them, after
// another form has found that none of them takes such a path.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_USUALFORMS_H
#define OP2_FRONTEND_USUALFORMS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace op2::frontend {

/// Adds the two forms (getUsualName, getCheckName) of each copy of a
/// kernel in `clone` that has such paths: one without them, and one that does
/// what the kernel does, up to where a path begins, and returns whether it came
/// there.
void addUsualForms(llvm::Module &clone);

/// Whether it is the latter of these.
bool isCheck(const llvm::Function &function);

} // namespace op2::frontend

#endif // OP2_FRONTEND_USUALFORMS_H
