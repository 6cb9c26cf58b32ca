//===- LoopTranslator.h - From flang's LLVM IR to loops ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FLANG_LOOPTRANSLATOR_H
#define OP2_FRONTEND_FLANG_LOOPTRANSLATOR_H

#include "LoopDescription.h"
#include "llvm/IR/Module.h"

namespace op2::frontend {

/// Finds the calls of op_par_loop_<N>, describes them in `loops`, and leaves
/// them in the form that Clang's would have. `folders` have the kernels of
/// other files. Whether there were any.
bool translateLoops(llvm::Module &module, FileLoops &loops,
                    const PluginOptions &options,
                    llvm::ArrayRef<std::string> folders,
                    clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FLANG_LOOPTRANSLATOR_H
