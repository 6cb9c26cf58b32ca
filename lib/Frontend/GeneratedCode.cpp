//===- GeneratedCode.cpp - Generated code in a module of Clang ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedCode.h"
#include "IntrinsicExpansion.h"
#include "KernelExceptions.h"
#include "MathCalls.h"
#include "ModuleAnnotations.h"
#include "OP2/Analysis/SourceName.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Transforms/Machine.h"
#include "Report/Listing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"

using namespace op2::frontend;
using llvm::Attribute;
using llvm::Function;

/// Of functions that are called for the few elements that vectors leave over.
static constexpr char kRestAttr[] = "op2-rest";

/// Of functions that run a loop by calls of others: passes that look for more
/// than plain code took 7 % of the time of a file of long kernels, and the best
/// machine code for them a fifth of that of short ones.
static constexpr char kGlueAttr[] = "op2-glue";
static constexpr llvm::StringLiteral kGluePasses[] = {
    "SROAPass", "SimplifyCFGPass", "EarlyCSEPass"};

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// An attribute about how to compile a function, not what it does.
static bool isCompilationAttribute(Attribute attribute) {
  if (attribute.isStringAttribute())
    return true;
  if (!attribute.hasKindAsEnum())
    return false;
  switch (attribute.getKindAsEnum()) {
  case Attribute::SanitizeAddress:
  case Attribute::SanitizeHWAddress:
  case Attribute::SanitizeMemory:
  case Attribute::SanitizeThread:
  case Attribute::SanitizeMemTag:
  case Attribute::SafeStack:
  case Attribute::ShadowCallStack:
  case Attribute::StackProtect:
  case Attribute::StackProtectReq:
  case Attribute::StackProtectStrong:
  case Attribute::UWTable:
  case Attribute::NullPointerIsValid:
  case Attribute::OptimizeForSize:
  case Attribute::MinSize:
    return true;
  default:
    return false;
  }
}

static llvm::StringRef getFeatures(const Function &function) {
  return function.getFnAttribute("target-features").getValueAsString();
}

bool op2::frontend::hasFeature(const Function &function,
                               llvm::StringRef feature) {
  return llvm::is_contained(llvm::split(getFeatures(function), ','),
                            ("+" + feature).str());
}

/// The inliner refuses functions whose processor features differ, and
/// sanitizers expect all code to take part.
static void copyAttributes(Function &function, const Function &model) {
  // The program's own kernels and helpers have them already.
  if (!function.hasFnAttribute("target-cpu"))
    keepMathCalls(function);
  for (Attribute attribute : model.getAttributes().getFnAttrs()) {
    if (!isCompilationAttribute(attribute))
      continue;
    if (attribute.isStringAttribute()
            ? !function.hasFnAttribute(attribute.getKindAsString())
            : !function.hasFnAttribute(attribute.getKindAsEnum()))
      function.addFnAttr(attribute);
  }
  keepOwnFunctions(function);
  // For most processors with 512 bits LLVM prefers 256; for vectors of elements
  // the wide vectors pay. They are made legal, not preferred: otherwise LLVM
  // would merge the halves in which LaneRows stores them.
  if (hasFeature(function, "avx512f") &&
      !function.hasFnAttribute("prefer-vector-width"))
    function.addFnAttr("min-legal-vector-width", "512");
}

/// Where gathers are slow LLVM shall not make them either, as it may where
/// loads can change places.
static void avoidSlowGathers(Function &function) {
  auto has = [&](llvm::StringRef feature) {
    return hasFeature(function, feature);
  };
  if (has("avx2") && !mlir::op2::hasFastGathers(has))
    function.addFnAttr("target-features",
                       getFeatures(function).str() + ",+prefer-no-gather");
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

/// Gives the function debug information in `unit`: all of it stands at `line`
/// of the user's file, except what is inlined from kernels.
static void describeFunction(Function &function, llvm::DISubprogram &caller,
                             unsigned line) {
  // Clang describes the stub as a function that is declared only.
  if (!function.getSubprogram() || !function.getSubprogram()->isDefinition()) {
    llvm::DICompileUnit *unit = caller.getUnit();
    llvm::DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/true,
                            unit);
    llvm::DISubprogram *subprogram = builder.createFunction(
        caller.getFile(), function.getName(), function.getName(),
        caller.getFile(), line,
        builder.createSubroutineType(builder.getOrCreateTypeArray({})), line,
        llvm::DINode::FlagArtificial,
        llvm::DISubprogram::SPFlagDefinition |
            llvm::DISubprogram::SPFlagLocalToUnit |
            (caller.isOptimized() ? llvm::DISubprogram::SPFlagOptimized
                                  : llvm::DISubprogram::SPFlagZero));
    builder.finalizeSubprogram(subprogram);
    function.setSubprogram(subprogram);
  }
  llvm::DISubprogram *scope = function.getSubprogram();
  auto *location = llvm::DILocation::get(function.getContext(), line, 0, scope);
  for (llvm::Instruction &inst : llvm::instructions(function))
    if (!inst.getDebugLoc())
      inst.setDebugLoc(location);
}

