//===- Uniformity.cpp - Values that depend on the element -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is taken to be uniform until something is found that makes it
// vary; loops carry that around, so the kernel is visited until nothing
// changes. Inside of a branch or loop a value is uniform if it is the same for
// all elements that are there.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Uniformity.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::op2;

UniformityAnalysis::UniformityAnalysis(func::FuncOp kernel,
                                       ArrayRef<bool> isUniform) {
  for (auto [argument, uniform] :
       llvm::zip_equal(kernel.getArguments(), isUniform))
    if (!uniform)
      lanes.insert(argument);
  kernel.walk([&](memref::AllocaOp op) { lanes.insert(op.getResult()); });
  do {
    hasChanged = false;
    kernel.walk([&](Operation *op) { visit(op); });
  } while (hasChanged);
}

std::optional<UniformityAnalysis::ChosenIndex>
UniformityAnalysis::findChosenIndex(Value memref, ValueRange indices) const {
  std::optional<ChosenIndex> chosen;
  if (!hasLanes(memref))
    return chosen;
  for (auto [number, index] : llvm::enumerate(indices)) {
    if (!varies(index))
      continue;
    int64_t size = cast<MemRefType>(memref.getType()).getDimSize(number);
    if (chosen || ShapedType::isDynamic(size))
      return std::nullopt;
    SmallVector<int64_t> places = findPlaces(index, size);
    if (places.empty())
      return std::nullopt;
    chosen = {unsigned(number), std::move(places)};
  }
  return chosen;
}

int64_t UniformityAnalysis::countChoices(Value address) const {
  auto known = choices.find(address);
  if (known != choices.end())
    return known->second;
  int64_t count = findChoices(address);
  choices[address] = count;
  return count;
}

int64_t UniformityAnalysis::findChoices(Value address) const {
  constexpr int64_t kMost = 8;
  Operation *op = address.getDefiningOp();
  auto memref = dyn_cast<MemRefType>(address.getType());
  if (memref ? !isa_and_nonnull<PtrCastOp>(op) || memref.getRank() != 1
             : !isa<LLVM::LLVMPointerType>(address.getType()))
    return 0;
  if (!varies(address))
    return 1;
  auto countBoth = [&](Value first, Value second) -> int64_t {
    int64_t left = countChoices(first), right = countChoices(second);
    return left > 0 && right > 0 && left + right <= kMost ? left + right : 0;
  };
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(address).getResultNumber();
    return varies(branch.getCondition())
               ? countBoth(branch.thenYield().getOperand(number),
                           branch.elseYield().getOperand(number))
               : 0;
  }
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return countBoth(select.getTrueValue(), select.getFalseValue());
  bool isComputed = isa_and_nonnull<LLVM::GEPOp, PtrCastOp>(op) &&
                    llvm::none_of(op->getOperands().drop_front(),
                                  [&](Value value) { return varies(value); });
  return isComputed ? countChoices(op->getOperand(0)) : 0;
}

bool UniformityAnalysis::isDivergent(Operation *op) const {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return varies(branch.getCondition());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return varies(loop.getLowerBound()) || varies(loop.getUpperBound()) ||
           varies(loop.getStep());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return varies(loop.getConditionOp().getCondition());
  return false;
}

bool op2::isPoison(Value value) {
  return value.getDefiningOp<ub::PoisonOp>() != nullptr;
}

void UniformityAnalysis::visit(Operation *op) {
  auto anyVaries = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value value) { return varies(value); });
  };
  auto markAll = [&](ValueRange values) {
    for (Value value : values)
      mark(value, true);
  };
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    mark(load.getResult(), hasLanes(load.getMemRef()) ||
                               varies(load.getMemRef()) ||
                               anyVaries(load.getIndices()));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    SmallVector<ValueRange, 2> sides;
    for (Region *region : branch.getRegions())
      if (!region->empty())
        sides.push_back(region->front().getTerminator()->getOperands());
    for (ValueRange side : sides)
      markEach(branch.getResults(), side);
    for (OpResult result : branch.getResults()) {
      unsigned number = result.getResultNumber();
      mark(result, isDivergent(branch) && !isPoison(sides[0][number]) &&
                       !isPoison(sides[1][number]));
    }
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    mark(loop.getInductionVar(),
         varies(loop.getLowerBound()) || varies(loop.getStep()));
    for (ValueRange sources : {ValueRange(loop.getInitArgs()),
                               ValueRange(loop.getYieldedValues())}) {
      markEach(loop.getRegionIterArgs(), sources);
      markEach(loop.getResults(), sources);
    }
    // Of different steps.
    if (isDivergent(loop))
      markAll(loop.getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    ValueRange forwarded = loop.getConditionOp().getArgs();
    markEach(loop.getBeforeArguments(), loop.getInits());
    markEach(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    markEach(loop.getAfterArguments(), forwarded);
    markEach(loop.getResults(), forwarded);
    if (isDivergent(loop))
      markAll(loop.getResults());
  } else if (anyVaries(op->getOperands())) {
    markAll(op->getResults());
  }
}
