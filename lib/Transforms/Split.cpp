//===- Split.cpp - Make one loop two --------------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each part has the slice of the kernel that computes its results. See
// docs/design/splitting.md.
//
//===----------------------------------------------------------------------===//

#include "LoopRewrites.h"
#include "LoopSlices.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Transforms/Passes.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2SPLITPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
/// Two parts of a loop, and what that is good for.
struct Split {
  LoopPart parts[2];
  std::string gain;
  bool isForVectors = false; ///< the first part can be vectorized
};

struct SplitPass : public op2::impl::OP2SplitPassBase<SplitPass> {
  using OP2SplitPassBase::OP2SplitPassBase;

  void runOnOperation() override {
    machine = MachineAttr::of(getOperation());
    SmallVector<ParLoopOp> loops;
    getOperation().walk([&](ParLoopOp loop) {
      auto function = loop->getParentOfType<func::FuncOp>();
      bool isOther = onlyVariants || isVariant(function, VariantKind::Fused);
      if (!isOther || isVariant(function, VariantKind::Split))
        loops.push_back(loop);
    });
    for (ParLoopOp loop : loops) {
      auto function = loop->getParentOfType<func::FuncOp>();
      if (!splitFrom(loop) && isVariant(function, VariantKind::Split))
        dropBody(function);
    }
  }

private:
  /// Splits a loop, and its parts; false if it stays one.
  bool splitFrom(ParLoopOp loop, bool isPart = false) {
    LoopSlices slices(loop);
    std::optional<Split> split;
    std::string obstacle;
    if (loop->hasAttr(kUsualAttr))
      obstacle = "its kernel has paths that print or do not return";
    else if (std::optional<std::string> found = slices.getObstacle())
      obstacle = *found;
    else
      split = findSplit(loop, slices, obstacle);
    // That the parts stay as they are goes without saying.
    if (split || !isPart)
      addOutcome(loop, split ? split->gain : obstacle);
    if (!split) {
      if (!isPart)
        emitRemark(loop.getLoc(), "loop '")
            << loop.getLabel() << "' is not split: " << obstacle;
      return false;
    }
    ++numSplit;
    ParLoopOp parts[] = {createPart(loop, split->parts[0], 1),
                         createPart(loop, split->parts[1], 2)};
    loop.erase();
    for (ParLoopOp part : parts)
      splitFrom(part, /*isPart=*/true);
    return true;
  }

  using UnitTest = function_ref<bool(const LoopPart &)>;

  std::optional<Split> findSplit(ParLoopOp loop, LoopSlices &slices,
                                 std::string &obstacle) const {
    SmallVector<LoopArg> args = loop.getLoopArgs();
    std::optional<Split> split = splitForVectors(args, slices);
    if (!split)
      split = splitForOwnership(loop, args, slices);
    if (!split)
      split = splitForValues(args, slices);
    if (!split) {
      obstacle = "its parts would not run better than the whole";
      return std::nullopt;
    }
    int64_t bytes = getTraffic(args);
    int64_t extraBytes = getTraffic(split->parts[0].args) +
                         getTraffic(split->parts[1].args) - bytes;
    if (split->isForVectors && computesLonger(*split))
      return split;
    if (extraBytes * 100 <= maxExtra * bytes)
      return split;
    obstacle = "it would move " + std::to_string(extraBytes) +
               " bytes more for each element, of " + std::to_string(bytes) +
               " now; expected " + std::to_string(maxExtra) + " % at most";
    return std::nullopt;
  }

  /// Whether what groups make faster takes longer, one element after another,
  /// than the data of both parts take to travel.
  bool computesLonger(const Split &split) const {
    KernelCycles cycles = countCycles(*split.parts[0].kernel);
    int64_t faster =
        cycles.arithmetic + (machine.hasVectorMath() ? cycles.calls : 0);
    return faster * kBytesPerCycle >
           getTraffic(split.parts[0].args) + getTraffic(split.parts[1].args);
  }

