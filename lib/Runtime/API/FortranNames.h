//===- FortranNames.h - Names of Fortran kernels ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_FORTRANNAMES_H
#define OP2_LIB_RUNTIME_API_FORTRANNAMES_H

#include <string>

namespace op2::rt {

/// What a procedure is called in the program, for the symbol that flang or
/// gfortran gives it: _QMmodulePname, __module_MOD_name, name_, name.0.
std::string procedureName(std::string const &symbol);

/// The same for its address, by the symbols in the program's file; "(internal
/// procedure)" for one that has no symbol, as one that is called with its
/// host's variables. Lives as long as the program.
char const *kernelName(void const *code);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_FORTRANNAMES_H
