//===- CodeGeneration.cpp - From descriptions of loops to code --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that Clang's pipeline starts with. Loops that the lowerings cannot
// deal with keep the sequential template; the others do not suffer from them.
//
//===----------------------------------------------------------------------===//

#include "CodeGeneration.h"
#include "Access/AccessAnalysis.h"
#include "Access/AccessCheck.h"
#include "Access/BytesOfBools.h"
#include "ApartForms.h"
#include "CallSite.h"
#include "ColumnKernel.h"
#include "Diagnostics.h"
#include "ExposedSymbols.h"
#include "GeneratedCode.h"
#include "HostAnalysis/ChangedTypes.h"
#include "IntrinsicExpansion.h"
#include "KernelExceptions.h"
#include "KernelImport.h"
#include "LibraryCalls.h"
#include "LoopArguments.h"
#include "LoopOutcomes.h"
#include "LoopSplits.h"
#include "MissedLoops.h"
#include "ModuleAnnotations.h"
#include "ModuleBuilder.h"
#include "OP2/Transforms/Machine.h"
#include "Queue/DescriptionFields.h"
#include "Queue/LoopFusions.h"
#include "Queue/QueueOffer.h"
#include "Queue/QueuedCalls.h"
#include "Report/ReportPass.h"
#include "StageOutput.h"
#include "Stub.h"
#include "SuitedLoops.h"
#include "TargetCode.h"
#include "TimedRegion.h"
#include "VectorizerGuard.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace op2::frontend;

/// What loops may use of the processor that functions like `model` are compiled
/// for. LLVM takes apart what is wider than -mprefer-vector-width, arguments of
/// calls included.
static mlir::op2::MachineAttr describeProcessor(mlir::MLIRContext *context,
                                                const llvm::Function &model) {
  mlir::op2::MachineAttr machine =
      mlir::op2::describeProcessor(context, [&](llvm::StringRef feature) {
        return hasFeature(model, feature);
      });
  mlir::op2::MachineRequest preferences;
  int64_t preferred;
  if (!model.getFnAttribute("prefer-vector-width")
           .getValueAsString()
           .getAsInteger(10, preferred) &&
      preferred < machine.getVectorBits())
    preferences.vectorBits = preferred < 256 ? 0 : 256;
  return applyRequest(machine, preferences);
}

namespace {

/// Generates the code of all loops of one module.
class CodeGenerator {
public:
  CodeGenerator(llvm::Module &module, const FileLoops &loops,
                const PluginOptions &options, LoopReport &report,
                clang::DiagnosticsEngine &diags)
      : module(module), loops(loops), options(options), report(report),
        diags(diags),
        context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED),
        outcomes(this->options, report), fusions(loops, this->options, report),
        splits(report), apart(report) {
    context.loadAllAvailableDialects();
  }

