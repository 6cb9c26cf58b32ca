//===- BlockReduction.cpp - Reductions within a thread block --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread has private values, which the block combines into its partial
// result, one component after the other: shared memory for one is enough. Infos
// stay where they are until the thread that has won is found. Exact sums take
// the term of each element. What functions of the program reduce is left to the
// host, a result for each run of elements.
//
//===----------------------------------------------------------------------===//

#include "DeviceSums.h"
#include "KernelBuilder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

Value KernelBuilder::addValues(Type type, Value a, Value b) {
  return Combination{Access::Inc, type, {}}.combine(builder, loc, a, b);
}

static int64_t getArgNumber(ReductionPartialOp partial) {
  return partial.getReduction().getDefiningOp<ReductionBeginOp>().getArg();
}

/// The thread's own values: of sums zeros, of minima of floats infinities; else
/// those of the global; of infos only those that win are looked at.
void KernelBuilder::beginReduction(ReductionPartialOp partial) {
  auto type = cast<MemRefType>(partial.getPartial().getType());
  Value row = createPrivateRow(type);
  accumulators[partial] = row;
  int64_t number = getArgNumber(partial);
  const LoopArg &arg = args[number];
  Value own = row;
  if (isExactExtremum(args, number)) {
    own = createPrivateRow(type);
    extremes.push_back({partial, own});
  }
  outer.map(partial.getPartial(), own);
  if (arg.isInfo())
    return;
  if (arg.isExactSum()) {
    Value words = addParameter(getDeviceReduction(partial).getAddress(), true);
    sums.push_back({partial, words});
    return;
  }
  if (arg.isMerged()) {
    merges.push_back({partial, captureResults(partial)});
    return;
  }
  if (arg.getAccess() == Access::Inc)
    return clearRow(builder, loc, row);
  if (arg.attr.isReduction() && isa<FloatType>(arg.getElementType()))
    return fillRow(builder, loc, row,
                   createExtremeIdentity(builder, loc, arg.getAccess(),
                                         arg.getElementType()));
  OpBuilder::InsertionGuard guard(builder);
  enterBranch(arg.flag, outer);
  Value global = getCapture(arg.data);
  forRowEntries(type.getDimSize(0),
                [&](Value i) { store(load(global, i), row, i); });
}

/// Before the elements of a run, whose results begin as the identity.
void KernelBuilder::beginRuns() {
  for (auto [partial, results] : merges) {
    const LoopArg &arg = args[getArgNumber(partial)];
    OpBuilder::InsertionGuard guard(builder);
    enterBranch(arg.flag, outer);
    Value identity = getCapture(arg.identity), row = accumulators[partial];
    forRowEntries(arg.getDim(),
                  [&](Value i) { store(load(identity, i), row, i); });
  }
}

/// Behind them. Runs are counted in the order of the elements.
void KernelBuilder::endRuns(Value run) {
  for (auto [partial, results] : merges) {
    const LoopArg &arg = args[getArgNumber(partial)];
    OpBuilder::InsertionGuard guard(builder);
    enterBranch(arg.flag, outer);
    Value row = accumulators[partial], place = results;
    forRowEntries(arg.getDim(),
                  [&](Value i) { store(load(row, i), place, {run, i}); });
  }
}

/// On the host, how many runs all blocks have.
Value KernelBuilder::countRuns() {
  Type index = shared.getIndexType();
  if (runLength == 1)
    return LoopRangeOp::create(shared, loc, index, index, begin).getEnd();
  Value blocks = NumBlocksOp::create(shared, loc, index, plan);
  return arith::MulIOp::create(
      shared, loc, blocks,
      arith::ConstantIndexOp::create(shared, loc, numThreads));
}

/// After an element of each thread, or none: all threads come here. `number` is
/// that of the position.
void KernelBuilder::endTurn(Value number) {
  addSums();
  takeExtremes();
  if (merges.empty() || runLength > 1)
    return;
  auto branch = scf::IfOp::create(builder, loc, isElement(number));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  bool isPermuted = plan.getColoring() == Coloring::Elements ||
                    plan.getColoring() == Coloring::OwnedRows;
  endRuns(isPermuted ? buildElement(number) : number);
}

/// Before each element: what it gives counts, and nothing before.
void KernelBuilder::beginElement() {
  for (auto [partial, words] : sums)
    clearRow(builder, loc, accumulators[partial]);
  for (auto [partial, own] : extremes) {
    beginExtremes(builder, loc, args[getArgNumber(partial)].getAccess(),
                  accumulators[partial], own);
  }
}

void KernelBuilder::takeExtremes() {
  for (auto [partial, own] : extremes) {
    op2::takeExtremes(builder, loc, args[getArgNumber(partial)].getAccess(),
                      accumulators[partial], own);
  }
}

/// Behind the kernel: what it adds to globals counts in one block. Minima and
/// what is written there are the same in all.
void KernelBuilder::dropRepeated() {
  if (!isRepeated)
    return;
  SmallVector<Value> rows;
  for (auto partial : blocks.getBody().getOps<ReductionPartialOp>())
    if (args[getArgNumber(partial)].getAccess() == Access::Inc)
      rows.push_back(accumulators[partial]);
  if (rows.empty())
    return;
  auto branch = scf::IfOp::create(builder, loc, isRepeated);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (Value row : rows)
    clearRow(builder, loc, row);
}

