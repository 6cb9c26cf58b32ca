//===- ReportPass.cpp - The page, when code is complete -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportPass.h"
#include "SourcePlace.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace op2::frontend;

/// flang's modules do not know it by themselves.
static std::string findSourceFile(const llvm::Module &module) {
  for (const llvm::DICompileUnit *unit : module.debug_compile_units())
    return getPath(*unit);
  return module.getSourceFileName();
}

namespace {
class ReportPass : public llvm::PassInfoMixin<ReportPass> {
public:
  ReportPass(std::shared_ptr<FileLoops> loops,
             std::shared_ptr<LoopReport> report, llvm::OptimizationLevel level)
      : loops(std::move(loops)), report(std::move(report)), level(level) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    report->writePage(findSourceFile(module), *loops,
                      assembleLoops(module, level));
    for (llvm::Function &function : module)
      function.removeFnAttr(kLoopAttr);
    if (loops->dropsPlaces)
      llvm::StripDebugInfo(module);
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

private:
  std::shared_ptr<FileLoops> loops;
  std::shared_ptr<LoopReport> report;
  llvm::OptimizationLevel level;
};
} // namespace

void op2::frontend::registerPage(llvm::PassBuilder &builder,
                                 std::shared_ptr<FileLoops> loops,
                                 std::shared_ptr<LoopReport> report) {
  builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager &passes,
                                              llvm::OptimizationLevel level,
                                              llvm::ThinOrFullLTOPhase) {
    passes.addPass(ReportPass(loops, report, level));
  });
}