  void run() {
    std::vector<CallSite> sites = findCallSites(
        module, loops, [&](LoopDescription &loop, const std::string &reason) {
          loop.fallBack(reason, diags, this->options.warnings);
        });
    reportMissedLoops(module, loops.isWrittenModule, this->options, report,
                      diags);
    if (sites.empty()) {
      if (options.delay)
        delay(sites);
      dropUnusedTemplates(module);
      return;
    }
    fixResults(module);
    machine = describeMachine(*sites.front().stub);
    options.emitLocations = hasDebugInfo(module);
    std::vector<CallSite> compiled;
    for (const CallSite &site : sites)
      if (!site.loop->fallsBack())
        compiled.push_back(site);
    if (loops.callsKernels)
      callKernels(compiled);
    checkKernels(compiled);
    llvm::erase_if(compiled,
                   [](const CallSite &site) { return site.loop->fallsBack(); });
    apart.addTo(compiled);
    for (CallSite &site : compiled)
      if (site.loop->isOverLayers) {
        site.kernel = createColumnKernel(site);
        site.loop->runOverColumns();
      }
    if (options.ranks)
      for (const CallSite &site : compiled)
        readNumbersFromDats(site.loop->args);
    {
      ExposedSymbols exposed;
      compile(compiled, exposed);
    }
    if (options.emit != Stage::None) {
      dropBodies(module);
      return;
    }
    for (const CallSite &site : sites)
      defineStubOf(site);
    finishCalls(sites);
    dropUnusedTemplates(module);
    dropUnusedKernels(module, sites);
  }

private:
  /// A stage was requested in place of code: nothing is left for LLVM to do.
  static void dropBodies(llvm::Module &module) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      function.deleteBody();
      llvm::LLVMContext &context = module.getContext();
      new llvm::UnreachableInst(
          context, llvm::BasicBlock::Create(context, "", &function));
    }
  }

  /// The op2 module of some loops, and which these are.
  struct Input {
    std::vector<CallSite> sites;
    std::map<LoopDescription *, TargetProblem> problems; ///< of other loops
    FusionList fusions;
    std::vector<CallSite> splits;
    mlir::OwningOpRef<mlir::ModuleOp> module; ///< null if it is not valid
  };

  /// The loops that compile for one target, and their code.
  struct TargetCode {
    std::vector<CallSite> sites;
    FusionList fusions;
    std::vector<CallSite> splits;
    CompiledTarget code; ///< without a module if there are none
  };

  /// What options do not say the flags of `model` do.
  mlir::op2::MachineAttr describeMachine(const llvm::Function &model) {
    mlir::op2::MachineRequest request;
    request.vectorBits = options.plan.vectorBits;
    request.vectorMath = options.plan.vectorMath.value_or(false);
    if (llvm::is_contained(options.targets, Target::CUDA))
      request.chips.append(options.gpu.chips.begin(), options.gpu.chips.end());
    return applyRequest(describeProcessor(&context, model), request);
  }

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  /// Looks at what the kernels do to their arguments.
  /// On the host element by element, as functions that are neither raised nor
  /// inlined.
  static void callKernels(llvm::ArrayRef<CallSite> sites) {
    for (const CallSite &site : sites) {
      site.kernel->addFnAttr(kCalledAttr);
      site.kernel->addFnAttr(llvm::Attribute::NoInline);
    }
  }

  void checkKernels(llvm::ArrayRef<CallSite> sites) {
    if (sites.empty())
      return;
    TimedRegion timed("check", "Checks of kernels");
    std::vector<llvm::Function *> kernels;
    for (const CallSite &site : sites)
      kernels.push_back(site.kernel);
    ExposedSymbols exposed;
    KernelImporter importer(module, exposed, KernelForm());
    std::unique_ptr<llvm::Module> clone = importer.cloneKernels(kernels);
    describeBLAS(*clone);
    for (const CallSite &site : sites)
      if (const llvm::Function *kernel =
              clone->getFunction(importer.getSymbol(site.kernel))) {
        checkAccesses(*site.loop, *kernel, loops.writtenByC, options, diags);
        sayAdditions(*site.loop, *kernel);
        for (unsigned number : findHiddenSums(*kernel, site.loop->args))
          site.loop->fallBack(
              "OP_INC adds values of the application's type in a function "
              "whose body is elsewhere (parameter '" +
                  site.loop->args[number].parameter + "')",
              diags, options.warnings);
        if (auto number = findBytesOfBools(*kernel, site.loop->args))
          site.loop->fallBack(
              "the kernel uses the bytes of bools (parameter '" +
                  site.loop->args[*number].parameter + "')",
              diags, options.warnings);
        site.loop->changedTypes = findChangedTypes(*site.loop, *kernel);
      }
  }

  void sayAdditions(const LoopDescription &loop, const llvm::Function &kernel) {
    if (!report.isWanted())
      return;
    std::vector<unsigned> added = findAdditions(kernel, loop.args);
    if (added.empty())
      return;
    std::string text = ": the kernel only adds to parameter '" +
                       loop.args[added.front()].parameter + "'";
    if (added.size() > 1)
      text += " and " + std::to_string(added.size() - 1) + " more";
    report.say(loop, Topic::Elements,
               text + ", declared OP_RW through a map; declared OP_INC, its "
                      "rows could be owned, and elements run in vectors");
  }

  /// The op2 module of those of `sites` whose kernels have the form that the
  /// target needs, and why the others have not.
  Input buildModule(llvm::ArrayRef<CallSite> sites, Target target,
                    ExposedSymbols &exposed) {
    KernelForm form = getForm(target);
    TimedRegion timed("import", "Import of kernels");
    Input input;
    input.module = createModuleLike(module, &context);
    (*input.module)->setAttr(mlir::op2::MachineAttr::kName, machine);
    std::vector<llvm::Function *> kernels;
    for (const CallSite &site : sites)
      kernels.push_back(site.kernel);
    KernelImporter importer(module, exposed, form);
    importer.import(kernels, *input.module);
    for (const CallSite &site : sites) {
      if (const TargetProblem *problem = importer.getProblem(site.kernel)) {
        input.problems[site.loop] = {"kernel '" + site.loop->kernelName + "' " +
                                         problem->reason,
                                     problem->construct};
        continue;
      }
      buildRunFunction(site, importer.getSymbol(site.kernel), *input.module);
      input.sites.push_back(site);
    }
    if (mlir::failed(mlir::verify(*input.module)))
      input.module = {};
    return input;
  }

  /// The sequential oracle stays independent of raising.
  KernelForm getForm(Target target) const {
    return {isDevice(target),
            /*isToBeRaised=*/options.raise && target != Target::Seq};
  }

  /// Compiles all loops of a module for one target; without code if that
  /// fails.
  TargetCode tryCompile(Input &input, Target target) {
    TargetCode result;
    if (!input.module || input.sites.empty())
      return result;
    result.sites = input.sites;
    mlir::OwningOpRef<mlir::ModuleOp> copy(input.module->clone());
    result.code = compileForTarget(*copy, target, options, module.getContext());
    result.fusions = fusions.select(input.fusions, result.code.variants);
    result.splits = splits.select(input.splits, result.code.variants);
    return result;
  }

  /// Compiles each loop by itself, and notes why some do not compile: none
  /// suffers from another one.
  std::vector<TargetCode> compileOneByOne(llvm::ArrayRef<CallSite> sites,
                                          Target target,
                                          ExposedSymbols &exposed) {
    std::vector<TargetCode> codes;
    for (const CallSite &site : sites) {
      std::string problem;
      mlir::ScopedDiagnosticHandler handler(
          &context, [&](mlir::Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
                problem.empty())
              problem = diagnostic.str();
          });
      Input alone = buildModule(site, target, exposed);
      TargetCode code = tryCompile(alone, target);
      if (code.code.module)
        codes.push_back(std::move(code));
      else if (!site.loop->targetProblems.count(target))
        setProblem(site, target, problem);
    }
    return codes;
  }

  void setProblem(const CallSite &site, Target target,
                  const std::string &problem) {
    site.loop->targetProblems[target] = {
        problem.empty() ? "the compiler failed without saying why" : problem,
        ""};
  }

  /// The code of all loops for one target: of all together, or of each by
  /// itself if they do not compile together. `inputs` are those of other
  /// targets.
  std::vector<TargetCode> compileFor(Target target,
                                     llvm::ArrayRef<CallSite> given,
                                     std::map<Target, Input> &inputs,
                                     ExposedSymbols &exposed) {
    KernelForm form = getForm(target);
    std::vector<CallSite> sites = keepSuited(given, target);
    // The emulator runs what a GPU runs.
    auto [it, isNew] =
        inputs.try_emplace(target == Target::Emulator ? Target::CUDA : target);
    Input &input = it->second;
    if (isNew) {
      input = buildModule(sites, target, exposed);
      if (form.isToBeRaised)
        addOtherForms(input, target);
    }
    for (const auto &[loop, problem] : input.problems)
      loop->targetProblems[target] = problem;
    std::vector<TargetCode> codes;
    if (input.sites.empty())
      return codes;
    codes.push_back(tryCompile(input, target));
    if (!codes.front().code.module)
      codes = compileOneByOne(input.sites, target, exposed);
    return codes;
  }

  void compile(llvm::ArrayRef<CallSite> sites, ExposedSymbols &exposed) {
    if (sites.empty())
      return;
    std::map<Target, Input> inputs;
    std::vector<std::vector<TargetCode>> codes;
    std::vector<StageTexts> texts;
    {
      // Problems are found again, and reported, one loop at a time.
      mlir::ScopedDiagnosticHandler silence(&context,
                                            [](mlir::Diagnostic &) {});
      for (Target target : options.targets)
        codes.push_back(compileFor(target, sites, inputs, exposed));
    }
    for (std::vector<TargetCode> &parts : codes) {
      texts.emplace_back();
      for (TargetCode &part : parts)
        texts.back().append(std::move(part.code.texts));
    }
    writeStages(texts, options, diags);
    for (auto [target, text] : llvm::zip(options.targets, texts))
      report.addListings(target, std::move(text.listings));
    for (auto [target, parts] : llvm::zip(options.targets, codes))
      for (TargetCode &part : parts)
        use(part, target);
    for (const CallSite &site : sites)
      if (!site.isApart)
        reportProblems(*site.loop);
  }

  void use(TargetCode &part, Target target) {
    outcomes.add(part.code, target);
    link(part, target);
  }

  /// Loops may be fused with others, or split.
  void addOtherForms(Input &input, Target target) {
    if (!input.module)
      return;
    TimedRegion timed("fusions", "Fused and split forms");
    std::vector<CallSite> sites = input.sites;
    llvm::erase_if(sites, [](const CallSite &site) { return site.isApart; });
    if (options.fuse && options.delay)
      input.fusions = fusions.addTo(*input.module, sites);
    if (options.split != SplitLevel::Never && target == Target::OpenMP)
      input.splits = splits.addTo(*input.module, sites);
    if (mlir::failed(mlir::verify(*input.module)))
      input.module = {};
  }

  void link(TargetCode &code, Target target) {
    TimedRegion timed("link", "Linking of generated code");
    std::vector<CallSite> sites = code.sites;
    for (const std::shared_ptr<Fusion> &fusion : code.fusions)
      sites.push_back(fusion->getSite());
    llvm::append_range(sites, code.splits);
    if (linkGenerated(module, std::move(code.code.module), sites, target)) {
      fusions.use(code.fusions, target);
      splits.use(code.splits);
      return;
    }
    for (const CallSite &site : code.sites)
      setProblem(site, target, "the generated code could not be linked");
  }

  /// Reports on which targets a loop is not compiled.
  void reportProblems(LoopDescription &loop) {
    if (loop.targetProblems.empty())
      return;
    if (loop.targetProblems.size() == options.targets.size()) {
      const TargetProblem &problem = loop.targetProblems.begin()->second;
      loop.fallBack(problem.reason, diags, options.warnings);
      showPlace(loop, problem);
      return;
    }
    std::optional<Target> other = getReplacement(loop, options.targets);
    std::string instead = other && *other != Target::Seq
                              ? "on " + getWord(*other).str()
                              : "sequentially";
    for (const auto &[target, problem] : loop.targetProblems) {
      auto diagnostic =
          warn(diags, loop.location, options.warnings, Problem::Sequential,
               "loop '%0' is not compiled for %1 and runs %2 there: %3");
      if (!diagnostic)
        continue;
      *diagnostic << loop.name << getWord(target) << instead << problem.reason;
      diagnostic.reset(); // reported now
      showPlace(loop, problem);
    }
  }

  void showPlace(const LoopDescription &loop, const TargetProblem &problem) {
    auto place = loop.places.find(problem.construct);
    if (place != loop.places.end())
      note(diags, place->second, "it does so here");
  }

  void defineStubOf(const CallSite &site) {
    bool isCompiled = !site.loop->fallsBack();
    if (isCompiled) {
      const CallSite *other = apart.find(site);
      for (const CallSite *form : {&site, other})
        if (form) {
          describeVariables(*form);
          describePointers(*form, Target::OpenMP, findAddresses(*form));
        }
      defineStub({site, splits.find(site), other}, options.targets,
                 loops.layout);
    } else {
      defineFallbackStub(site, options.targets);
    }
    if (isCompiled && report.isWanted()) {
      report.saySymbol(*site.loop, site.runSymbol);
      outcomes.reportLoop(site, machine.getVectorBits() != 0);
    }
    finishFunction(*site.stub, site);
  }

  /// What goes on between the calls of loops.
  void finishCalls(llvm::ArrayRef<CallSite> sites) {
    TimedRegion timed("calls", "Calls, fused and delayed");
    fusions.apply(module);
    if (options.delay)
      delay(sites);
    if (!options.ranks)
      dropUnusedRunFunctions(module);
    makeArgumentsInPlace(module, loops, findCompleteStubs(sites));
  }

  bool isComplete(const CallSite &site) const {
    const CallSite *other = apart.find(site);
    return !site.loop->fallsBack() &&
           (site.loop->targetProblems.empty() ||
            getReplacement(*site.loop, options.targets)) &&
           (!other || isComplete(*other));
  }

  /// The stubs that have code for every target.
  std::set<const llvm::Function *>
  findCompleteStubs(llvm::ArrayRef<CallSite> sites) const {
    std::set<const llvm::Function *> stubs;
    for (const CallSite &site : sites)
      if (isComplete(site))
        stubs.insert(site.stub);
    return stubs;
  }

  void delay(llvm::ArrayRef<CallSite> sites) {
    bool onOpenMP = llvm::is_contained(options.targets, Target::OpenMP);
    std::vector<QueuedLoop> queued;
    for (const CallSite &site : sites) {
      QueuedLoop &loop = queued.emplace_back();
      loop.site = site;
      loop.obstacle = findQueueObstacle(loop);
      loop.onOpenMP = onOpenMP;
      loop.devices = findFusingDevices(*site.loop);
      loop.mayBeLate = mayBeLateOnDevices(*site.loop);
      loop.mayCross = !(options.ranks && isInPair(*site.loop));
    }
    delayLoops(module, queued, loops, report);
  }

  bool isInPair(const LoopDescription &loop) const {
    return llvm::any_of(options.targets, [&](Target target) {
      return fusions.isFused(loop, target);
    });
  }

  std::vector<Target> findFusingDevices(const LoopDescription &loop) const {
    std::vector<Target> devices;
    for (Target target : options.targets)
      if (isDevice(target) && fusions.isFused(loop, target))
        devices.push_back(target);
    return devices;
  }

  bool mayBeLateOnDevices(const LoopDescription &loop) const {
    return !loop.fallsBack() &&
           llvm::any_of(options.targets, [&](Target target) {
             return isDevice(target) && !loop.targetProblems.count(target) &&
                    (target == Target::CUDA || loop.changesGlobals());
           });
  }

  /// Where the pointers lie that a kernel follows; nothing if that is not
  /// known.
  std::optional<Addresses> findAddresses(const CallSite &site) const {
    FollowedPointers pointers = outcomes.getPointers(site);
    if (!pointers)
      return std::nullopt;
    llvm::LLVMContext &context = module.getContext();
    Addresses addresses;
    for (const mlir::op2::FollowedPointer &pointer : *pointers) {
      llvm::GlobalValue *variable = module.getNamedValue(pointer.symbol);
      // One that may not be there has no address.
      if (!variable || variable->hasExternalWeakLinkage())
        return std::nullopt;
      addresses.push_back(llvm::ConstantExpr::getGetElementPtr(
          llvm::Type::getInt8Ty(context), variable,
          llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context),
                                       pointer.offset)));
    }
    return addresses;
  }

  /// Why a loop cannot be pending: its kernel must touch nothing but its
  /// arguments, and variables of the program, and what these point to.
  std::string findQueueObstacle(QueuedLoop &queued) const {
    const CallSite &site = queued.site;
    const LoopDescription &loop = *site.loop;
    if (loop.fallsBack() || loop.targetProblems.count(Target::OpenMP))
      return "it is not compiled for openmp";
    if (!outcomes.isConfined(site))
      return "its kernel may change more than its arguments, or asks for "
             "their addresses";
    std::optional<Addresses> pointers = findAddresses(site);
    queued.followsPointers = pointers && !pointers->empty();
    if (!pointers)
      return "its kernel reads through a pointer that is in no variable";
    if (splits.find(site))
      return "it is split";
    // Some target runs it as it stands in the program.
    if (loop.hasExceptions && mayThrow(*site.kernel))
      return "its kernel may throw";
    return fusions.isFused(loop, Target::OpenMP) ? ""
                                                 : findArgumentObstacle(loop);
  }

  llvm::Module &module;
  const FileLoops &loops;
  PluginOptions options;
  LoopReport &report;
  clang::DiagnosticsEngine &diags;
  mlir::MLIRContext context;
  mlir::op2::MachineAttr machine;
  LoopOutcomes outcomes;
  LoopFusions fusions;
  LoopSplits splits;
  ApartForms apart;
};

