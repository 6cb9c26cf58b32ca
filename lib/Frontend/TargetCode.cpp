//===- TargetCode.cpp - From the op2 module to LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetCode.h"
#include "OP2/Pipelines/Pipelines.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Support/raw_ostream.h"

using namespace op2::frontend;

void op2::frontend::registerDialects(mlir::DialectRegistry &registry) {
  mlir::op2::registerOP2Dialects(registry);
  registry.insert<mlir::DLTIDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerOpenMPDialectTranslation(registry);
  mlir::registerLLVMDialectImport(registry);
}

static std::string print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  stream << '\n';
  return text;
}

namespace {
/// Takes down the module when a stage is complete, which is before the first
/// pass of the next one.
class StagePrinter : public mlir::PassInstrumentation {
public:
  StagePrinter(StageTexts &texts, Target target)
      : texts(texts), target(target) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() == "convert-op2-to-openmp" ||
        pass->getArgument() == "convert-op2-to-gpu")
      texts.plan = print(op);
    else if (pass->getArgument() == "convert-gpu-to-emulator")
      texts.gpu = print(op);
    else if (target == Target::OpenMP &&
             pass->getArgument() == "expand-strided-metadata")
      texts.openmp = print(op);
  }

private:
  StageTexts &texts;
  Target target;
};
} // namespace

/// Gives functions with a body their name for the target: a file may hold the
/// loops for several.
static void addTargetToNames(mlir::ModuleOp module, Target target) {
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (!function.isExternal() && function.getName().starts_with("__op2_run_"))
      function.setName(
          (function.getName() + "__" + getTargetName(target)).str());
}

static void buildPipeline(mlir::OpPassManager &manager, Target target,
                          const PlanOptions &plan, bool tellRuntime) {
  mlir::op2::PipelineOptions options;
  options.registerLoops = tellRuntime;
  options.blockSize = plan.blockSize;
  options.stage = plan.stage;
  options.wholeKernel = plan.wholeKernel;
  options.strategy = plan.strategy == "atomics" ? mlir::op2::Strategy::Atomics
                     : plan.strategy == "global"
                         ? mlir::op2::Strategy::Global
                         : mlir::op2::Strategy::TwoLevel;
  switch (target) {
  case Target::Seq:
    return mlir::op2::buildOP2ToSeqPipeline(manager, options);
  case Target::OpenMP:
    return mlir::op2::buildOP2ToOpenMPPipeline(manager, options);
  case Target::Emulator:
    return mlir::op2::buildOP2ToEmulatorPipeline(manager, options);
  }
}

std::unique_ptr<llvm::Module>
op2::frontend::compileForTarget(mlir::ModuleOp module, Target target,
                                const PlanOptions &plan, bool tellRuntime,
                                llvm::LLVMContext &context, StageTexts &texts) {
  if (texts.wanted)
    texts.op2 = print(module);
  addTargetToNames(module, target);

  mlir::PassManager manager(module.getContext());
  if (texts.wanted)
    manager.addInstrumentation(std::make_unique<StagePrinter>(texts, target));
  buildPipeline(manager, target, plan, tellRuntime);
  if (mlir::failed(manager.run(module)))
    return nullptr;

  std::unique_ptr<llvm::Module> result =
      mlir::translateModuleToLLVMIR(module, context, "op2");
  if (result && texts.wanted) {
    texts.llvm.clear();
    llvm::raw_string_ostream stream(texts.llvm);
    result->print(stream, nullptr);
  }
  return result;
}