/// Kernels were imported with a compile unit of their own; theirs is the
/// user's.
static void moveToUnit(llvm::Module &generated, llvm::DICompileUnit *unit) {
  llvm::DebugInfoFinder finder;
  finder.processModule(generated);
  for (llvm::DISubprogram *subprogram : finder.subprograms())
    if (subprogram->isDistinct() && subprogram->getUnit())
      subprogram->replaceUnit(unit);
  if (llvm::NamedMDNode *units = generated.getNamedMetadata("llvm.dbg.cu"))
    units->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

void op2::frontend::finishFunction(Function &function, const CallSite &site) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setComdat(nullptr);
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  function.setDSOLocal(true);
  if (!site.caller)
    return;
  copyAttributes(function, *site.caller);
  if (llvm::DISubprogram *caller = site.caller->getSubprogram())
    describeFunction(function, *caller, site.loop->line);
}

/// Neither LLVM's passes nor its code generation take time for the function.
static void spareOptimizer(Function &function) {
  if (function.hasFnAttribute(Attribute::AlwaysInline))
    return;
  function.removeFnAttr(Attribute::OptimizeForSize);
  function.removeFnAttr(Attribute::MinSize);
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::OptimizeNone);
}

namespace {
/// When the passes are through.
class SpareGluePass : public llvm::PassInfoMixin<SpareGluePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    for (Function &function : module)
      if (function.hasFnAttribute(kGlueAttr))
        spareOptimizer(function);
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

static bool isUseful(llvm::StringRef pass, const Function &function) {
  if (function.hasFnAttribute(kGlueAttr))
    return llvm::is_contained(kGluePasses, pass);
  return pass != "SLPVectorizerPass" || !function.hasFnAttribute(kRestAttr);
}

void op2::frontend::skipUselessPasses(llvm::PassBuilder &builder) {
  if (auto *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->registerShouldRunOptionalPassCallback(
        [](llvm::StringRef pass, llvm::Any ir) {
          if (const auto *whole = llvm::any_cast<const Function *>(&ir))
            return isUseful(pass, **whole);
          if (const auto *loop = llvm::any_cast<const llvm::Loop *>(&ir))
            return isUseful(pass, *(*loop)->getHeader()->getParent());
          return true;
        });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
         llvm::ThinOrFullLTOPhase) { passes.addPass(SpareGluePass()); });
}

/// The loop of each generated function: the one whose code leads to it, or
/// the first of several.
using Owners = llvm::DenseMap<const Function *, const CallSite *>;

static Owners findOwners(const llvm::Module &generated,
                         llvm::ArrayRef<CallSite> sites, Target target) {
  Owners owners;
  for (const CallSite &site : sites) {
    llvm::SmallVector<const Function *> worklist;
    auto visit = [&](const Function *function) {
      if (function && !function->isDeclaration() &&
          owners.try_emplace(function, &site).second)
        worklist.push_back(function);
    };
    visit(generated.getFunction(site.getRunSymbol(target)));
    while (!worklist.empty())
      for (const llvm::Instruction &inst :
           llvm::instructions(*worklist.pop_back_val()))
        for (const llvm::Value *operand : inst.operands())
          visit(llvm::dyn_cast<Function>(operand));
  }
  return owners;
}

/// "name.op2" as it was imported, "name.op2.raised" or "name.op2.raised_0"
/// (for other arguments) after raising.
static bool isKernelCopy(llvm::StringRef name) {
  return name.ends_with(mlir::op2::kKernelSuffix) ||
         name.contains(".op2.raised");
}

