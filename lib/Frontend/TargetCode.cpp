//===- TargetCode.cpp - From the op2 module to LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetCode.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Conversion/Chips.h"
#include "OP2/Conversion/CudaToolkit.h"
#include "OP2/Pipelines/Pipelines.h"
#include "TimedRegion.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
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

void op2::frontend::addText(std::string &all, Stage stage,
                            llvm::StringRef text) {
  if (!all.empty() && stage != Stage::LLVM)
    all += "// -----\n";
  all += text;
}

void StageTexts::append(StageTexts other) {
  for (auto &stage : other.listings) {
    auto same = llvm::find_if(listings, [&](const auto &known) {
      return known.first == stage.first;
    });
    if (same == listings.end())
      listings.push_back(std::move(stage));
    else
      llvm::append_range(same->second, std::move(stage.second));
  }
  wanted |= other.wanted;
  for (const auto &[stage, text] : other.texts)
    addText(texts[stage], stage, text);
  for (const auto &[chip, text] : other.ptx)
    ptx[chip] += text;
  if (image.empty())
    image = std::move(other.image);
}

static std::string print(mlir::Operation *op, const PluginOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream,
            mlir::OpPrintingFlags().enableDebugInfo(options.emitLocations));
  stream << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// Outcomes of the stages
//===----------------------------------------------------------------------===//

/// " (kernel.h:12)", or "" if the location is unknown.
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
/// Takes down what people may ask for when a stage is complete, which is before
/// the first pass of the next one.
class StageWatcher : public mlir::PassInstrumentation {
public:
  StageWatcher(CompiledTarget &result, Target target,
               const PluginOptions &options)
      : result(result), texts(result.texts), target(target), options(options) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    llvm::StringRef next = pass->getArgument();
    // The last pass from loops to loops; device code has one of its own.
    bool endsLoops = next == "symbol-dce" && !std::exchange(hasLoops, true);
    if (endsLoops)
      collectVariants(op);
    else if (next == "op2-bind-launches")
      collectKernels(op);
    else if (next == "convert-op2-to-openmp")
      collectExecutions(op);
    else if (next == "convert-op2-to-gpu")
      collectOwnershipObstacles(op);
    if (endsLoops)
      keep(Stage::Loops, "op2 IR", op);
    else if (next == "convert-op2-to-openmp" || next == "convert-op2-to-gpu")
      keep(Stage::Plan, "plan", op);
    else if (next == "convert-gpu-to-emulator" || next == "op2-bind-launches")
      keep(Stage::GPU, "gpu", op);
    else if (target == Target::OpenMP && next == "op2-expand-strides")
      keep(Stage::OpenMP, "omp", op);
    else if (texts.areListed && next == "gpu-module-to-binary")
      listPTX(op);
    else if (texts.wanted && next == "op2-pack-device-code")
      collectPTX(op);
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (texts.wanted && pass->getArgument() == "op2-pack-device-code")
      forEachObject(op, [&](mlir::gpu::ObjectAttr object) {
        if (object.getFormat() != mlir::gpu::CompilationTarget::Assembly)
          texts.image = object.getObject().getValue().str();
      });
  }

