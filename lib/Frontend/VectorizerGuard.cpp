//===- VectorizerGuard.cpp - Loops that LLVM does not vectorize -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorizerGuard.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

/// How many instructions compute what no iteration has a part in.
static int countShared(const llvm::Loop &loop) {
  llvm::DenseSet<const llvm::Value *> shared;
  // Blocks of a loop come in no certain order; what is not seen in time counts
  // as different.
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &inst : *block) {
      bool isShared =
          !llvm::isa<llvm::PHINode>(inst) && !inst.isTerminator() &&
          !inst.mayHaveSideEffects() &&
          llvm::all_of(inst.operands(), [&](const llvm::Value *operand) {
            return loop.isLoopInvariant(operand) || shared.contains(operand);
          });
      if (isShared)
        shared.insert(&inst);
    }
  return int(shared.size());
}

static bool hasWideIntegers(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &inst) {
      const auto *type = llvm::dyn_cast<llvm::IntegerType>(inst.getType());
      return type && type->getBitWidth() > 64;
    });
  });
}

namespace {
class VectorizerGuardPass : public llvm::PassInfoMixin<VectorizerGuardPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    constexpr int kMost = 24;
    for (llvm::Loop *loop :
         analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->isInnermost() &&
          (countShared(*loop) > kMost || hasWideIntegers(*loop)))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

void op2::frontend::registerVectorizerGuard(llvm::PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(VectorizerGuardPass());
      });
}
