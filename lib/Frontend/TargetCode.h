//===- TargetCode.h - From the op2 module to LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_TARGETCODE_H
#define OP2_FRONTEND_TARGETCODE_H

#include "PluginOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace op2::frontend {

/// The text of each stage, as far as it was asked for.
struct StageTexts {
  bool wanted = false;
  std::string op2, plan, openmp, gpu, llvm;
};

/// Registers the dialects and translations that kernels and loops need.
void registerDialects(mlir::DialectRegistry &registry);

/// Runs the pipeline of `target` on `module` and translates the result. Null
/// if something failed; the MLIR diagnostics say what. `tellRuntime`: emit the
/// constructor that makes the loops known to the runtime.
std::unique_ptr<llvm::Module>
compileForTarget(mlir::ModuleOp module, Target target, const PlanOptions &plan,
                 bool tellRuntime, llvm::LLVMContext &context,
                 StageTexts &texts);

} // namespace op2::frontend

#endif // OP2_FRONTEND_TARGETCODE_H
