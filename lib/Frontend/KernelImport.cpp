//===- KernelImport.cpp - Kernels as MLIR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels and what they call are cloned out of the user's module, inlined
// and cleaned by a few LLVM passes, and imported. Everything else they name
// stays where it is and is found again by name when the result is linked.
//
//===----------------------------------------------------------------------===//

#include "KernelImport.h"
#include "RaisePreparation.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalValue;

/// Can the body be copied? Not if another definition might replace it, and not
/// if its blocks have addresses (computed goto): tables would still hold those
/// of the original.
static bool isCopyable(const Function &function) {
  return !function.isDeclaration() && !function.isInterposable() &&
         llvm::none_of(function, [](const llvm::BasicBlock &block) {
           return block.hasAddressTaken();
         });
}

namespace {
/// Functions to be cloned with their bodies, and everything that these name.
struct Closure {
  llvm::SetVector<Function *> functions;
  llvm::SetVector<GlobalValue *> globals;

  void addConstant(llvm::Constant *constant) {
    if (auto *global = llvm::dyn_cast<GlobalValue>(constant)) {
      globals.insert(global);
      auto *function = llvm::dyn_cast<Function>(global);
      if (function && isCopyable(*function))
        functions.insert(function);
      return;
    }
    for (llvm::Value *operand : constant->operands())
      if (auto *inner = llvm::dyn_cast<llvm::Constant>(operand))
        addConstant(inner);
  }

  void run() {
    for (unsigned i = 0; i < functions.size(); ++i) {
      Function *function = functions[i];
      for (llvm::Value *operand : function->operands())
        addConstant(llvm::cast<llvm::Constant>(operand)); // personality
      for (llvm::Instruction &inst : llvm::instructions(*function))
        for (llvm::Value *operand : inst.operands())
          if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
            addConstant(constant);
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The clone
//===----------------------------------------------------------------------===//

/// Leaves only functions, variables and debug information in the clone.
static void dropModuleLevelParts(llvm::Module &clone) {
  clone.setModuleInlineAsm("");
  for (llvm::StringRef name :
       {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
        "llvm.global_dtors", "llvm.global.annotations"})
    if (llvm::GlobalVariable *variable = clone.getNamedGlobal(name))
      variable->eraseFromParent();
  for (llvm::NamedMDNode &node :
       llvm::make_early_inc_range(clone.named_metadata()))
    if (node.getName() != "llvm.dbg.cu" &&
        node.getName() != "llvm.module.flags")
      node.eraseFromParent();
  // Lines and inlined frames are kept; variables would cost more to carry
  // along than the loops themselves.
  llvm::stripNonLineTableDebugInfo(clone);
}

static void dropUnused(llvm::Module &clone) {
  auto drop = [](auto &&values) {
    for (GlobalValue &value : llvm::make_early_inc_range(values)) {
      value.removeDeadConstantUsers();
      if (value.isDeclaration() && value.use_empty())
        value.eraseFromParent();
    }
  };
  drop(clone.functions());
  drop(clone.globals());
}

/// Makes helpers inlinable and gone afterwards.
static void prepareFunction(Function &function, bool isKernel) {
  function.setComdat(nullptr);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setLinkage(isKernel ? GlobalValue::ExternalLinkage
                               : GlobalValue::AvailableExternallyLinkage);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  if (isKernel)
    function.removeFnAttr(llvm::Attribute::NoInline);
}

static void simplify(llvm::Module &clone) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cgscc);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cgscc, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(
      passes,
      "always-inline,cgscc(inline),"
      "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),"
      "elim-avail-extern,globaldce"));
  passes.run(clone, modules);
}

std::unique_ptr<llvm::Module>
KernelImporter::cloneKernels(llvm::ArrayRef<Function *> kernels) {
  Closure closure;
  closure.functions.insert(kernels.begin(), kernels.end());
  closure.run();
  for (Function *function : closure.functions)
    exposed.expose(*function);
  for (GlobalValue *global : closure.globals)
    exposed.expose(*global);

  llvm::ValueToValueMapTy values;
  std::unique_ptr<llvm::Module> clone =
      llvm::CloneModule(source, values, [&](const GlobalValue *value) {
        const auto *function = llvm::dyn_cast<Function>(value);
        return function &&
               closure.functions.contains(const_cast<Function *>(function));
      });
  dropModuleLevelParts(*clone);
  for (Function *function : closure.functions) {
    auto *copy = llvm::cast<Function>(values[function]);
    bool isKernel = llvm::is_contained(kernels, function);
    prepareFunction(*copy, isKernel);
    if (!isKernel)
      continue;
    copy->setName(function->getName() + ".op2");
    symbols[function] = copy->getName().str();
  }
  dropUnused(*clone);
  if (forRaising)
    prepareForRaising(*clone);
  else
    simplify(*clone);
  return clone;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

mlir::OwningOpRef<mlir::ModuleOp>
op2::frontend::createModuleLike(llvm::Module &source,
                                mlir::MLIRContext *context) {
  auto module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  const llvm::DataLayout &layout = source.getDataLayout();
  module->setAttr(
      mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
      mlir::StringAttr::get(context, layout.getStringRepresentation()));
  module->setAttr(
      mlir::LLVM::LLVMDialect::getTargetTripleAttrName(),
      mlir::StringAttr::get(context, source.getTargetTriple().str()));
  module->setAttr(mlir::DLTIDialect::kDataLayoutAttrName,
                  mlir::translateDataLayout(layout, context));
  return module;
}

bool KernelImporter::importCopies(llvm::ArrayRef<Function *> kernels,
                                  mlir::ModuleOp target) {
  // A kernel that cannot be imported is declared instead: nothing to report.
  mlir::ScopedDiagnosticHandler silence(target.getContext(),
                                        [](mlir::Diagnostic &) {});
  mlir::OwningOpRef<mlir::ModuleOp> imported =
      mlir::translateLLVMIRToModule(cloneKernels(kernels), target.getContext(),
                                    /*emitExpensiveWarnings=*/false);
  if (!imported)
    return false;
  mlir::SymbolTable targetSymbols(target);
  for (mlir::Operation &op :
       llvm::make_early_inc_range(imported->getBody()->getOperations())) {
    auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op);
    if (!symbol || targetSymbols.lookup(symbol.getName()))
      continue;
    op.remove();
    targetSymbols.insert(&op);
  }
  return true;
}

void KernelImporter::declare(Function *kernel, mlir::ModuleOp target) {
  exposed.expose(*kernel);
  symbols[kernel] = kernel->getName().str();
  mlir::MLIRContext *context = target.getContext();
  mlir::OpBuilder builder(target.getBodyRegion());
  mlir::SmallVector<mlir::Type> parameters(
      kernel->arg_size(), mlir::LLVM::LLVMPointerType::get(context));
  mlir::LLVM::LLVMFuncOp::create(
      builder, builder.getUnknownLoc(), kernel->getName(),
      mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(context),
                                        parameters));
}

void KernelImporter::import(llvm::ArrayRef<Function *> kernels,
                            mlir::ModuleOp target) {
  llvm::SetVector<Function *> copied, declared;
  for (Function *kernel : kernels) {
    // A debugger wants to stop in the kernel itself.
    bool keepsItself = kernel->hasOptNone() || !isCopyable(*kernel);
    (keepsItself ? declared : copied).insert(kernel);
  }
  for (Function *kernel : declared)
    declare(kernel, target);
  if (copied.empty() || importCopies(copied.getArrayRef(), target))
    return;
  for (Function *kernel : copied)
    if (!importCopies(kernel, target))
      declare(kernel, target);
}