  /// The units for which `test` holds in one part, the others in the other one;
  /// nothing if one of the parts would be empty.
  static std::optional<Split> divide(LoopSlices &slices, UnitTest test) {
    llvm::BitVector outputs[2];
    for (const llvm::BitVector &unit : slices.getUnits()) {
      llvm::BitVector &side = outputs[test(slices.getPart(unit)) ? 0 : 1];
      side |= unit;
    }
    if (outputs[0].none() || outputs[1].none())
      return std::nullopt;
    return Split{
        {slices.getPart(outputs[0]), slices.getPart(outputs[1])}, "", false};
  }

  /// What can be vectorized, apart from what cannot.
  std::optional<Split> splitForVectors(ArrayRef<LoopArg> args,
                                       LoopSlices &slices) const {
    if (machine.getVectorBits() == 0 || !findLaneObstacle(args))
      return std::nullopt;
    std::optional<Split> split = divide(slices, [&](const LoopPart &part) {
      return !findLaneObstacle(part.args) &&
             countLanes(part.args, machine.getVectorBits()) > 1;
    });
    if (!split || findLaneObstacle(split->parts[0].args))
      return std::nullopt;
    split->isForVectors = true;
    split->gain = "one part can be vectorized";
    return split;
  }

  /// What can be divided by ownership, apart from what cannot.
  std::optional<Split> splitForOwnership(ParLoopOp loop, ArrayRef<LoopArg> args,
                                         LoopSlices &slices) const {
    Strategy wanted = loop.getStrategy().value_or(strategy);
    auto canBeOwned = [](const LoopPart &part) {
      return hasConflicts(part.args) &&
             !findOwnershipObstacle(part.args, *part.kernel);
    };
    if (wanted != Strategy::Owner || !hasConflicts(args) ||
        !findOwnershipObstacle(args, slices.getKernel()))
      return std::nullopt;
    std::optional<Split> split = divide(slices, canBeOwned);
    if (!split || !canBeOwned(split->parts[0]))
      return std::nullopt;
    split->gain = "one part can be divided by ownership";
    return split;
  }

  /// About as many values of an element in each part, where there are too many.
  std::optional<Split> splitForValues(ArrayRef<LoopArg> args,
                                      LoopSlices &slices) const {
    int64_t values = countValues(args);
    if (values <= maxValues)
      return std::nullopt;
    llvm::BitVector first;
    std::optional<Split> best;
    int64_t least = values;
    // Neighbouring arguments tend to need the same data.
    for (const llvm::BitVector &unit : slices.getUnits().drop_back()) {
      first |= unit;
      llvm::BitVector second(args.size());
      for (const llvm::BitVector &other : slices.getUnits())
        if (!other.anyCommon(first))
          second |= other;
      Split split{{slices.getPart(first), slices.getPart(second)}, "", false};
      int64_t most = std::max(countValues(split.parts[0].args),
                              countValues(split.parts[1].args));
      if (most >= least)
        continue;
      least = most;
      best = std::move(split);
    }
    if (best)
      best->gain = "its parts hold " + std::to_string(least) +
                   " values of an element at most, instead of " +
                   std::to_string(values);
    return best;
  }

  /// Puts the part numbered `number` before `loop`.
  static ParLoopOp createPart(ParLoopOp loop, LoopPart &part, int number) {
    std::string suffix = "." + std::to_string(number);
    func::FuncOp kernel = part.kernel.release();
    kernel.setName((loop.getKernel() + suffix).str());
    addKernel(kernel, SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                          loop, loop.getKernelAttr()));
    OpBuilder builder(loop);
    auto created = ParLoopOp::create(builder, loop.getLoc(), kernel.getName(),
                                     loop.getSet(), part.args,
                                     (loop.getLabel() + suffix).str());
    copyPlanRequests(loop, created);
    return created;
  }

  MachineAttr machine;
};
} // namespace