/// Whether it has code of kernels: copies, their calls that keep exceptions,
/// and loops over elements.
static bool runsElements(llvm::StringRef name) {
  return isKernelCopy(name) || name.ends_with(".catching") ||
         name.contains("_chunk");
}

/// Whether local variables take more than 32 KiB.
static bool hasLargeFrame(const Function &function) {
  constexpr uint64_t kMost = 32 << 10;
  const llvm::DataLayout &layout = function.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction &inst : llvm::instructions(function))
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&inst))
      if (std::optional<llvm::TypeSize> size = local->getAllocationSize(layout))
        bytes = llvm::SaturatingAdd(bytes, size->getKnownMinValue());
  return bytes > kMost;
}

/// What kernels throw that the code of the loops calls is kept. Returns whether
/// there is one that throws.
static bool catchExceptions(llvm::Module &generated, const Owners &owners,
                            llvm::ArrayRef<CallSite> sites) {
  // Some kernels are called as they are in the program.
  llvm::StringMap<const Function *> originals;
  for (const CallSite &site : sites)
    originals[site.kernel->getName()] = site.kernel;
  auto throws = [&](const Function &function) {
    if (!function.isDeclaration())
      return isKernelCopy(function.getName()) && mayThrow(function);
    const Function *original = originals.lookup(function.getName());
    return original && mayThrow(*original);
  };
  bool doThrow = false;
  // Those that are added come last, and are no kernels.
  for (Function &kernel : generated) {
    if (!throws(kernel))
      continue;
    for (llvm::User *user : llvm::to_vector(kernel.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &kernel)
        continue;
      const Function &caller = *call->getFunction();
      const CallSite *owner = owners.lookup(&caller);
      if (!owner || !owner->loop->hasExceptions ||
          isKernelCopy(caller.getName()))
        continue;
      call->setCalledFunction(getCatchingCall(kernel));
      owner->loop->throws = doThrow = true;
    }
  }
  return doThrow;
}

/// The frontend finds the descriptions of loops that may be delayed by name.
static bool isNamedDescription(const llvm::GlobalVariable &variable) {
  llvm::StringRef name = variable.getName();
  return name.consume_front(mlir::op2::kLoopDescriptionPrefix) &&
         name.starts_with(".");
}

/// Of some flags linked modules keep the least, and 0 if one has none: how far
/// their code may be moved, and what guards it.
static void keepLeastFlags(const llvm::Module &module,
                           llvm::Module &generated) {
  llvm::SmallVector<llvm::Module::ModuleFlagEntry> flags;
  module.getModuleFlagsMetadata(flags);
  for (const llvm::Module::ModuleFlagEntry &flag : flags)
    if (flag.Behavior == llvm::Module::Min &&
        !generated.getModuleFlag(flag.Key->getString()))
      generated.addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
}

