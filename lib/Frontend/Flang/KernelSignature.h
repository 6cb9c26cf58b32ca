//===- KernelSignature.h - Dummy arguments of Fortran kernels ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR has addresses only; what they point to stands in debug information,
// for procedures of other files, too.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_KERNELSIGNATURE_H
#define OP2_FRONTEND_FLANG_KERNELSIGNATURE_H

#include "LoopDescription.h"
#include "llvm/IR/Function.h"

namespace op2::frontend {

/// What a type string stands for.
struct FortranType {
  ElementType element = ElementType::I32;
  bool isLogical = false; ///< as wide as `element`
  bool isSoA = false;
  std::string text = "integer(4)"; ///< in small letters
};
/// "real(8)", "r8", "integer(4):soa", "logical" ..., in any case of letters.
std::optional<FortranType> parseFortranType(llvm::StringRef text);

/// Compares the arguments of a loop with the dummy arguments of its kernel, and
/// completes them by what those say: names, and the dim where the program
/// computes it. `types` and `rowLengths` (FortranArg) are the arguments'. False
/// after an error, which stands at the loop: flang knows no places of its
/// arguments.
bool checkSignature(const llvm::Function &kernel,
                    llvm::ArrayRef<FortranType> types,
                    llvm::ArrayRef<int64_t> rowLengths, LoopDescription &loop,
                    clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_KERNELSIGNATURE_H
