//===- PlannedLoop.cpp - A loop on the plan level, taken apart ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedLoop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::op2;

PlannedLoop::PlannedLoop(ForElementsOp elements) : elements(elements) {
  plan = elements.getPlan().getDefiningOp<PlanOp>();
  if (!plan || !isa<ForBlocksOp>(elements->getParentOp()))
    return;
  auto loop = plan.getLoop().getDefiningOp<LoopBeginOp>();
  if (!loop || !isDevice(loop.getTarget()))
    return;
  begin = loop;
  args = loop.getLoopArgs();
}

Operation *PlannedLoop::getKernelCall() const {
  Operation *found = nullptr;
  ForElementsOp(elements).getBody().walk([&](Operation *op) {
    if (isa<func::CallOp, LLVM::CallOp>(op))
      found = op;
  });
  return found;
}

SmallVector<ArgRow> PlannedLoop::getOperandRows() const {
  bool takesPointers = isa_and_nonnull<LLVM::CallOp>(getKernelCall());
  SmallVector<ArgRow> rows;
  for (auto [number, arg] : llvm::enumerate(args)) {
    // An imported kernel takes a vector argument as one table of pointers.
    unsigned count = takesPointers ? 1 : arg.getNumOperands();
    for (unsigned row = 0; row < count; ++row)
      rows.push_back({unsigned(number), row});
  }
  return rows;
}

SmallVector<PlannedLoop> op2::collectDeviceLoops(ModuleOp module) {
  SmallVector<PlannedLoop> loops;
  module.walk([&](ForElementsOp elements) {
    PlannedLoop loop(elements);
    if (loop)
      loops.push_back(loop);
  });
  return loops;
}
