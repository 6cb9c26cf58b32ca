//===- OP2ToSCF.cpp - Run parallel loops one element after another --------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/KernelCall.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2TOSCFPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Scratch memory: a copy of the global, which the loop has for itself.
static void createScratch(OpBuilder &builder, ParLoopOp loop,
                          KernelCall &call) {
  Location loc = loop.getLoc();
  for (auto [number, arg] : llvm::enumerate(loop.getLoopArgs())) {
    if (!arg.isGlobal() || arg.getAccess() != Access::Work)
      continue;
    Value scratch =
        createPrivate(builder, loc, cast<MemRefType>(arg.data.getType()));
    OpBuilder copyBuilder(builder);
    if (arg.flag)
      copyBuilder =
          scf::IfOp::create(builder, loc, arg.flag).getThenBodyBuilder();
    memref::CopyOp::create(copyBuilder, loc, arg.data, scratch);
    call.setGlobal(number, scratch);
  }
}

static void convertLoop(ParLoopOp loop, FunctionOpInterface kernel) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  KernelCall call(loop, kernel);
  auto begin = LoopBeginOp::create(
      builder, loc, builder.getType<LoopType>(), loop.getLabel(), loop.getSet(),
      loop.getValues(), loop.getArgs(), Target::Seq, "sequential");
  call.acquireStorage(builder);
  createScratch(builder, loop, call);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Type index = builder.getIndexType();
  auto range = LoopRangeOp::create(builder, loc, index, index, begin);
  auto elements =
      scf::ForOp::create(builder, loc, range.getBegin(), range.getEnd(), one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(elements.getBody());
    call.emitCall(builder, elements.getInductionVar());
  }
  LoopEndOp::create(builder, loc, begin);
  loop.erase();
}

namespace {
struct ConvertOP2ToSCFPass
    : public op2::impl::ConvertOP2ToSCFPassBase<ConvertOP2ToSCFPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    SmallVector<ParLoopOp> loops;
    getOperation().walk([&](ParLoopOp loop) { loops.push_back(loop); });
    for (ParLoopOp loop : loops) {
      convertLoop(loop, symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
                            loop, loop.getKernelAttr()));
      ++numLoops;
    }
  }
};
} // namespace
