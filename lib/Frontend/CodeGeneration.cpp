//===- CodeGeneration.cpp - From descriptions of loops to code -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that Clang's pipeline starts with. Loops that the lowerings cannot
// deal with keep the sequential template; the others do not suffer from them.
//
//===----------------------------------------------------------------------===//

#include "CodeGeneration.h"
#include "CallSite.h"
#include "Diagnostics.h"
#include "ExposedSymbols.h"
#include "GeneratedCode.h"
#include "KernelImport.h"
#include "ModuleBuilder.h"
#include "OP2/Transforms/RaiseKernels.h"
#include "StageOutput.h"
#include "Stub.h"
#include "TargetCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"

using namespace op2::frontend;

/// " (kernel.h:12)", or "" if nothing is known.
static std::string describePlace(mlir::Location location) {
  std::string place;
  location->walk([&](mlir::Location part) {
    auto found = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    if (!found || found.getLine() == 0)
      return mlir::WalkResult::advance();
    llvm::StringRef file = llvm::sys::path::filename(found.getFilename());
    place = " (" + file.str() + ":" + std::to_string(found.getLine()) + ")";
    return mlir::WalkResult::interrupt();
  });
  return place;
}

namespace {

/// Generates the code of all loops of one module.
class CodeGenerator {
public:
  CodeGenerator(llvm::Module &module, const FileLoops &loops,
                const PluginOptions &options, clang::DiagnosticsEngine &diags)
      : module(module), loops(loops), options(options), diags(diags),
        context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  bool run() {
    std::vector<CallSite> sites = findCallSites(module, loops);
    if (sites.empty()) {
      dropUnusedTemplates(module, loops);
      return !loops.loops.empty();
    }
    std::vector<CallSite> compiled;
    for (const CallSite &site : sites)
      if (site.loop->fallbackReason.empty())
        compiled.push_back(site);
    {
      ExposedSymbols exposed;
      compile(compiled, exposed);
    }
    for (const CallSite &site : sites)
      defineStubOf(site);
    dropUnusedTemplates(module, loops);
    return true;
  }

private:
  /// The loops that compile for one target, and their code.
  struct TargetCode {
    std::vector<CallSite> sites;
    std::unique_ptr<llvm::Module> module; ///< null if there are none
    StageTexts texts;
  };

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// The op2 module of some loops; null if it is not valid.
  mlir::OwningOpRef<mlir::ModuleOp> buildModule(llvm::ArrayRef<CallSite> sites,
                                                Target target,
                                                ExposedSymbols &exposed) {
    mlir::OwningOpRef<mlir::ModuleOp> result =
        createModuleLike(module, &context);
    std::vector<llvm::Function *> kernels;
    for (const CallSite &site : sites)
      kernels.push_back(site.kernel);
    bool isRaised = raises(target);
    KernelImporter importer(module, exposed, isRaised);
    importer.import(kernels, *result);
    for (const CallSite &site : sites)
      buildRunFunction(site, importer.getSymbol(site.kernel), *result);
    if (isRaised)
      raise(*result);
    if (mlir::failed(mlir::verify(*result)))
      return {};
    return result;
  }

  /// The sequential oracle stays independent of raising; device code gets its
  /// kernels in a form of its own.
  bool raises(Target target) const {
    return target == Target::OpenMP && options.raise;
  }

  /// Raises what can be raised, and notes why the rest cannot.
  void raise(mlir::ModuleOp op2Module) {
    mlir::op2::raiseKernels(
        op2Module,
        [&](mlir::op2::ParLoopOp loop, const mlir::op2::Obstacle *obstacle) {
          auto function = loop->getParentOfType<mlir::func::FuncOp>();
          raiseProblems[function.getName().str()] =
              obstacle ? obstacle->reason + describePlace(obstacle->loc) : "";
        });
  }

  /// Compiles all loops of a module for one target; without code if that
  /// fails.
  TargetCode tryCompile(mlir::ModuleOp op2Module,
                        llvm::ArrayRef<CallSite> sites, Target target) {
    TargetCode code;
    code.sites = sites;
    code.texts.wanted = wantsStages(options);
    // One description per loop is enough for the runtime's lists.
    bool isFirst = target == options.targets.front();
    mlir::OwningOpRef<mlir::ModuleOp> copy(op2Module.clone());
    code.module = compileForTarget(*copy, target, options.plan, isFirst,
                                   module.getContext(), code.texts);
    return code;
  }

  /// Compiles the loops that compile alone, and notes why the others do not.
  TargetCode compileWhatCompiles(llvm::ArrayRef<CallSite> sites, Target target,
                                 ExposedSymbols &exposed) {
    std::vector<CallSite> good;
    for (const CallSite &site : sites) {
      std::string problem;
      mlir::ScopedDiagnosticHandler handler(
          &context, [&](mlir::Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
                problem.empty())
              problem = diagnostic.str();
          });
      auto alone = buildModule(site, target, exposed);
      if (alone && tryCompile(*alone, site, target).module)
        good.push_back(site);
      else
        setProblem(site, target, problem);
    }
    TargetCode code;
    if (good.empty())
      return code;
    if (auto together = buildModule(good, target, exposed))
      code = tryCompile(*together, good, target);
    if (!code.module)
      for (const CallSite &site : good)
        setProblem(site, target, "it does not compile together with others");
    return code;
  }