bool op2::frontend::linkGenerated(llvm::Module &module,
                                  std::unique_ptr<llvm::Module> generated,
                                  llvm::ArrayRef<CallSite> sites,
                                  Target target) {
  generated->setDataLayout(module.getDataLayout());
  generated->setTargetTriple(module.getTargetTriple());
  for (const CallSite &site : sites)
    if (site.caller && site.caller->getSubprogram()) {
      moveToUnit(*generated, site.caller->getSubprogram()->getUnit());
      break;
    }

  std::vector<std::string> runSymbols;
  for (const CallSite &site : sites)
    runSymbols.push_back(site.getRunSymbol(target));
  Owners owners = findOwners(*generated, sites, target);
  bool isOnHost = target == Target::Seq || target == Target::OpenMP;
  if (isOnHost && catchExceptions(*generated, owners, sites))
    owners = findOwners(*generated, sites, target);
  for (Function &function : *generated) {
    if (function.isDeclaration())
      continue;
    // Copies of kernels: the point of copying them is to inline them, but where
    // op2-vectorize wants calls, and where the frames of several would not fit
    // on the stack.
    if (isKernelCopy(function.getName()) && hasLargeFrame(function))
      function.addFnAttr(Attribute::NoInline);
    else if (isKernelCopy(function.getName()))
      function.addFnAttr(
          function.hasFnAttribute(Attribute::NoInline)
              ? Attribute::get(module.getContext(), kRestAttr)
              : Attribute::get(module.getContext(), Attribute::AlwaysInline));
    if (!llvm::is_contained(runSymbols, function.getName()))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    const CallSite *owner = owners.lookup(&function);
    finishFunction(function, owner ? *owner : sites.front());
    if (target == Target::OpenMP && !runsElements(function.getName()))
      function.addFnAttr(kGlueAttr);
    else if (isOnHost && !isKernelCopy(function.getName()))
      avoidSlowGathers(function);
    // Device code is optimised before it is given to the emulator, whose time
    // goes into changing from thread to thread: LLVM would take a third of a
    // compilation's time for it and make nothing faster.
    if (target == Target::Emulator)
      spareOptimizer(function);
    else if (owner)
      function.addFnAttr(kLoopAttr, owner->runSymbol);
    // The stubs find these by name.
    if (!llvm::is_contained(runSymbols, function.getName()))
      continue;
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    // With their kernels all loops of a function would be one function, which
    // takes LLVM long.
    if (target == Target::Seq)
      function.addFnAttr(Attribute::NoInline);
  }
  for (llvm::GlobalVariable &variable : generated->globals()) {
    if (variable.isDeclaration() || variable.hasAppendingLinkage())
      continue;
    variable.setLinkage(isNamedDescription(variable)
                            ? llvm::GlobalValue::ExternalLinkage
                            : llvm::GlobalValue::InternalLinkage);
    // The linker keeps that of one file, and drops the others'.
    variable.setComdat(nullptr);
  }

  keepLeastFlags(module, *generated);
  if (llvm::Linker::linkModules(module, std::move(generated)))
    return false;
  for (const std::string &symbol : runSymbols) {
    Function *function = module.getFunction(symbol);
    if (!function || function->isDeclaration())
      return false;
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable &variable : module.globals())
    if (isNamedDescription(variable))
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  return true;
}

//===----------------------------------------------------------------------===//
// What is left over
//===----------------------------------------------------------------------===//

/// Takes the kernel out of the calls of its stub, which does not look at it.
static void dropKernelArgument(const CallSite &site) {
  llvm::Argument *parameter =
      site.stub->arg_empty() ? nullptr : site.stub->getArg(0);
  if (!parameter || !parameter->getType()->isPointerTy() ||
      !parameter->use_empty())
    return;
  for (llvm::Use &use : llvm::make_early_inc_range(site.kernel->uses())) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (call && call->getCalledFunction() == site.stub &&
        call->isArgOperand(&use) && call->getArgOperandNo(&use) == 0)
      use.set(llvm::Constant::getNullValue(use->getType()));
  }
}

/// Coverage counts what never runs, too.
static bool isInstrumented(const llvm::Module &module) {
  return llvm::any_of(module, [](const Function &function) {
    return function.getName().starts_with("llvm.instrprof.");
  });
}

void op2::frontend::dropUnusedKernels(llvm::Module &module,
                                      llvm::ArrayRef<CallSite> sites) {
  if (isInstrumented(module))
    return;
  llvm::SmallSetVector<Function *, 16> kernels;
  for (const CallSite &site : sites) // without optimisation they stay
    if (site.kernel && !site.kernel->hasOptNone()) {
      dropKernelArgument(site);
      kernels.insert(site.kernel);
    }
  for (Function *kernel : kernels) {
    kernel->removeDeadConstantUsers();
    if (kernel->use_empty() && kernel->isDiscardableIfUnused())
      kernel->eraseFromParent();
  }
}

void op2::frontend::dropUnusedTemplates(llvm::Module &module) {
  llvm::SmallSetVector<Function *, 16> worklist;
  worklist.insert_range(findTemplates(module));
  dropAnnotations(module);
  if (isInstrumented(module))
    return;
  // Without optimisation nothing else removes them and what they call.
  while (!worklist.empty()) {
    Function *function = worklist.pop_back_val();
    function->removeDeadConstantUsers();
    if (!function->use_empty() || !function->isDiscardableIfUnused())
      continue;
    for (llvm::Instruction &inst : llvm::instructions(*function))
      for (llvm::Value *operand : inst.operands())
        if (auto *callee = llvm::dyn_cast<Function>(operand);
            callee && callee != function && !callee->isDeclaration())
          worklist.insert(callee);
    function->eraseFromParent();
  }
}
