//===- op2-run.cpp - Compile and run an op2 program in memory -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2-run [--target=seq|openmp|emulator] [-O0 ... -O3] [--entry=main] file.mlir
//
// Runs a function without parameters that returns nothing or an i32, which
// becomes the exit status. 1 is also the status of every error.
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Pipelines/Pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace {
enum class RunTarget { Seq, OpenMP, Emulator };

llvm::cl::opt<std::string> inputFile(llvm::cl::Positional,
                                     llvm::cl::desc("<file.mlir>"),
                                     llvm::cl::init("-"));
llvm::cl::opt<RunTarget>
    target("target", llvm::cl::desc("where loops run"),
           llvm::cl::values(clEnumValN(RunTarget::Seq, "seq",
                                       "one element after another"),
                            clEnumValN(RunTarget::OpenMP, "openmp",
                                       "blocks on OpenMP threads (default)"),
                            clEnumValN(RunTarget::Emulator, "emulator",
                                       "device code on the CPU")),
           llvm::cl::init(RunTarget::OpenMP));
llvm::cl::opt<std::string> entry("entry",
                                 llvm::cl::desc("function to run (main)"),
                                 llvm::cl::init("main"));
llvm::cl::opt<op2::NumberIn<op2::kOptLevels>>
    optLevel("O", llvm::cl::desc("optimisation level (3)"), llvm::cl::Prefix,
             llvm::cl::init(3));
llvm::cl::opt<op2::NumberIn<op2::kBlockSizes>>
    blockSize("block-size", llvm::cl::desc("elements per block (0: auto)"),
              llvm::cl::init(0));
llvm::cl::opt<op2::NumberIn<op2::kVectorBits>>
    vectorBits("vector-bits",
               llvm::cl::desc("size of the vectors that kernels are widened to "
                              "on OpenMP (512); 0: none"),
               llvm::cl::init(512));
llvm::cl::opt<bool> gathers(
    "gathers",
    llvm::cl::desc("fetch rows of at most 64 bits by gathers, on OpenMP"));
llvm::cl::opt<op2::Strategy>
    strategy("strategy", llvm::cl::desc("how loops avoid races"),
             llvm::cl::values(clEnumValN(op2::Strategy::Auto, "auto",
                                         "owner with OpenMP, two-level on a "
                                         "device (default)"),
                              clEnumValN(op2::Strategy::Owner, "owner",
                                         "threads own what they add to "
                                         "(OpenMP)"),
                              clEnumValN(op2::Strategy::TwoLevel, "two-level",
                                         "block and element colours"),
                              clEnumValN(op2::Strategy::Atomics, "atomics",
                                         "atomic additions"),
                              clEnumValN(op2::Strategy::Global, "global",
                                         "colours of all elements")),
             llvm::cl::init(op2::Strategy::Auto));
llvm::cl::opt<bool> stage("stage",
                          llvm::cl::desc("copy indirect data to shared memory "
                                         "on a device (true)"),
                          llvm::cl::init(true));
llvm::cl::opt<bool> stageDirect(
    "stage-direct",
    llvm::cl::desc("copy the data of direct loops to shared memory, too"));
llvm::cl::opt<op2::Layout> layout(
    "layout", llvm::cl::desc("how dats lie on a device"),
    llvm::cl::values(clEnumValN(op2::Layout::AoS, "aos",
                                "array of structs (default)"),
                     clEnumValN(op2::Layout::SoA, "soa", "struct of arrays")),
    llvm::cl::init(op2::Layout::AoS));
llvm::cl::opt<bool>
    wholeKernel("whole-kernel",
                llvm::cl::desc("let element colours control whole kernels"),
                llvm::cl::init(false));
llvm::cl::list<std::string>
    sharedLibs("shared-libs", llvm::cl::desc("libraries that the program uses"),
               llvm::cl::CommaSeparated);
} // namespace

static int fail(const llvm::Twine &message) {
  llvm::errs() << "op2-run: error: " << message << "\n";
  return 1;
}

static LogicalResult lower(ModuleOp module) {
  PassManager manager(module.getContext());
  // Hand-written kernels of the gpu dialect run on the emulator.
  if (!module.getOps<gpu::GPUModuleOp>().empty())
    manager.addPass(op2::createConvertGPUToEmulatorPass());
  op2::PipelineOptions options;
  options.blockSize = int64_t(blockSize);
  options.vectorBits = int64_t(vectorBits);
  options.gathers = gathers;
  options.strategy = strategy;
  options.stage = stage;
  options.stageDirect = stageDirect;
  options.layout = layout;
  options.wholeKernel = wholeKernel;
  switch (target) {
  case RunTarget::Seq:
    op2::buildOP2ToSeqPipeline(manager, options);
    break;
  case RunTarget::OpenMP:
    op2::buildOP2ToOpenMPPipeline(manager, options);
    break;
  case RunTarget::Emulator:
    op2::buildOP2ToEmulatorPipeline(manager, options);
    break;
  }
  return manager.run(module);
}

/// The entry's result type is checked before anything runs: the engine would
/// call whatever stands there.
static FailureOr<bool> returnsStatus(ModuleOp module) {
  auto function = module.lookupSymbol<FunctionOpInterface>(entry);
  if (!function)
    return module.emitError() << "no function '" << entry << "' to run";
  ArrayRef<Type> results = function.getResultTypes();
  bool isVoid = results.empty();
  if (function.isExternal() || function.getNumArguments() != 0 ||
      !(isVoid || (results.size() == 1 && results[0].isSignlessInteger(32))))
    return function.emitError()
           << "'" << entry
           << "' must have a body, take no parameters and return nothing or "
              "an i32";
  return !isVoid;
}

static int run(ModuleOp module, bool hasStatus) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(llvm::toString(builder.takeError()));
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(llvm::toString(machine.takeError()));
  // The engine keeps a reference only: the transformer must outlive it.
  auto transformer =
      makeOptimizingTransformer(unsigned(int64_t(optLevel)), 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = transformer;
  SmallVector<StringRef> libraries(sharedLibs.begin(), sharedLibs.end());
  options.sharedLibPaths = libraries;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return fail(llvm::toString(engine.takeError()));
  auto address = (*engine)->lookup(entry);
  if (!address)
    return fail(llvm::toString(address.takeError()));
  if (hasStatus)
    return reinterpret_cast<int32_t (*)()>(*address)();
  reinterpret_cast<void (*)()>(*address)();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "run an op2 program\n");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();

  DialectRegistry registry;
  registerAllDialects(registry);
  op2::registerOP2Dialects(registry);
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry);

  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file)
    return fail(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  FailureOr<bool> hasStatus = returnsStatus(*module);
  if (failed(hasStatus))
    return 1;
  if (failed(lower(*module)))
    return 1;
  return run(*module, *hasStatus);
}
