//===- OP2ToSCF.cpp - Run parallel loops one element after another --------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ExactSums.h"
#include "../Increments.h"
#include "../LoopAnnotations.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/KernelCall.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "OP2/Transforms/SumRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

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

using Reductions = SmallVector<std::pair<unsigned, Value>>; ///< by argument

static Reductions beginReductions(OpBuilder &builder, ParLoopOp loop,
                                  Value begin,
                                  function_ref<bool(const LoopArg &)> isOne) {
  Reductions reductions;
  for (auto [number, arg] : llvm::enumerate(loop.getLoopArgs()))
    if (isOne(arg))
      reductions.emplace_back(
          number, ReductionBeginOp::create(builder, loop.getLoc(),
                                           arg.getReductionType(), begin,
                                           /*plan=*/Value(), number));
  return reductions;
}

/// What functions of the program reduce: one result for all elements.
static Reductions beginMerges(OpBuilder &builder, ParLoopOp loop, Value begin,
                              KernelCall &call) {
  Location loc = loop.getLoc();
  Reductions merges = beginReductions(
      builder, loop, begin, [](const LoopArg &arg) { return arg.isMerged(); });
  for (auto [number, merge] : merges)
    call.setGlobal(number,
                   ReductionPartialOp::create(
                       builder, loc, loop.getLoopArgs()[number].getRowType(),
                       merge, arith::ConstantIndexOp::create(builder, loc, 0)));
  return merges;
}

/// The kernel's call for each element.
static void emitElements(OpBuilder &builder, Location loc, LoopRangeOp all,
                         KernelCall &call, LoopInterface loop,
                         ArrayRef<std::pair<unsigned, Value>> sums) {
  OpBuilder::InsertionGuard guard(builder);
  ElementRange range{all.getBegin(), all.getEnd(),
                     arith::ConstantIndexOp::create(builder, loc, 1)};
  ExactSums terms(llvm::to_vector(llvm::make_second_range(sums)),
                  /*width=*/1);
  terms.emitBuffers(builder, loc);
  if (!terms.empty())
    range = emitPieces(builder, loc, range, terms.getNumElements());
  auto elements =
      scf::ForOp::create(builder, loc, range.begin, range.end, range.step);
  if (isLeftToRows(loop.getLoopArgs(), kMostInterleaved))
    keepScalar(elements, /*isShort=*/false);
  OpBuilder inLoop(elements.getBody(), elements.getBody()->begin());
  for (auto [number, sum] : sums)
    call.setTerms(inLoop, number, sum);
  Operation *kernel = call.emitCall(inLoop, elements.getInductionVar());
  sumBeforeAdding(kernel, loop);
  takeExtremes(kernel, call.getArgs());
  hoistPrivate(*elements.getBody(), elements);
  terms.lowerTerms(elements, range.begin, IRMapping());
  terms.endPiece(builder, loc, range.begin, range.end, IRMapping());
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
  Reductions sums =
      beginReductions(builder, loop, begin,
                      [](const LoopArg &arg) { return arg.isExactSum(); });
  Reductions merges = beginMerges(builder, loop, begin, call);
  Type index = builder.getIndexType();
  auto range = LoopRangeOp::create(builder, loc, index, index, begin);
  emitElements(builder, loc, range, call, loop, sums);
  for (auto [number, reduction] :
       llvm::concat<Reductions::value_type>(sums, merges))
    ReductionEndOp::create(builder, loc, reduction);
  LoopEndOp::create(builder, loc, begin);
  loop.erase();
}

namespace {
struct ConvertOP2ToSCFPass
    : public op2::impl::ConvertOP2ToSCFPassBase<ConvertOP2ToSCFPass> {
  void runOnOperation() override {
    separateKernelValues(getOperation());
    SymbolTableCollection symbols;
    SmallVector<ParLoopOp> loops;
    getOperation().walk([&](ParLoopOp loop) { loops.push_back(loop); });
    for (ParLoopOp loop : loops) {
      if (loop->hasAttr(kUsualAttr)) {
        loop.emitOpError(
            "lacks the paths of its kernel that print or do not return; "
            "expected the kernel as it was before "
            "op2-raise-kernels");
        return signalPassFailure();
      }
      convertLoop(loop, symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
                            loop, loop.getKernelAttr()));
      ++numLoops;
    }
    expandIncrements(getOperation());
  }
};
} // namespace
