//===- KernelFiles.h - Kernels of other files -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran's kernels stand in modules, in files of their own. Compiling such a
// file leaves the module's code, unoptimised, in `<module>-<file>.op2.bc` next
// to its .mod file, where the compilation of a loop finds it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_KERNELFILES_H
#define OP2_FRONTEND_FLANG_KERNELFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include <string>

namespace op2::frontend {

/// Writes the file of each Fortran module that `module` has code of, to
/// `folder`. Gives `module` a symbol for each body of a procedure, by which
/// loops that have a copy of it are linked with the same one only; and makes
/// variables known by name that procedures keep for themselves. Returns what
/// went wrong, or "".
std::string writeKernelFiles(llvm::Module &module, llvm::StringRef folder);

/// Brings the body of `kernel`, unless `module` has it, and those of what it
/// calls; those of a file that is not there stay declarations. `folders` are
/// searched in order. The kernel's declaration is replaced: look it up by its
/// name again. Returns why its body is not there, or "". `place`,
/// "main.F90:17": of the loop, which a linker names that finds other bodies.
std::string importKernel(llvm::Module &module, llvm::Function &kernel,
                         llvm::ArrayRef<std::string> folders,
                         const std::string &place);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_KERNELFILES_H
