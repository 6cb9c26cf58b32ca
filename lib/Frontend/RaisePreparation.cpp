//===- RaisePreparation.cpp - Kernels as raising wants them -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaisePreparation.h"
#include "FortranArrays.h"
#include "HeapMemory.h"
#include "LibraryCalls.h"
#include "ModulePasses.h"
#include "PointerChecks.h"
#include "UsualForms.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::Loop;

//===----------------------------------------------------------------------===//
// Loops to be unrolled
//===----------------------------------------------------------------------===//

/// LLVM unrolls loops that carry this whole, up to 16384 instructions.
static constexpr char kUnroll[] = "llvm.loop.unroll.full";
/// Marks the former as ours.
static constexpr char kOurs[] = "op2.unroll";
/// Instructions that a kernel's loops may become.
static constexpr unsigned kMaxInstructions = 4096;
/// The same on a device, where what is unrolled costs registers, and these cost
/// threads: fem's assembly takes 168 instead of 128 when unrolled whole.
static constexpr unsigned kMaxDeviceInstructions = 512;
/// Times that a loop may go: beyond that it is a loop, which LLVM vectorizes,
/// where it takes time that grows with the square of as many statements.
static constexpr unsigned kMaxTrips = 64;

namespace {
/// Requests that loops with a small constant number of instructions be
/// unrolled: `for (n = 0; n < 4; n++)` is a notation for four statements.
struct MarkSmallLoops : public llvm::PassInfoMixin<MarkSmallLoops> {
  explicit MarkSmallLoops(unsigned limit) : limit(limit) {}
  llvm::PreservedAnalyses run(Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  unsigned limit; ///< instructions
};

/// Takes the marks back from loops that did not get unrolled after all.
struct UnmarkLoops : public llvm::PassInfoMixin<UnmarkLoops> {
  llvm::PreservedAnalyses run(Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};
} // namespace

/// Marks a loop nest from the inside out; returns the number of instructions
/// that it has when marked loops are unrolled.
static unsigned markNest(Loop &loop, llvm::ScalarEvolution &evolution,
                         unsigned limit) {
  unsigned size = 0;
  for (Loop *inner : loop)
    size += markNest(*inner, evolution, limit);
  for (llvm::BasicBlock *block : loop.blocks())
    if (llvm::none_of(loop,
                      [&](Loop *inner) { return inner->contains(block); }))
      size += block->size();
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  // Where a kernel only goes on, its check has one exit more.
  if (trips == 0 && op2::frontend::isCheck(*loop.getHeader()->getParent()))
    trips = evolution.getSmallConstantMaxTripCount(&loop);
  if (trips == 0 || trips > kMaxTrips || uint64_t(trips) * size > limit)
    return size;
  // Clang's -O1 marks loops not to be unrolled, which is a hint only.
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
    markNest(*loop, evolution, limit);
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
// Loads of one of several objects
//===----------------------------------------------------------------------===//

namespace {
/// Of `c ? x[n] : *y` instcombine makes one load of one of two pointers; this
/// makes it two loads again.
struct SplitLoads : public llvm::PassInfoMixin<SplitLoads> {
  llvm::PreservedAnalyses run(Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};
} // namespace

/// Would a load at the end of each predecessor see the same memory?
static bool canSplit(llvm::LoadInst &load, llvm::PHINode &pointer) {
  if (pointer.getParent() != load.getParent() || !load.isSimple())
    return false;
  for (llvm::Instruction &before : *load.getParent()) {
    if (&before == &load)
      break;
    if (before.mayWriteToMemory() ||
        !llvm::isGuaranteedToTransferExecutionToSuccessor(&before))
      return false;
  }
  auto getObject = [](llvm::Value *value) {
    return llvm::getUnderlyingObject(value);
  };
  bool isOneObject =
      llvm::all_equal(llvm::map_range(pointer.incoming_values(), getObject));
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> sources(pointer.block_begin(),
                                                   pointer.block_end());
  return !isOneObject && sources.size() == pointer.getNumIncomingValues() &&
         !sources.contains(pointer.getParent()) &&
         llvm::all_of(sources, [](llvm::BasicBlock *block) {
           return llvm::isa<llvm::BranchInst>(block->getTerminator());
         });
}

static void splitLoad(llvm::LoadInst &load, llvm::PHINode &pointer) {
  // On the ways into the block, and no others.
  for (unsigned i = 0; i < pointer.getNumIncomingValues(); ++i) {
    llvm::BasicBlock *source = pointer.getIncomingBlock(i);
    if (!source->getUniqueSuccessor())
      llvm::SplitEdge(source, pointer.getParent());
  }
  auto *values =
      llvm::PHINode::Create(load.getType(), pointer.getNumIncomingValues(), "",
                            pointer.getIterator());
  for (unsigned i = 0; i < pointer.getNumIncomingValues(); ++i) {
    llvm::BasicBlock *source = pointer.getIncomingBlock(i);
    llvm::Instruction *part = load.clone();
    part->setOperand(0, pointer.getIncomingValue(i));
    part->insertBefore(source->getTerminator()->getIterator());
    values->addIncoming(part, source);
  }
  load.replaceAllUsesWith(values);
  load.eraseFromParent();
  if (pointer.use_empty())
    pointer.eraseFromParent();
}

llvm::PreservedAnalyses SplitLoads::run(Function &function,
                                        llvm::FunctionAnalysisManager &) {
  std::vector<llvm::LoadInst *> loads;
  for (llvm::Instruction &inst : llvm::instructions(function))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
      loads.push_back(load);
  for (llvm::LoadInst *load : loads) {
    auto *pointer = llvm::dyn_cast<llvm::PHINode>(load->getPointerOperand());
    if (pointer && canSplit(*load, *pointer))
      splitLoad(*load, *pointer);
  }
  return llvm::PreservedAnalyses::none();
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Inlines what can be, and finds out what the functions that stay do with
/// memory: those that nobody can replace, which is as good as being internal.
static void describeCalls(llvm::Module &clone, llvm::StringRef simplify) {
  ModulePasses inlining;
  inlining.add("always-inline,cgscc(inline),globaldce");
  inlining.add(simplify);
  inlining.run(clone);
  describeBLAS(clone);
  std::vector<Function *> known;
  for (Function &function : clone)
    if (function.hasFnAttribute(kExactAttr) && !function.isDeclaration())
      known.push_back(&function);
  for (Function *function : known)
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
  ModulePasses effects;
  effects.add("inferattrs,cgscc(function-attrs),rpo-function-attrs");
  effects.run(clone);
  for (Function *function : known) {
    function->setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
    function->removeFnAttr(kExactAttr);
  }
}

/// Attributes that MLIR does not know.
static void dropUnimported(llvm::Module &clone) {
  for (Function &function : clone)
    for (llvm::Argument &argument : function.args())
      argument.removeAttr(llvm::Attribute::DeadOnReturn);
}

void op2::frontend::prepareForRaising(llvm::Module &clone, bool isForDevice) {
  static constexpr char kSimplify[] =
      "function(sroa,early-cse<memssa>,dse,simplifycfg,"
      "instcombine<no-verify-fixpoint>)";
  unsigned limit = isForDevice ? kMaxDeviceInstructions : kMaxInstructions;
  dropPointerChecks(clone);
  describeCalls(clone, kSimplify);
  expandArrayCalls(clone);
  moveToStack(clone);
  if (!isForDevice)
    addUsualForms(clone);
  ModulePasses passes;
  if (!isForDevice)
    passes.add("elim-avail-extern,globaldce");
  passes.add("function(loop(loop-rotate))");
  // Twice: bounds of inner loops may become constants in the first round.
  for (int round = 0; round < 2; ++round) {
    passes.addFunctionPass(MarkSmallLoops(limit));
    passes.add("function(loop(loop-unroll-full))");
    passes.add(kSimplify);
  }
  // Structs of two floats are returned as vectors: back to their members.
  passes.add(
      "function(sroa,scalarizer<load-store>,instcombine<no-verify-fixpoint>,"
      "adce,loop(loop-deletion))");
  passes.addFunctionPass(UnmarkLoops());
  passes.addFunctionPass(SplitLoads());
  passes.run(clone);
  dropUnimported(clone);
}
