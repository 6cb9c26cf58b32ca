//===- UsualForms.cpp - Kernels without their rare paths ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UsualForms.h"
#include "OP2/Analysis/KernelEffects.h"
#include "OP2/Analysis/Vectorization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The values of a raised kernel that depend on what some parameters hold.
class Dependents {
public:
  Dependents(func::FuncOp kernel, ArrayRef<unsigned> parameters) {
    for (unsigned number : parameters)
      values.insert(kernel.getArgument(number));
    size_t before;
    do {
      before = values.size();
      kernel.getBody().walk([&](Operation *op) { visit(op); });
    } while (values.size() != before);
  }

  bool contains(Value value) const { return values.contains(value); }

private:
  bool anyOf(ValueRange range) const {
    return llvm::any_of(range, [&](Value value) { return contains(value); });
  }

  /// What runs, or how often, depends on them.
  bool isControlled(Operation *op) const {
    if (anyOf(op->getOperands()))
      return true;
    return llvm::any_of(op->getRegions(), [&](Region &region) {
      return llvm::any_of(region, [&](Block &block) {
        return anyOf(block.getArguments()) ||
               anyOf(block.getTerminator()->getOperands());
      });
    });
  }

  void visit(Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (anyOf(store->getOperands()))
        values.insert(getWholeMemory(store.getMemRef()));
      return;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && contains(getWholeMemory(load.getMemRef())))
      values.insert(load.getResult());
    if (!isControlled(op))
      return;
    values.insert_range(op->getResults());
    for (Region &region : op->getRegions()) {
      for (Block &block : region)
        values.insert_range(block.getArguments());
      region.walk([&](memref::StoreOp store) {
        values.insert(getWholeMemory(store.getMemRef()));
      });
    }
  }

  llvm::DenseSet<Value> values;
};
} // namespace

/// What the others have added before is not there.
static bool isCombined(const LoopArg &arg) {
  return arg.getAccess() != Access::Read && arg.getAccess() != Access::Write &&
         arg.getAccess() != Access::ReadWrite;
}

bool op2::canUseUsualForm(ArrayRef<LoopArg> args, func::FuncOp usual,
                          func::FuncOp check) {
  if (findLaneObstacle(args, usual) || !usual.getBody().hasOneBlock() ||
      !check.getBody().hasOneBlock())
    return false;
  SmallVector<unsigned> combined;
  unsigned next = 0;
  for (const LoopArg &arg : args) {
    // What a path leaves of a row is written whole.
    if (arg.isPacked() && arg.getAccess() != Access::Read)
      return false;
    for (int64_t row = 0; row < arg.getNumOperands(); ++row, ++next)
      if (isCombined(arg))
        combined.push_back(next);
  }
  Dependents dependents(check, combined);
  Operation *end = check.getBody().front().getTerminator();
  return llvm::none_of(end->getOperands(),
                       [&](Value value) { return dependents.contains(value); });
}
