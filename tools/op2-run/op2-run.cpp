//===- op2-run.cpp - Compile and run an op2 program in memory -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2-run [--target=seq|openmp|emulator] [-O0 ... -O3] [--entry=main]
//         [options of the pipeline] file.mlir
//
// Runs a function without parameters that returns nothing or an i32, which
// becomes the exit status. 1 is also the status of every error.
//
// mpirun -n 4 op2-run --ranks file.mlir
//
// Each process declares the whole mesh, unless OP2_RANKS says otherwise.
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
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;

namespace {
/// There is no driver of a GPU behind the engine.
constexpr op2::Target kRunTargets[] = {op2::Target::Seq, op2::Target::OpenMP,
                                       op2::Target::Emulator};

llvm::cl::OptionCategory ours("Options of op2-run");
llvm::cl::opt<std::string> inputFile(llvm::cl::Positional, llvm::cl::cat(ours),
                                     llvm::cl::desc("<file.mlir>"),
                                     llvm::cl::init("-"));
llvm::cl::opt<op2::Target> target("target", llvm::cl::cat(ours),
                                  llvm::cl::desc("where loops run (openmp)"),
                                  op2::OneOf(kRunTargets),
                                  llvm::cl::init(op2::Target::OpenMP));
llvm::cl::opt<std::string> entry("entry", llvm::cl::cat(ours),
                                 llvm::cl::desc("function to run (main)"),
                                 llvm::cl::init("main"));
llvm::cl::opt<op2::NumberIn<op2::kOptLevels>>
    optLevel("O", llvm::cl::cat(ours), llvm::cl::desc("optimisation level (3)"),
             llvm::cl::Prefix, llvm::cl::init(3));
llvm::cl::list<std::string>
    sharedLibs("shared-libs", llvm::cl::cat(ours),
               llvm::cl::desc("libraries that the program uses"),
               llvm::cl::CommaSeparated);
llvm::cl::extrahelp pipelineHelp(
    "\nAll other options are those of the pipeline that lowers the program, "
    "as\n"
    "--block-size=64: 'op2-opt --help' lists them with --op2-to-openmp.\n");
} // namespace

static int fail(const llvm::Twine &message) {
  llvm::errs() << "op2-run: error: " << message << "\n";
  return 1;
}

/// Takes the options that this tool does not know out of `args`, for the
/// pipeline.
static std::string takePipelineOptions(SmallVectorImpl<const char *> &args) {
  std::string taken;
  llvm::erase_if(args, [&](StringRef arg) {
    if (!arg.consume_front("--") || arg.empty() ||
        llvm::cl::getRegisteredOptions().count(arg.split('=').first))
      return false;
    taken += (taken.empty() ? "" : " ") + arg.str();
    return true;
  });
  return taken;
}

static LogicalResult lower(ModuleOp module,
                           const op2::PipelineOptions &options) {
  PassManager manager(module.getContext());
  // Hand-written kernels of the gpu dialect run on the emulator.
  if (!module.getOps<gpu::GPUModuleOp>().empty())
    manager.addPass(op2::createConvertGPUToEmulatorPass());
  switch (target) {
  case op2::Target::Seq:
    op2::buildOP2ToSeqPipeline(manager, options);
    break;
  case op2::Target::OpenMP:
    op2::buildOP2ToOpenMPPipeline(manager, options);
    break;
  case op2::Target::Emulator:
    op2::buildOP2ToEmulatorPipeline(manager, options);
    break;
  case op2::Target::CUDA:
    llvm_unreachable("not among kRunTargets");
  }
  return manager.run(module);
}

/// The entry's result type is checked before anything runs: the engine would
/// call whatever stands there.
static FailureOr<bool> returnsStatus(ModuleOp module) {
  auto function = module.lookupSymbol<FunctionOpInterface>(entry);
  if (!function)
    return emitError(module.getLoc()) << "no function '" << entry << "' to run";
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

// OP2/API/op_lib_core.h, which has macros for programs.
extern "C" void op_init(int argc, char **argv, int diags);
extern "C" void op_exit(void);

namespace {
/// The ranks of the program, as long as it runs: op_init and op_exit, which
/// programs of the dialect do not call.
class Ranks {
public:
  explicit Ranks(char *tool) {
    // Only who uses ranks needs MPI; its plug-ins look for its symbols.
    if (!dlopen("libop2_mpi.so", RTLD_NOW | RTLD_GLOBAL)) {
      fail(llvm::Twine("--ranks needs libop2_mpi: ") + dlerror());
      std::exit(1);
    }
    setenv("OP2_RANKS", "whole", /*overwrite=*/0);
    op_init(1, &tool, 0);
  }
  ~Ranks() { op_exit(); }
};
} // namespace

static int run(ModuleOp module, bool hasStatus, bool hasRanks, char *tool) {
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
  // The engine says of one that it cannot load only that.
  std::string problem;
  for (const std::string &library : sharedLibs)
    if (!llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(),
                                                        &problem)
             .isValid())
      return fail("--shared-libs: " + problem);
  options.sharedLibPaths = libraries;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return fail(llvm::toString(engine.takeError()));
  auto address = (*engine)->lookup(entry);
  if (!address)
    return fail(llvm::toString(address.takeError()));
  std::optional<Ranks> ranks;
  if (hasRanks)
    ranks.emplace(tool);
  if (hasStatus)
    return reinterpret_cast<int32_t (*)()>(*address)();
  reinterpret_cast<void (*)()>(*address)();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(ours);
  SmallVector<const char *> args(argv, argv + argc);
  std::string pipelineOptions = takePipelineOptions(args);
  llvm::cl::ParseCommandLineOptions(int(args.size()), args.data(),
                                    "run an op2 program\n");
  auto options = op2::PipelineOptions::createFromString(pipelineOptions);
  if (!options)
    return 1;
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
  // What passes did and did not do is for op2-opt to tell.
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  FailureOr<bool> hasStatus = returnsStatus(*module);
  if (failed(hasStatus))
    return 1;
  if (failed(lower(*module, *options)))
    return 1;
  return run(*module, *hasStatus, options->ranks, argv[0]);
}