void KernelBuilder::addSums() {
  auto device = kernel->getParentOfType<gpu::GPUModuleOp>();
  for (auto [partial, words] : sums) {
    const LoopArg &arg = args[getArgNumber(partial)];
    OpBuilder::InsertionGuard guard(builder);
    enterBranch(arg.flag, outer);
    Value row = accumulators[partial];
    Value place = words;
    forRowEntries(arg.getDim(), [&](Value component) {
      addTerms(builder, loc, device, load(row, component), place, position,
               component, arg.getDim());
    });
  }
}

/// Where the blocks' results go: the same place for all kernels of a loop.
DeviceReductionBeginOp
KernelBuilder::getDeviceReduction(ReductionPartialOp partial) {
  auto reduction = partial.getReduction().getDefiningOp<ReductionBeginOp>();
  DeviceReductionBeginOp &device = reductions[reduction];
  if (device)
    return device;
  auto pointer = LLVM::LLVMPointerType::get(shared.getContext());
  // Reductions of the loop have one result a block, or one a run: that is
  // computed once.
  Value count;
  bool isMerged = args[reduction.getArg()].isMerged();
  for (auto &[other, known] : reductions)
    if (known && isMerged == args[known.getArg()].isMerged())
      count = known.getCount();
  if (!count && isMerged)
    count = countRuns();
  if (!count)
    count = NumBlocksOp::create(shared, loc, shared.getIndexType(), plan);
  device = DeviceReductionBeginOp::create(
      shared, loc, partial.getReduction().getType(), pointer, begin, count,
      reduction.getArg());
  reduction.getReduction().replaceUsesWithIf(
      device.getReduction(),
      [](OpOperand &use) { return isa<ReductionEndOp>(use.getOwner()); });
  return device;
}

/// The blocks' results of a reduction: memref<? x dim x T>.
Value KernelBuilder::captureResults(ReductionPartialOp partial) {
  auto type = cast<MemRefType>(partial.getPartial().getType());
  Value pointer = addParameter(getDeviceReduction(partial).getAddress(), true);
  return PtrCastOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic, type.getDimSize(0)},
                      type.getElementType()),
      pointer, ValueRange());
}

void KernelBuilder::endReductions(ArrayRef<ReductionPartialOp> partials) {
  // Blocks without colours stand in the order of their elements.
  if (!merges.empty() && runLength > 1)
    endRuns(
        add(arith::MulIOp::create(builder, loc, position, constant(numThreads)),
            thread));
  for (ReductionPartialOp partial : partials) {
    int64_t number = getArgNumber(partial);
    const LoopArg &arg = args[number];
    if (arg.isInfo() || arg.isExactSum() || arg.isMerged() ||
        arg.getAccess() == Access::Work)
      continue;
    SmallVector<ReductionPartialOp> infos;
    for (ReductionPartialOp other : partials) {
      const LoopArg &info = args[getArgNumber(other)];
      if (info.isInfo() && info.attr.getSlot() == number)
        infos.push_back(other);
    }
    endReduction(partial, infos);
  }
}

void KernelBuilder::endReduction(ReductionPartialOp partial,
                                 ArrayRef<ReductionPartialOp> infos) {
  const LoopArg &arg = args[getArgNumber(partial)];
  Type element = arg.getElementType();
  reductionBytes =
      std::max(reductionBytes, BlockReducer::getSharedBytes(element, numThreads,
                                                            !infos.empty()));
  OpBuilder::InsertionGuard guard(builder);
  // All threads agree on that.
  enterBranch(arg.flag, outer);
  Value results = captureResults(partial);
  SmallVector<Value> infoResults;
  for (ReductionPartialOp info : infos)
    infoResults.push_back(captureResults(info));
  Value origin;
  if (!infos.empty())
    origin =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), thread);
  forRowEntries(arg.getDim(), [&](Value component) {
    Combination combination{arg.getAccess(), element, {}};
    if (arg.getAccess() == Access::Write)
      combination.before = load(getCapture(arg.data), component);
    BlockReducer reducer(builder, loc, combination, thread, numThreads);
    reducer.reduce({load(accumulators[partial], component), origin},
                   [&](Candidate result) {
                     store(result.value, results, {position, component});
                   });
    if (infos.empty())
      return;
    Value isWinner = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, origin, reducer.getWinner());
    auto branch = scf::IfOp::create(builder, loc, isWinner);
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (auto [info, place] : llvm::zip_equal(infos, infoResults))
      storeInfo(info, arg.getDim(), component, place);
  });
}

/// Of an info, what belongs to one component of the value that it follows.
void KernelBuilder::storeInfo(ReductionPartialOp info, int64_t numComponents,
                              Value component, Value results) {
  int64_t share = cast<MemRefType>(info.getPartial().getType()).getDimSize(0) /
                  numComponents;
  Value first = arith::MulIOp::create(builder, loc, component, constant(share));
  forRowEntries(share, [&](Value i) {
    Value place = add(first, i);
    store(load(accumulators[info], place), results, {position, place});
  });
}
