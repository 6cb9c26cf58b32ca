//===- Increments.cpp - Additions to rows on the host ---------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Increments.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "OP2ToGPU/ReductionBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

void op2::expandIncrements(Operation *scope) {
  SmallVector<IncrementOp> increments;
  scope->walk([&](IncrementOp op) { increments.push_back(op); });
  for (IncrementOp op : increments) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getSource().getType());
    Combination sum{Access::Inc, type.getElementType(), {}};
    if (op.getCondition())
      builder = scf::IfOp::create(builder, loc, op.getCondition())
                    .getThenBodyBuilder();
    forRowEntries(builder, loc, op.getSource(), [&](Value i) {
      Value added = loadSignless(builder, loc, op.getSource(), i);
      Value old = loadSignless(builder, loc, op.getTarget(), i);
      storeSignless(builder, loc, sum.combine(builder, loc, old, added),
                    op.getTarget(), i);
    });
    op.erase();
  }
}