private:
  void keep(Stage stage, const char *name, mlir::Operation *op) {
    if (texts.wanted)
      texts.texts[stage] = print(op, options);
    if (texts.areListed)
      texts.listings.emplace_back(name, listFunctions(op));
  }

  void collectVariants(mlir::Operation *op) {
    op->walk([&](mlir::FunctionOpInterface function) {
      if (!function->hasAttr(mlir::op2::kVariantAttr))
        return;
      VariantOutcome &variant = result.variants[function.getName().str()];
      variant.exists = !function.isExternal();
      if (auto outcome = function->getAttrOfType<mlir::StringAttr>(
              mlir::op2::kOutcomeAttr))
        variant.outcome = outcome.getValue().str();
      if (auto bytes = function->getAttrOfType<mlir::IntegerAttr>(
              mlir::op2::kSavedBytesAttr))
        variant.savedBytes = bytes.getInt();
    });
  }

  void collectKernels(mlir::Operation *op) {
    op->walk([&](mlir::gpu::LaunchFuncOp launch) {
      auto function = launch->getParentOfType<mlir::FunctionOpInterface>();
      std::vector<std::string> &kernels =
          result.kernels[function.getName().str()];
      std::string name = launch.getKernelName().str();
      if (!llvm::is_contained(kernels, name))
        kernels.push_back(name);
    });
  }

  /// Of a kernel that the elements of a loop call.
  static void addKernel(mlir::CallOpInterface call,
                        llvm::ArrayRef<mlir::op2::LoopArg> args,
                        LoopExecution &execution) {
    auto kernel = llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(
        call.resolveCallable());
    if (!kernel || kernel.isExternal()) {
      execution.isConfined = false;
      return;
    }
    auto raised = llvm::dyn_cast<mlir::func::FuncOp>(*kernel);
    if (!raised && !mlir::op2::mayRunLater(kernel, args))
      execution.isConfined = false;
    // That vectors are right the usual form decides.
    if (!raised && execution.hasUsualForm && execution.width > 1)
      return;
    FollowedPointers pointers = mlir::op2::findFollowedPointers(kernel, args);
    if (!pointers)
      execution.pointers.reset();
    else if (execution.pointers)
      execution.pointers->merge(*pointers);
    if (raised)
      execution.operations = std::max(execution.operations.value_or(0),
                                      mlir::op2::countFloatingPoint(raised));
  }

  void collectExecutions(mlir::Operation *op) {
    op->walk([&](mlir::op2::PlanOp plan) {
      auto function = plan->getParentOfType<mlir::FunctionOpInterface>();
      LoopExecution &execution = result.executions[function.getName().str()];
      execution.isOwned = plan.getColoring() == mlir::op2::Coloring::Owner;
      auto begin = plan.getLoop().getDefiningOp<mlir::op2::LoopBeginOp>();
      mlir::SmallVector<mlir::op2::LoopArg> args = begin.getLoopArgs();
      for (mlir::Operation *user : plan->getUsers())
        if (auto elements = llvm::dyn_cast<mlir::op2::ForElementsOp>(user)) {
          execution.width = elements.getWidth().value_or(1);
          execution.goesByRows = bool(elements.getRowEnds());
          execution.hasUsualForm = begin->hasAttr(mlir::op2::kUsualAttr);
          elements.walk([&](mlir::CallOpInterface call) {
            addKernel(call, args, execution);
          });
        }
      execution.hasConflicts = mlir::op2::hasConflicts(begin.getLoopArgs());
      if (auto reason = begin->getAttrOfType<mlir::StringAttr>(
              mlir::op2::kNotVectorizedAttr))
        execution.obstacle = reason.getValue().str();
      if (auto reason =
              begin->getAttrOfType<mlir::StringAttr>(mlir::op2::kNotOwnedAttr))
        execution.ownershipObstacle = reason.getValue().str();
      auto obstacle = begin->getAttrOfType<mlir::op2::ObstacleAttr>(
          mlir::op2::kNotRaisedAttr);
      if (options.raise)
        execution.raiseObstacle =
            obstacle ? obstacle.getReason().str() +
                           describePlace(mlir::Location(obstacle.getLoc()))
                     : "";
    });
  }

  void collectOwnershipObstacles(mlir::Operation *op) {
    op->walk([&](mlir::op2::LoopBeginOp begin) {
      auto function = begin->getParentOfType<mlir::FunctionOpInterface>();
      if (auto reason =
              begin->getAttrOfType<mlir::StringAttr>(mlir::op2::kNotOwnedAttr))
        result.ownershipObstacles[function.getName().str()] =
            reason.getValue().str();
    });
  }

  void collectPTX(mlir::Operation *op) {
    forEachObject(op, [&](mlir::gpu::ObjectAttr object) {
      auto chip = llvm::cast<mlir::NVVM::NVVMTargetAttr>(object.getTarget());
      texts.ptx[chip.getChip().str()] = object.getObject().getValue().str();
    });
  }

  /// MLIR tells files and lines only: what has none gets line 0, or, if it was
  /// inlined, the line of the call.
  static void completePlaces(mlir::Operation *op) {
    mlir::AttrTypeReplacer replacer;
    replacer.addReplacement([](mlir::UnknownLoc none) -> mlir::Attribute {
      return mlir::FileLineColLoc::get(none.getContext(), "", 0, 0);
    });
    replacer.addReplacement([](mlir::CallSiteLoc call) -> mlir::Attribute {
      if (!call.getCallee()->findInstanceOf<mlir::FileLineColLoc>())
        return call.getCaller();
      return call;
    });
    replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/false,
                                          /*replaceLocs=*/true);
  }

  /// Of the first chip: device code is compiled once more, from a copy that
  /// says where it comes from. What is embedded does not.
  void listPTX(mlir::Operation *op) {
    mlir::OwningOpRef<mlir::ModuleOp> copy =
        mlir::ModuleOp::create(op->getLoc());
    for (auto device : op->getRegion(0).getOps<mlir::gpu::GPUModuleOp>()) {
      auto clone = llvm::cast<mlir::gpu::GPUModuleOp>(device->clone());
      copy->push_back(clone);
      clone.setTargetsAttr(
          mlir::Builder(op->getContext())
              .getArrayAttr(clone.getTargetsAttr().getValue().take_front()));
    }
    completePlaces(*copy);
    mlir::PassManager manager(op->getContext());
    manager.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
        {mlir::LLVM::DIEmissionKind::DebugDirectivesOnly}));
    mlir::GpuModuleToBinaryPassOptions binaryOptions;
    binaryOptions.compilationTarget = "isa";
    binaryOptions.toolkitPath = mlir::op2::findCudaRoot(options.gpu.cudaPath);
    manager.addPass(mlir::createGpuModuleToBinaryPass(binaryOptions));
    // What goes wrong goes wrong again where it counts.
    if (mlir::failed(manager.run(*copy)))
      return;
    forEachObject(*copy, [&](mlir::gpu::ObjectAttr object) {
      texts.listings.emplace_back(
          "PTX", listDeviceCode(object.getObject().getValue(), result.kernels));
    });
  }

  static void
  forEachObject(mlir::Operation *op,
                llvm::function_ref<void(mlir::gpu::ObjectAttr)> visit) {
    op->walk([&](mlir::gpu::BinaryOp binary) {
      for (mlir::Attribute object : binary.getObjects())
        visit(llvm::cast<mlir::gpu::ObjectAttr>(object));
    });
  }

  CompiledTarget &result;
  StageTexts &texts;
  Target target;
  const PluginOptions &options;
  bool hasLoops = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

