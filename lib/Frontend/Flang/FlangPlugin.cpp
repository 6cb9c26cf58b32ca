//===- FlangPlugin.cpp - The plugin for flang -----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass at the start of LLVM's pipeline, before the one that both compilers
// have in common (CodeGeneration.cpp): finds the loops in the LLVM IR that
// flang leaves, checks them, and rewrites them into the form of C++'s.
//
//===----------------------------------------------------------------------===//

#include "CodeGeneration.h"
#include "Diagnostics.h"
#include "KernelFiles.h"
#include "LoopTranslator.h"
#include "ModulePreparation.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"

using namespace op2::frontend;

// flang passes options on by -mllvm only, which are LLVM's.
static llvm::cl::list<std::string>
    engineOptions("op2", llvm::cl::desc("An option of OP2's compiler"));
static llvm::cl::opt<std::string>
    moduleFolder("op2-module-dir", llvm::cl::init("."),
                 llvm::cl::desc("Where flang writes .mod files"));
static llvm::cl::list<std::string>
    includeFolders("op2-include",
                   llvm::cl::desc("Where flang looks for .mod files"));
static llvm::cl::opt<DebugDetail> debugDetail(
    "op2-debug", llvm::cl::init(DebugDetail::Full),
    llvm::cl::desc("Debug information that the program asked for"),
    llvm::cl::values(clEnumValN(DebugDetail::None, "none", "none"),
                     clEnumValN(DebugDetail::Lines, "lines", "lines"),
                     clEnumValN(DebugDetail::Full, "full", "all")));

namespace {
/// Messages with Fortran's lines.
struct FortranDiagnostics {
  FortranDiagnostics() {
    engine.setSourceManager(&sources);
    options.ShowColors = llvm::sys::Process::StandardErrHasColors();
    printer.BeginSourceFile(language, nullptr);
  }

  clang::LangOptions language;
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer{llvm::errs(), options};
  clang::DiagnosticsEngine engine{clang::DiagnosticIDs::create(), options,
                                  &printer, /*ShouldOwnClient=*/false};
  clang::FileManager files{clang::FileSystemOptions()};
  clang::SourceManager sources{engine, files};
};

/// flang goes on after errors that are not LLVM's.
void stopAfterErrors(llvm::Module &module,
                     const clang::DiagnosticsEngine &diags) {
  if (diags.hasErrorOccurred())
    module.getContext().emitError("OP2's loops could not be compiled");
}

struct FindLoopsPass : llvm::PassInfoMixin<FindLoopsPass> {
  FindLoopsPass(std::shared_ptr<FileLoops> loops,
                std::shared_ptr<PluginOptions> options,
                clang::DiagnosticsEngine &diags)
      : loops(std::move(loops)), options(std::move(options)), diags(&diags) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    std::vector<std::string> folders{moduleFolder};
    folders.insert(folders.end(), includeFolders.begin(), includeFolders.end());
    folders.push_back("."); // flang looks there, too
    dropUnusedCopies(module);
    if (options->emit == Stage::None)
      if (std::string problem = writeKernelFiles(module, moduleFolder);
          !problem.empty())
        error(*diags, {}, Problem::File, "%0") << problem;
    bool hasLoops = translateLoops(module, *loops, *options, folders, *diags);
    if (hasLoops)
      prepareForLoops(module);
    bool needsLines = options->writesPage() && debugDetail == DebugDetail::None;
    setDebugDetail(module, needsLines ? DebugDetail::Lines : debugDetail);
    loops->dropsPlaces = debugDetail == DebugDetail::None;
    if (diags->hasErrorOccurred())
      loops->loops.clear();
    return llvm::PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

  std::shared_ptr<FileLoops> loops;
  std::shared_ptr<PluginOptions> options;
  clang::DiagnosticsEngine *diags;
};

struct StopPass : llvm::PassInfoMixin<StopPass> {
  explicit StopPass(clang::DiagnosticsEngine &diags) : diags(&diags) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    stopAfterErrors(module, *diags);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  clang::DiagnosticsEngine *diags;
};

void registerPasses(llvm::PassBuilder &builder) {
  // As long as flang runs: passes report to it.
  static auto *diagnostics = new FortranDiagnostics;
  auto loops = std::make_shared<FileLoops>();
  auto options = std::make_shared<PluginOptions>();
  bool areValid = options->parse(
      std::vector<std::string>(engineOptions.begin(), engineOptions.end()),
      diagnostics->engine);
  clang::DiagnosticsEngine &diags = diagnostics->engine;
  if (areValid) {
    builder.registerPipelineStartEPCallback(
        [=, &diags](llvm::ModulePassManager &passes,
                    llvm::OptimizationLevel level) {
          // Clang says so by itself, function by function.
          loops->keepsKernels = level == llvm::OptimizationLevel::O0;
          loops->callsKernels = options->trapsMath;
          passes.addPass(FindLoopsPass(loops, options, diags));
        });
    registerCodeGeneration(builder, loops, *options, diags);
  }
  builder.registerPipelineStartEPCallback(
      [&diags](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(StopPass(diags));
      });
}
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "op2", LLVM_VERSION_STRING, registerPasses};
}