  void setProblem(const CallSite &site, Target target,
                  const std::string &problem) {
    site.loop->targetProblems[target] =
        problem.empty() ? "the compiler failed without saying why" : problem;
  }

  void compile(llvm::ArrayRef<CallSite> sites, ExposedSymbols &exposed) {
    if (sites.empty())
      return;
    std::vector<TargetCode> codes;
    {
      // Problems are found again, and reported, one loop at a time.
      mlir::ScopedDiagnosticHandler silence(&context,
                                            [](mlir::Diagnostic &) {});
      // One for all targets, and one with raised kernels.
      std::map<bool, mlir::OwningOpRef<mlir::ModuleOp>> modules;
      for (Target target : options.targets) {
        auto [it, isNew] = modules.try_emplace(raises(target));
        if (isNew)
          it->second = buildModule(sites, target, exposed);
        TargetCode code;
        if (it->second)
          code = tryCompile(*it->second, sites, target);
        if (!code.module)
          code = compileWhatCompiles(sites, target, exposed);
        codes.push_back(std::move(code));
      }
    }
    std::vector<StageTexts> texts;
    for (TargetCode &code : codes)
      texts.push_back(std::move(code.texts));
    if (!writeStages(texts, options, diags))
      return;
    for (auto [target, code] : llvm::zip(options.targets, codes))
      if (code.module &&
          !linkGenerated(module, std::move(code.module), code.sites, target))
        for (const CallSite &site : code.sites)
          setProblem(site, target, "the generated code could not be linked");
    for (const CallSite &site : sites)
      reportProblems(*site.loop);
  }

  /// Says on which targets a loop stays sequential.
  void reportProblems(LoopDescription &loop) {
    if (loop.targetProblems.empty())
      return;
    if (loop.targetProblems.size() == options.targets.size()) {
      loop.fallbackReason = loop.targetProblems.begin()->second;
      reportFallback(diags, loop.location, loop.name, loop.fallbackReason,
                     options.strict);
      return;
    }
    for (const auto &[target, problem] : loop.targetProblems)
      reportTargetFallback(diags, loop.location, loop.name,
                           getTargetName(target), problem, options.strict);
  }

  void defineStubOf(const CallSite &site) {
    bool isCompiled = site.loop->fallbackReason.empty();
    bool isDefined = isCompiled
                         ? defineStub(site, options.targets, loops.layout)
                         : defineFallbackStub(site);
    if (!isDefined) {
      error(diags, site.loop->location,
            "loop '%0' can neither be compiled nor run sequentially")
          << site.loop->name;
      return;
    }
    if (isCompiled && options.report)
      reportLoop(site);
    finishFunction(*site.stub, site);
  }

  void reportLoop(const CallSite &site) {
    const LoopDescription &loop = *site.loop;
    report(diags, loop.location, clang::DiagnosticsEngine::Remark,
           "loop '%0' compiled for %1")
        << loop.name << listTargets(loop);
    auto it = raiseProblems.find(site.runSymbol);
    if (it == raiseProblems.end())
      return;
    if (it->second.empty())
      report(diags, loop.location, clang::DiagnosticsEngine::Remark,
             "loop '%0': kernel raised")
          << loop.name;
    else
      report(diags, loop.location, clang::DiagnosticsEngine::Remark,
             "loop '%0': kernel not raised: it %1")
          << loop.name << it->second;
  }

  std::string listTargets(const LoopDescription &loop) const {
    std::string list;
    for (Target target : options.targets)
      if (!loop.targetProblems.count(target))
        list += (list.empty() ? "" : ", ") + std::string(getTargetName(target));
    return list;
  }

  llvm::Module &module;
  const FileLoops &loops;
  const PluginOptions &options;
  clang::DiagnosticsEngine &diags;
  mlir::MLIRContext context;
  /// For each run function whose kernel was to be raised, why it is not, or "".
  std::map<std::string, std::string> raiseProblems;
};

class CodeGenerationPass : public llvm::PassInfoMixin<CodeGenerationPass> {
public:
  CodeGenerationPass(std::shared_ptr<FileLoops> loops,
                     const PluginOptions &options,
                     clang::DiagnosticsEngine &diags)
      : loops(std::move(loops)), options(options), diags(&diags) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    if (loops->loops.empty())
      return llvm::PreservedAnalyses::all();
    CodeGenerator(module, *loops, options, *diags).run();
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

private:
  std::shared_ptr<FileLoops> loops;
  PluginOptions options;
  clang::DiagnosticsEngine *diags;
};
} // namespace

void op2::frontend::registerCodeGeneration(llvm::PassBuilder &builder,
                                           std::shared_ptr<FileLoops> loops,
                                           const PluginOptions &options,
                                           clang::DiagnosticsEngine &diags) {
  builder.registerPipelineStartEPCallback(
      [loops = std::move(loops), options,
       &diags](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(CodeGenerationPass(loops, options, diags));
      });
}