static bool isRunFunction(llvm::StringRef name) {
  return name.starts_with("__op2_run_");
}

/// Gives the functions of loops their name for the target: a file may hold the
/// loops for several.
static void addTargetToNames(llvm::Module &module, Target target) {
  std::string suffix = "__" + getWord(target).str();
  for (llvm::Function &function : module)
    if (isRunFunction(function.getName()))
      function.setName(function.getName() + suffix);
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getName().starts_with(mlir::op2::kLoopDescriptionPrefix))
      variable.setName(variable.getName() + suffix);
}

mlir::op2::DeviceFormat
op2::frontend::chooseFormat(const PluginOptions &options) {
  if (options.gpu.format)
    return *options.gpu.format;
  // The text is all that is wanted.
  if (options.emit == Stage::PTX)
    return mlir::op2::DeviceFormat::PTX;
  mlir::op2::CudaToolkit toolkit(options.gpu.cudaPath);
  bool hasTools = !toolkit.findProgram("ptxas").empty() &&
                  !toolkit.findProgram("fatbinary").empty();
  return hasTools ? mlir::op2::DeviceFormat::Fatbin
                  : mlir::op2::DeviceFormat::PTX;
}

std::string op2::frontend::describeFormat(const PluginOptions &options) {
  const std::vector<std::string> &chips = options.gpu.chips;
  std::string list = llvm::join(chips, ", ");
  switch (chooseFormat(options)) {
  case mlir::op2::DeviceFormat::Cubin:
    return "machine code for " + list;
  case mlir::op2::DeviceFormat::Fatbin:
    return "machine code for " + list + ", and PTX for newer chips";
  case mlir::op2::DeviceFormat::PTX:
    break;
  }
  auto number = [](llvm::StringRef chip) {
    return *mlir::op2::getChipNumber(chip);
  };
  auto oldest =
      std::min_element(chips.begin(), chips.end(),
                       [&](const std::string &a, const std::string &b) {
                         return number(a) < number(b);
                       });
  return "PTX for " + *oldest + " and newer chips, which the driver compiles" +
         std::string(options.gpu.format ? "" : " (CUDA's ptxas was not found)");
}

