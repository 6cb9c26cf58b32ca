//===- ModulePasses.h - LLVM's passes on one module -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MODULEPASSES_H
#define OP2_FRONTEND_MODULEPASSES_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace op2::frontend {

/// A pipeline of LLVM's, to be run once.
class ModulePasses {
public:
  ModulePasses() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(cgscc);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, cgscc, modules);
  }

  /// As `opt -passes=` has it.
  void add(llvm::StringRef pipeline) {
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  }
  template <typename PassT> void addFunctionPass(PassT pass) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  }
  void run(llvm::Module &module) { passes.run(module, modules); }

private:
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  llvm::ModulePassManager passes;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_MODULEPASSES_H
