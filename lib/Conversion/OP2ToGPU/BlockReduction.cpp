//===- BlockReduction.cpp - Reductions within a thread block --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread has private values, which the block combines into its partial
// result, one component after the other: shared memory for one is enough.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

Value KernelBuilder::getIdentity(Access access, Type type) {
  return createIdentity(builder, loc, access, type);
}

Value KernelBuilder::combine(Access access, Type type, Value a, Value b) {
  return createCombination(builder, loc, access, type, a, b);
}

static const LoopArg &getArg(ArrayRef<LoopArg> args,
                             ReductionPartialOp partial) {
  return args
      [partial.getReduction().getDefiningOp<ReductionBeginOp>().getArg()];
}

void KernelBuilder::beginReduction(ReductionPartialOp partial) {
  auto type = cast<MemRefType>(partial.getPartial().getType());
  Value row;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    row = memref::AllocaOp::create(builder, loc, type);
  }
  accumulators[partial] = row;
  outer.map(partial.getPartial(), row);
  Access access = getArg(args, partial).getAccess();
  forRowEntries(type.getDimSize(0), [&](Value i) {
    store(getIdentity(access, type.getElementType()), row, i);
  });
}

/// Where the blocks' results go: the same place for all kernels of a loop.
DeviceReductionBeginOp
KernelBuilder::getDeviceReduction(ReductionPartialOp partial) {
  auto reduction = partial.getReduction().getDefiningOp<ReductionBeginOp>();
  DeviceReductionBeginOp &device = reductions[reduction];
  if (device)
    return device;
  auto pointer = LLVM::LLVMPointerType::get(host.getContext());
  Value count = NumBlocksOp::create(shared, loc, shared.getIndexType(), plan);
  device = DeviceReductionBeginOp::create(
      shared, loc, partial.getReduction().getType(), pointer, begin, count,
      reduction.getArg());
  reduction.getReduction().replaceUsesWithIf(
      device.getReduction(),
      [](OpOperand &use) { return isa<ReductionEndOp>(use.getOwner()); });
  return device;
}

void KernelBuilder::endReduction(ReductionPartialOp partial) {
  auto type = cast<MemRefType>(partial.getPartial().getType());
  const LoopArg &arg = getArg(args, partial);
  Type element = type.getElementType();
  int64_t dim = type.getDimSize(0);
  reductionBytes = std::max(reductionBytes,
                            BlockReducer::getSharedBytes(element, numThreads));

  Value pointer =
      addParameter(getDeviceReduction(partial).getAddress(), true, false);
  auto resultType = MemRefType::get({ShapedType::kDynamic, dim}, element);
  Value results =
      PtrCastOp::create(builder, loc, resultType, pointer, ValueRange());
  BlockReducer reducer(builder, loc, arg.getAccess(), element, thread,
                       numThreads);
  forRowEntries(dim, [&](Value component) {
    reducer.reduce(load(accumulators[partial], component), [&](Value result) {
      store(result, results, {position, component});
    });
  });
}