static void buildPipeline(mlir::OpPassManager &manager, Target target,
                          const PluginOptions &given) {
  const PlanOptions &plan = given.plan;
  mlir::op2::PipelineOptions options;
  options.registerLoops = true;
  options.raise = given.raise;
  options.check = false; // done, with the kernel's source
  options.delay = false; // the frontend analyses the C++ program itself
  if (given.split == SplitLevel::Always) {
    options.splitMaxValues = mlir::op2::kValueCounts.min;
    options.splitMaxExtra = mlir::op2::kPercents.max;
  }
  options.blockSize = plan.blockSize;
  options.layout = plan.layout;
  options.countAccesses = plan.countAccesses;
  options.strategy = plan.strategy;
  if (isDevice(target))
    options.strategy =
        mlir::op2::chooseDeviceStrategy(plan.strategy, given.ranks);
  switch (target) {
  case Target::Seq:
    return mlir::op2::buildOP2ToSeqPipeline(manager, options);
  case Target::OpenMP:
    return mlir::op2::buildOP2ToOpenMPPipeline(manager, options);
  case Target::CUDA:
    options.format = chooseFormat(given);
    options.cudaPath = given.gpu.cudaPath;
    return mlir::op2::buildOP2ToGPUPipeline(manager, options);
  case Target::Emulator:
    return mlir::op2::buildOP2ToEmulatorPipeline(manager, options);
  }
}

CompiledTarget op2::frontend::compileForTarget(mlir::ModuleOp module,
                                               Target target,
                                               const PluginOptions &options,
                                               llvm::LLVMContext &context) {
  CompiledTarget result;
  StageTexts &texts = result.texts;
  texts.wanted = options.emit != Stage::None || !options.saveTemps.empty();
  texts.areListed = options.writesPage();
  // The sequential oracle has no stage with raised kernels.
  if (texts.areListed && target == Target::Seq)
    texts.listings.emplace_back("op2 IR", listFunctions(module));
  if (texts.wanted)
    texts.texts[Stage::OP2] = print(module, options);
  mlir::PassManager manager(module.getContext());
  manager.addInstrumentation(
      std::make_unique<StageWatcher>(result, target, options));
  buildPipeline(manager, target, options);
  // Once, at the end: after each pass it takes up to a sixth of their time.
  manager.enableVerifier(false);
  // Reported when the last timer ends.
  mlir::DefaultTimingManager timing;
  timing.setEnabled(llvm::TimePassesIsEnabled);
  mlir::TimingScope allPasses = timing.getRootScope();
  manager.enableTiming(allPasses);
  {
    TimedRegion timed("mlir", "MLIR passes");
    if (mlir::failed(manager.run(module)) || mlir::failed(mlir::verify(module)))
      return result;
  }
  TimedRegion timed("translate", "Translation to LLVM IR");
  result.module = mlir::translateModuleToLLVMIR(module, context, "op2");
  if (!result.module)
    return result;
  if (texts.wanted) {
    llvm::raw_string_ostream stream(texts.texts[Stage::LLVM]);
    result.module->print(stream, nullptr);
  }
  addTargetToNames(*result.module, target);
  return result;
}
