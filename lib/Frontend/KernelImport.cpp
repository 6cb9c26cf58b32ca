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
#include "Device/DeviceCheck.h"
#include "Device/DeviceIntrinsics.h"
#include "Device/DeviceKernels.h"
#include "FortranArrays.h"
#include "HeapMemory.h"
#include "IntrinsicExpansion.h"
#include "ModulePasses.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "RaisePreparation.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalValue;

/// Why a body cannot be copied, as a predicate; null if it can. Tables would
/// still hold addresses of the original's blocks (computed goto).
static const char *whyNotCopyable(const Function &function) {
  if (function.isDeclaration())
    return "has no body here";
  if (function.isInterposable())
    return "is weak: another definition may take its place";
  if (llvm::any_of(function, [](const llvm::BasicBlock &block) {
        return block.hasAddressTaken();
      }))
    return "takes the addresses of labels";
  return nullptr;
}

/// Why a body that can be copied could not be imported.
static const char *whyNotImported(const Function &function) {
  return function.hasFnAttribute(llvm::Attribute::StrictFP)
             ? "observes exceptions or rounding of floating-point numbers "
               "(-ftrapping-math, -frounding-math, FENV_ACCESS)"
             : "has code that MLIR does not know";
}

namespace {
/// Functions to be cloned with their bodies, and everything that these name.
struct Closure {
  /// Take constant variables with their values.
  bool copiesConstants = false;
  llvm::SetVector<Function *> functions;
  llvm::SetVector<GlobalValue *> globals;

  bool isCopied(const GlobalValue *value) const {
    if (const auto *function = llvm::dyn_cast<Function>(value))
      return functions.contains(const_cast<Function *>(function));
    // Not the others: tables of labels belong to code that is not copied.
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
    return copiesConstants && variable && variable->isConstant() &&
           variable->hasDefinitiveInitializer() &&
           globals.contains(const_cast<GlobalValue *>(value));
  }