class CodeGenerationPass : public llvm::PassInfoMixin<CodeGenerationPass> {
public:
  CodeGenerationPass(std::shared_ptr<FileLoops> loops,
                     const PluginOptions &options,
                     std::shared_ptr<LoopReport> report,
                     clang::DiagnosticsEngine &diags)
      : loops(std::move(loops)), options(options), report(std::move(report)),
        diags(&diags) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    bool isChanged = !loops->loops.empty() || !loops->sharedFunctions.empty() ||
                     !findTemplates(module).empty();
    if (isChanged)
      CodeGenerator(module, *loops, options, *report, *diags).run();
    // LLVM's passes would carry them along to no end.
    if (loops->dropsPlaces && !report->hasPage())
      isChanged |= llvm::StripDebugInfo(module);
    return isChanged ? llvm::PreservedAnalyses::none()
                     : llvm::PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }

private:
  std::shared_ptr<FileLoops> loops;
  PluginOptions options;
  std::shared_ptr<LoopReport> report;
  clang::DiagnosticsEngine *diags;
};
} // namespace

void op2::frontend::registerCodeGeneration(llvm::PassBuilder &builder,
                                           std::shared_ptr<FileLoops> loops,
                                           const PluginOptions &options,
                                           clang::DiagnosticsEngine &diags) {
  auto report = std::make_shared<LoopReport>(options, diags);
  builder.registerPipelineStartEPCallback(
      [=, &diags](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(CodeGenerationPass(loops, options, report, diags));
      });
  registerVectorizerGuard(builder);
  skipUselessPasses(builder);
  // It shows what is made of the rest.
  if (report->hasPage())
    registerPage(builder, loops, report);
}
