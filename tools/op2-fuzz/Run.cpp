//===- Run.cpp - Compiles and runs a program in this process --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <ctime>

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;
namespace orc = llvm::orc;

extern "C" void op_init(int argc, char **argv, int diags);
extern "C" void op_exit(void);
// Of the OpenMP runtime, without the compiler's part of it.
extern "C" void omp_set_num_threads(int count);

static std::vector<uint64_t> *shown = nullptr;

static void printI64(int64_t value) { shown->push_back(uint64_t(value)); }
static void printNewline() {}

namespace {
/// Adds the time until its end to a phase.
class PhaseClock {
public:
  PhaseClock(Coverage &coverage, const char *phase)
      : coverage(coverage), phase(phase), start(now()) {}
  ~PhaseClock() { coverage.addSeconds(phase, now() - start); }

private:
  /// Of this process alone: others share the cores.
  static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }
  Coverage &coverage;
  const char *phase;
  double start;
};
} // namespace

Runner::Runner(MLIRContext &context, Coverage &coverage)
    : context(context), coverage(coverage) {
  auto found = orc::JITTargetMachineBuilder::detectHost();
  if (!found)
    llvm::report_fatal_error(found.takeError());
  host = std::make_unique<orc::JITTargetMachineBuilder>(std::move(*found));
}

Runner::~Runner() = default;

static llvm::Error defineFunctions(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto define = [&](const char *name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported |
                                              llvm::JITSymbolFlags::Callable};
  };
  define("printI64", &printI64);
  define("printNewline", &printNewline);
  orc::JITDylib &library = jit.getMainJITDylib();
  if (auto error = library.define(orc::absoluteSymbols(symbols)))
    return error;
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

static void runMain(orc::ExecutorAddr main, const Variant &variant) {
  for (auto &[name, value] : variant.environment())
    ::setenv(name.c_str(), value.c_str(), 1);
  omp_set_num_threads(variant.threads);
  op_init(0, nullptr, 0);
  main.toPtr<void()>()();
  op_exit();
}

std::string Runner::execute(ModuleOp module, const Variant &variant) {
  auto builder = *host;
  builder.setCodeGenOptLevel(variant.optLevel == 0
                                 ? llvm::CodeGenOptLevel::None
                                 : llvm::CodeGenOptLevel::Default);
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code;
  auto jit = [&] {
    PhaseClock clock(coverage, "translate");
    code = translateModuleToLLVMIR(module, *llvmContext);
    return orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create();
  }();
  if (!jit)
    return llvm::toString(jit.takeError());
  if (!code)
    return "translation to LLVM IR failed";
  code->setDataLayout((*jit)->getDataLayout());
  code->setTargetTriple((*jit)->getTargetTriple());
  if (auto error = defineFunctions(**jit))
    return llvm::toString(std::move(error));
  PhaseClock clock(coverage, variant.optLevel ? "optimise, codegen, run"
                                              : "codegen, run");
  if (variant.optLevel > 0) {
    auto machine = builder.createTargetMachine();
    if (!machine)
      return llvm::toString(machine.takeError());
    auto optimise =
        makeOptimizingTransformer(variant.optLevel, 0, machine->get());
    if (auto error = optimise(code.get()))
      return llvm::toString(std::move(error));
  }
  if (auto error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(code), std::move(llvmContext))))
    return llvm::toString(std::move(error));
  auto main = (*jit)->lookup("main");
  if (!main)
    return llvm::toString(main.takeError());
  runMain(*main, variant);
  return "";
}

Outcome Runner::run(ModuleOp module, const Variant &variant) {
  Outcome outcome;
  shown = &outcome.values;
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      messages += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(&context);
  manager.enableVerifier(variant.verifies);
  manager.addInstrumentation(coverage.createInstrumentation());
  buildPipeline(manager, variant);
  {
    PhaseClock clock(coverage,
                     variant.target == Target::Seq        ? "passes, seq"
                     : variant.target == Target::OpenMP   ? "passes, openmp"
                     : variant.target == Target::Emulator ? "passes, emulator"
                                                          : "passes, gpu");
    if (failed(manager.run(*copy))) {
      outcome.error = "the pipeline failed: " + messages;
      return outcome;
    }
  }
  if (variant.target == Target::CUDA)
    return outcome;
  outcome.error = execute(*copy, variant);
  if (!outcome.error.empty())
    outcome.error += ": " + messages;
  return outcome;
}
