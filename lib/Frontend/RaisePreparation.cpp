//===- RaisePreparation.cpp - Kernels as raising wants them -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaisePreparation.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::Loop;

//===----------------------------------------------------------------------===//
// Loops to be unrolled
//===----------------------------------------------------------------------===//

/// LLVM unrolls loops that carry this whole, up to 16384 instructions.
static constexpr char kUnroll[] = "llvm.loop.unroll.full";
/// Says that the former is ours.
static constexpr char kOurs[] = "op2.unroll";
/// Instructions that a kernel's loops may become.
static constexpr unsigned kMaxInstructions = 4096;

namespace {
/// Asks for loops with a small constant number of instructions to be unrolled:
/// `for (n = 0; n < 4; n++)` is a notation for four statements.
struct MarkSmallLoops : public llvm::PassInfoMixin<MarkSmallLoops> {
  llvm::PreservedAnalyses run(Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Takes the marks back from loops that did not get unrolled after all.
struct UnmarkLoops : public llvm::PassInfoMixin<UnmarkLoops> {
  llvm::PreservedAnalyses run(Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};
} // namespace

/// Marks a loop nest from the inside out; returns the number of instructions
/// that it has when marked loops are unrolled.
static unsigned markNest(Loop &loop, llvm::ScalarEvolution &evolution) {
  unsigned size = 0;
  for (Loop *inner : loop)
    size += markNest(*inner, evolution);
  for (llvm::BasicBlock *block : loop.blocks())
    if (llvm::none_of(loop,
                      [&](Loop *inner) { return inner->contains(block); }))
      size += block->size();
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips == 0 || uint64_t(trips) * size > kMaxInstructions)
    return size;
  // Clang's -O1 asks for loops to be left alone, which is a hint only.
  loop.setLoopID(llvm::makePostTransformationMetadata(
      loop.getHeader()->getContext(), loop.getLoopID(), {"llvm.loop.unroll."},
      {}));
  llvm::addStringMetadataToLoop(&loop, kUnroll);
  llvm::addStringMetadataToLoop(&loop, kOurs);
  return trips * size;
}

llvm::PreservedAnalyses
MarkSmallLoops::run(Function &function,
                    llvm::FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function))
    markNest(*loop, evolution);
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses
UnmarkLoops::run(Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (llvm::getBooleanLoopAttribute(loop, kOurs))
      loop->setLoopID(llvm::makePostTransformationMetadata(
          function.getContext(), loop->getLoopID(), {kUnroll, kOurs}, {}));
  return llvm::PreservedAnalyses::all();
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Inlining is not a matter of costs here: what stays a call is not raised.
static void inlineHelpers(llvm::Module &clone) {
  for (Function &function : clone)
    if (function.hasAvailableExternallyLinkage() &&
        !function.hasFnAttribute(llvm::Attribute::NoInline))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
}

namespace {
/// LLVM's passes on one module.
class Passes {
public:
  Passes() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(cgscc);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, cgscc, modules);
  }

  void add(llvm::StringRef pipeline) {
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  }
  template <typename PassT> void addFunctionPass(PassT pass) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
  }
  void run(llvm::Module &module) { passes.run(module, modules); }

private:
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  llvm::ModulePassManager passes;
};
} // namespace

void op2::frontend::prepareForRaising(llvm::Module &clone) {
  static constexpr char kSimplify[] =
      "function(sroa,early-cse<memssa>,simplifycfg,"
      "instcombine<no-verify-fixpoint>)";
  inlineHelpers(clone);
  Passes passes;
  passes.add("always-inline,cgscc(inline),elim-avail-extern,globaldce");
  passes.add(kSimplify);
  passes.add("function(loop(loop-rotate))");
  // Twice: bounds of inner loops may become constants in the first round.
  for (int round = 0; round < 2; ++round) {
    passes.addFunctionPass(MarkSmallLoops());
    passes.add("function(loop(loop-unroll-full))");
    passes.add(kSimplify);
  }
  passes.addFunctionPass(UnmarkLoops());
  passes.run(clone);
}
