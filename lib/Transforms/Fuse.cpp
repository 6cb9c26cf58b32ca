//===- Fuse.cpp - Make neighbouring loops one -----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fused kernel does to an element what the first kernel does, and then what
// the second one does. See docs/design/fusion.md.
//
//===----------------------------------------------------------------------===//

#include "LoopRewrites.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/FusionLegality.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2FUSEPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Values of an element that a fused kernel holds at most.
static constexpr int64_t kMostValues = 64;

//===----------------------------------------------------------------------===//
// The fused kernel
//===----------------------------------------------------------------------===//

/// Gives everything in `op` the location of having been called at `caller`.
static void setCaller(Operation *op, Location caller) {
  op->walk([&](Operation *inner) {
    inner->setLoc(CallSiteLoc::get(inner->getLoc(), caller));
    for (Region &region : inner->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(CallSiteLoc::get(argument.getLoc(), caller));
  });
}

/// Appends a copy of a kernel's body; the rows of argument i are those of
/// argument `places[i]` of the fused loop, which begin at `firstRow`.
static void appendBody(func::FuncOp kernel, func::FuncOp fused,
                       ArrayRef<LoopArg> args, ArrayRef<unsigned> places,
                       ArrayRef<unsigned> firstRow) {
  IRMapping mapping;
  unsigned parameter = 0;
  for (unsigned place : places)
    for (int64_t row = 0; row < args[place].getNumOperands(); ++row)
      mapping.map(kernel.getArgument(parameter++),
                  fused.getArgument(firstRow[place] + row));
  Block &body = fused.getBody().front();
  auto builder = OpBuilder::atBlockEnd(&body);
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    setCaller(copy, fused.getLoc());
    // Behind a branch of the first kernel it would grow the stack.
    if (isa<memref::AllocaOp>(copy) && copy->getNumOperands() == 0)
      copy->moveBefore(&body, body.begin());
  }
}

static func::FuncOp createKernel(const FusionPair &pair) {
  ArrayRef<LoopArg> args = pair.getArgs();
  SmallVector<Type> types;
  SmallVector<unsigned> firstRow;
  for (const LoopArg &arg : args) {
    firstRow.push_back(types.size());
    types.append(arg.getNumOperands(), arg.getOperandType());
  }
  func::FuncOp first = pair.getKernel(false), second = pair.getKernel(true);
  OpBuilder builder(first.getContext());
  std::string name = (first.getName() + "." + second.getName()).str();
  auto fused = func::FuncOp::create(builder, first.getLoc(), name,
                                    builder.getFunctionType(types, {}));
  addKernel(fused, first);
  fused.addEntryBlock();
  appendBody(first, fused, args, pair.getPlaces(false), firstRow);
  appendBody(second, fused, args, pair.getPlaces(true), firstRow);
  builder.setInsertionPointToEnd(&fused.getBody().front());
  func::ReturnOp::create(builder, fused.getLoc());
  return fused;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// The loop that comes next in the block, if no op before it has effects.
static ParLoopOp findNeighbor(ParLoopOp loop) {
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
    if (auto next = dyn_cast<ParLoopOp>(op))
      return next;
    if (!isMemoryEffectFree(op))
      return {};
  }
  return {};
}

namespace {
struct FusePass : public op2::impl::OP2FusePassBase<FusePass> {
  using OP2FusePassBase::OP2FusePassBase;

  void runOnOperation() override {
    for (ParLoopOp loop : findStarts())
      fuseFrom(loop);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isVariant(function, VariantKind::Fused))
        finishVariant(function);
  }

private:
  SmallVector<ParLoopOp> findStarts();
  void fuseFrom(ParLoopOp loop);
  ParLoopOp fuse(ParLoopOp first, ParLoopOp second);
  std::string findObstacle(const FusionPair &pair, func::FuncOp kernel,
                           int64_t savedBytes) const;
  void finishVariant(func::FuncOp function);
};
} // namespace

/// The loops with a neighbour behind them and none before.
SmallVector<ParLoopOp> FusePass::findStarts() {
  SmallVector<ParLoopOp> starts;
  getOperation().walk([&](Block *block) {
    // What a neighbour becomes is found from the loop before it.
    ParLoopOp last;
    for (auto loop : block->getOps<ParLoopOp>()) {
      if (!last || findNeighbor(last) != loop)
        starts.push_back(loop);
      last = loop;
    }
  });
  return starts;
}

/// Fuses `loop` with its neighbours as long as that is possible.
void FusePass::fuseFrom(ParLoopOp loop) {
  while (ParLoopOp next = findNeighbor(loop)) {
    ParLoopOp fused = fuse(loop, next);
    loop = fused ? fused : next;
  }
}

/// Of a pair that may be fused, with the kernel that it would have.
std::string FusePass::findObstacle(const FusionPair &pair, func::FuncOp kernel,
                                   int64_t savedBytes) const {
  Owners owners = target == Target::OpenMP ? Owners::Threads : Owners::Blocks;
  if (auto obstacle = pair.getOwnershipObstacle(kernel, owners))
    return *obstacle;
  if (savedBytes < 1)
    return "it would save no memory traffic";
  if (int64_t values = pair.getNumValues(); values > kMostValues)
    return "the kernel would hold " + std::to_string(values) +
           " values of an element; expected " + std::to_string(kMostValues) +
           " at most";
  return "";
}

/// Null if they stay two.
ParLoopOp FusePass::fuse(ParLoopOp first, ParLoopOp second) {
  FusionPair pair(first, second);
  int64_t savedBytes = pair.getSavedBytes();
  std::string obstacle = pair.getObstacle().value_or("");
  func::FuncOp kernel;
  if (obstacle.empty()) {
    kernel = createKernel(pair);
    obstacle = findObstacle(pair, kernel, savedBytes);
  }
  if (!obstacle.empty()) {
    if (kernel)
      kernel.erase();
    addOutcome(first, obstacle);
    emitRemark(first.getLoc(), "loop '")
        << first.getLabel() << "' is not fused with '" << second.getLabel()
        << "': " << obstacle;
    return {};
  }
  addOutcome(first, "saves " + Twine(savedBytes) + " bytes for each element");
  if (auto function = first->getParentOfType<func::FuncOp>();
      isVariant(function, VariantKind::Fused))
    function->setAttr(kSavedBytesAttr,
                      Builder(&getContext()).getI64IntegerAttr(savedBytes));
  ++numFused;
  OpBuilder builder(second);
  std::string name = (first.getLabel() + "+" + second.getLabel()).str();
  auto fused = ParLoopOp::create(
      builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}),
      kernel.getName(), first.getSet(), pair.getArgs(), name);
  copyPlanRequests(first, fused);
  first->erase();
  second->erase();
  return fused;
}

/// A variant with more loops than one is of no use.
void FusePass::finishVariant(func::FuncOp function) {
  auto loops = function.getOps<ParLoopOp>();
  if (std::distance(loops.begin(), loops.end()) > 1)
    dropBody(function);
}