  void addConstant(llvm::Constant *constant) {
    if (auto *global = llvm::dyn_cast<GlobalValue>(constant)) {
      if (globals.insert(global) && isCopied(global))
        for (llvm::Value *operand : global->operands())
          addConstant(llvm::cast<llvm::Constant>(operand));
      auto *function = llvm::dyn_cast<Function>(global);
      if (function && !whyNotCopyable(*function))
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

/// A function whose code is chosen when the program starts is one of another
/// module for whoever calls it.
static void declareChosen(llvm::GlobalIFunc &chosen) {
  Function *function =
      Function::Create(llvm::cast<llvm::FunctionType>(chosen.getValueType()),
                       GlobalValue::ExternalLinkage, chosen.getAddressSpace(),
                       "", chosen.getParent());
  function->takeName(&chosen);
  chosen.replaceAllUsesWith(function);
  chosen.eraseFromParent();
}

/// What keeps variables for debuggers (-Og).
static void dropFakeUses(llvm::Module &clone) {
  for (Function &function : clone)
    for (llvm::Instruction &inst :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == llvm::Intrinsic::fake_use)
        inst.eraseFromParent();
}

/// Leaves only functions, variables and debug information in the clone.
static void dropModuleLevelParts(llvm::Module &clone) {
  clone.setModuleInlineAsm("");
  for (llvm::GlobalIFunc &chosen : llvm::make_early_inc_range(clone.ifuncs()))
    declareChosen(chosen);
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

/// Makes helpers inlinable and gone afterwards. Inlining is not a matter of
/// costs here: of what stays a call nothing is known, and nothing is raised.
static void prepareFunction(Function &function, bool isKernel) {
  if (!isKernel && function.hasExactDefinition())
    function.addFnAttr(kExactAttr);
  function.setComdat(nullptr);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setLinkage(isKernel ? GlobalValue::ExternalLinkage
                               : GlobalValue::AvailableExternallyLinkage);
  // Without optimisation every function is noinline; else the user wants it.
  if (isKernel || function.hasOptNone())
    function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.removeFnAttr(kCalledAttr);
  // Minima and maxima begin as infinities, which -ffast-math rules out.
  function.removeFnAttr("no-infs-fp-math");
  for (llvm::Instruction &inst : llvm::instructions(function))
    if (llvm::isa<llvm::FPMathOperator>(inst))
      inst.setHasNoInfs(false);
  if (!isKernel && !function.hasFnAttribute(llvm::Attribute::NoInline))
    function.addFnAttr(llvm::Attribute::AlwaysInline);
}

/// For the host: what is called still is there to be looked at.
static constexpr char kHostPasses[] =
    "always-inline,cgscc(inline),function(sroa,simplifycfg),globaldce";

/// Calls that stay go to the functions where they are.
static constexpr char kDropCalledPasses[] = "elim-avail-extern,globaldce";

/// For a GPU: there are no handlers of exceptions; what is thrown is found
/// later.
static constexpr char kGPUPasses[] =
    "function(lower-invoke,simplifycfg),always-inline,"
    "function(sroa,early-cse<memssa>,dse,sroa,simplifycfg,"
    "instcombine<no-verify-fixpoint>),"
    "globaldce";

static void simplify(llvm::Module &clone, const char *pipeline) {
  ModulePasses passes;
  passes.add(pipeline);
  passes.run(clone);
}

std::unique_ptr<llvm::Module>
KernelImporter::cloneKernels(llvm::ArrayRef<Function *> kernels) {
  Closure closure;
  closure.copiesConstants = form.isForDevice;
  closure.functions.insert(kernels.begin(), kernels.end());
  closure.run();
  for (Function *function : closure.functions)
    exposed.expose(*function);
  for (GlobalValue *global : closure.globals)
    exposed.expose(*global);

  llvm::ValueToValueMapTy values;
  std::unique_ptr<llvm::Module> clone =
      llvm::CloneModule(source, values, [&](const GlobalValue *value) {
        return closure.isCopied(value);
      });
  dropModuleLevelParts(*clone);
  std::vector<Function *> copies;
  for (Function *function : closure.functions) {
    auto *copy = llvm::cast<Function>(values[function]);
    bool isKernel = llvm::is_contained(kernels, function);
    prepareFunction(*copy, isKernel);
    if (!isKernel)
      continue;
    copy->setName(function->getName() + mlir::op2::kKernelSuffix);
    symbols[function] = copy->getName().str();
    copies.push_back(copy);
  }
  if (!form.isForDevice)
    callForPairs(*clone);
  if (form.isForDevice || form.isToBeRaised) {
    expandIntrinsics(*clone);
    dropFakeUses(*clone);
  }
  for (Function &function : *clone)
    keepOwnFunctions(function);
  if (form.isForDevice)
    stripHostCode(*clone, copies);
  dropUnused(*clone);
  if (form.isForDevice) {
    simplify(*clone, kGPUPasses);
    expandArrayCalls(*clone);
    moveToStack(*clone);
    callMathFunctions(*clone);
    dropUnfit(*clone, kernels);
  } else if (!form.isToBeRaised) {
    simplify(*clone, kHostPasses);
  }
  if (form.isToBeRaised)
    prepareForRaising(*clone, form.isForDevice);
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

bool op2::frontend::hasDebugInfo(const llvm::Module &module) {
  return llvm::any_of(module.debug_compile_units(), [](auto *unit) {
    return unit->getEmissionKind() != llvm::DICompileUnit::NoDebug;
  });
}

/// Takes away where local variables begin and end to live. MLIR merges equal
/// blocks whose variables differ, as those of a helper that is inlined in both
/// branches, into one whose variable is an argument: that has no lifetime.
static void dropLifetimes(llvm::Module &module) {
  for (Function &function : module)
    for (llvm::Instruction &inst :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (inst.isLifetimeStartOrEnd())
        inst.eraseFromParent();
}

/// Leaves of places file and line: without scopes, which are debug information
/// of the host, nothing of them gets into device code.
static void dropScopes(mlir::Operation *op) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](mlir::FusedLoc location) -> mlir::Attribute {
    return location.getLocations().front();
  });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}

bool KernelImporter::importCopies(llvm::ArrayRef<Function *> kernels,
                                  mlir::ModuleOp target) {
  // A kernel that cannot be imported is declared instead: nothing to report.
  mlir::ScopedDiagnosticHandler silence(target.getContext(),
                                        [](mlir::Diagnostic &) {});
  std::unique_ptr<llvm::Module> clone = cloneKernels(kernels);
  if (!form.isForDevice && !form.isToBeRaised)
    simplify(*clone, kDropCalledPasses);
  // Remarks on raising tell places; machine code must not.
  if (!form.isForDevice && !form.isToBeRaised && !hasDebugInfo(source))
    llvm::StripDebugInfo(*clone);
  dropLifetimes(*clone);
  expandWideSwitches(*clone);
  mlir::OwningOpRef<mlir::ModuleOp> imported =
      mlir::translateLLVMIRToModule(std::move(clone), target.getContext(),
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
    if (form.isForDevice)
      dropScopes(&op);
    // Only the loops name it: what they do not need can go.
    symbol.setVisibility(mlir::SymbolTable::Visibility::Private);
    targetSymbols.insert(&op);
  }
  return true;
}

void KernelImporter::declare(Function *kernel, const char *why,
                             mlir::ModuleOp target) {
  exposed.expose(*kernel);
  symbols[kernel] = kernel->getName().str();
  mlir::MLIRContext *context = target.getContext();
  mlir::OpBuilder builder(target.getBodyRegion());
  mlir::SmallVector<mlir::Type> parameters(
      kernel->arg_size(), mlir::LLVM::LLVMPointerType::get(context));
  auto function = mlir::LLVM::LLVMFuncOp::create(
      builder, builder.getUnknownLoc(), kernel->getName(),
      mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(context),
                                        parameters));
  function->setAttr(mlir::op2::kMissingBodyAttr, builder.getStringAttr(why));
}

void KernelImporter::importForHost(llvm::ArrayRef<Function *> kernels,
                                   mlir::ModuleOp target) {
  llvm::SetVector<Function *> copied;
  llvm::MapVector<Function *, const char *> declared;
  for (Function *kernel : kernels) {
    // A debugger wants to stop in the kernel itself, and counters are there.
    const char *why = kernel->hasOptNone() ? "is not optimised (-O0)"
                      : kernel->hasFnAttribute(kCalledAttr)
                          ? "is called as it is (-ftrapping-math, --coverage)"
                          : whyNotCopyable(*kernel);
    if (why)
      declared.insert({kernel, why});
    else
      copied.insert(kernel);
  }
  for (auto [kernel, why] : declared)
    declare(kernel, why, target);
  if (copied.empty() || importCopies(copied.getArrayRef(), target))
    return;
  for (Function *kernel : copied)
    if (!importCopies(kernel, target))
      declare(kernel, whyNotImported(*kernel), target);
}

//===----------------------------------------------------------------------===//
// For a GPU
//===----------------------------------------------------------------------===//

void KernelImporter::dropUnfit(llvm::Module &clone,
                               llvm::ArrayRef<Function *> kernels) {
  std::vector<Function *> unfit;
  for (Function *kernel : kernels) {
    Function *copy = clone.getFunction(symbols.at(kernel));
    std::optional<TargetProblem> problem = findDeviceProblem(*copy, source);
    if (!problem)
      continue;
    problems[kernel] = *problem;
    unfit.push_back(copy);
  }
  // Kernels may call each other.
  for (Function *copy : unfit)
    copy->deleteBody();
  if (!unfit.empty())
    simplify(clone, "globaldce");
  dropUnused(clone);
}

void KernelImporter::importForGPU(llvm::ArrayRef<Function *> kernels,
                                  mlir::ModuleOp target) {
  llvm::SetVector<Function *> copied;
  for (Function *kernel : kernels)
    if (const char *why = whyNotCopyable(*kernel))
      problems[kernel] = {why, ""};
    else
      copied.insert(kernel);
  if (copied.empty() || importCopies(copied.getArrayRef(), target))
    return;
  for (Function *kernel : copied)
    if (!importCopies(kernel, target) && !problems.count(kernel))
      problems[kernel] = {whyNotImported(*kernel), ""};
}

void KernelImporter::import(llvm::ArrayRef<Function *> kernels,
                            mlir::ModuleOp target) {
  if (form.isForDevice)
    importForGPU(kernels, target);
  else
    importForHost(kernels, target);
}
