//===- BlockReduction.cpp - Reductions within a thread block --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread has private values; lanes of a warp are combined by butterfly
// shuffles, warps through shared memory by the first thread, which writes the
// block's partial result. The order depends on the launch shape only.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

/// Values that compare as unsigned keep that in the element type.
static bool isUnsigned(Type type) { return type.isUnsignedInteger(); }

/// What leaves every other value as it is. For sums that is -0.0, not 0.0:
/// additions to it vanish, and registers with them.
Value KernelBuilder::getIdentity(Access access, Type type) {
  if (auto number = dyn_cast<FloatType>(type)) {
    llvm::APFloat value =
        llvm::APFloat::getZero(number.getFloatSemantics(), /*Negative=*/true);
    if (access != Access::Inc)
      value = llvm::APFloat::getInf(number.getFloatSemantics(),
                                    /*Negative=*/access == Access::Max);
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(number, value));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt value = llvm::APInt::getZero(width);
  if (access == Access::Min)
    value = isUnsigned(type) || width == 1
                ? llvm::APInt::getMaxValue(width)
                : llvm::APInt::getSignedMaxValue(width);
  if (access == Access::Max)
    value = isUnsigned(type) || width == 1
                ? llvm::APInt::getMinValue(width)
                : llvm::APInt::getSignedMinValue(width);
  Type signless = builder.getIntegerType(width);
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(signless, value));
}

/// The smaller or larger of two values of `type`.
static Value select(OpBuilder &builder, Location loc, Type type, bool isMin,
                    Value a, Value b) {
  Value isBetter;
  if (isa<FloatType>(type)) {
    auto predicate =
        isMin ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT;
    isBetter = arith::CmpFOp::create(builder, loc, predicate, b, a);
  } else {
    // A bool is 0 or 1, not 0 or -1.
    bool isSigned = !isUnsigned(type) && !type.isInteger(1);
    auto predicate = isMin ? (isSigned ? arith::CmpIPredicate::slt
                                       : arith::CmpIPredicate::ult)
                           : (isSigned ? arith::CmpIPredicate::sgt
                                       : arith::CmpIPredicate::ugt);
    isBetter = arith::CmpIOp::create(builder, loc, predicate, b, a);
  }
  return arith::SelectOp::create(builder, loc, isBetter, b, a);
}

/// `a` and `b` are signless; `type` tells how they compare.
Value KernelBuilder::combine(Access access, Type type, Value a, Value b) {
  if (access == Access::Min || access == Access::Max)
    return select(builder, loc, type, access == Access::Min, a, b);
  if (isa<FloatType>(type))
    return arith::AddFOp::create(builder, loc, a, b);
  // As in the runtime: bools are or-ed.
  if (type.isInteger(1))
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

static Access getAccess(LoopBeginOp begin, ReductionPartialOp partial) {
  auto reduction = partial.getReduction().getDefiningOp<ReductionBeginOp>();
  return begin.getLoopArgs()[reduction.getArg()].getAccess();
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
  forRowEntries(type.getDimSize(0), [&](Value i) {
    store(getIdentity(getAccess(begin, partial), type.getElementType()), row,
          i);
  });
}

void KernelBuilder::endReduction(ReductionPartialOp partial) {
  auto type = cast<MemRefType>(partial.getPartial().getType());
  auto reduction = partial.getReduction().getDefiningOp<ReductionBeginOp>();
  Access access = getAccess(begin, partial);
  Type element = type.getElementType();
  int64_t dim = type.getDimSize(0), numWarps = numThreads / kWarpSize;
  int64_t width = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  reductionBytes = std::max(reductionBytes, numWarps * width);

  // Where the blocks' results go.
  DeviceReductionBeginOp &device = reductions[reduction];
  if (!device) {
    Value count = NumBlocksOp::create(shared, loc, host.getIndexType(), plan);
    device = DeviceReductionBeginOp::create(
        shared, loc, partial.getReduction().getType(),
        LLVM::LLVMPointerType::get(host.getContext()), begin, count,
        reduction.getArg());
    reduction.getReduction().replaceUsesWithIf(
        device.getReduction(),
        [](OpOperand &use) { return isa<ReductionEndOp>(use.getOwner()); });
  }
  Value pointer = addParameter(device.getAddress(), true, false);
  auto resultType = MemRefType::get({ShapedType::kDynamic, dim}, element);
  Value results =
      PtrCastOp::create(builder, loc, resultType, pointer, ValueRange());

  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto scratchType =
      MemRefType::get({numWarps}, element, MemRefLayoutAttrInterface(), space);
  Value base = LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 3),
      kSharedMemoryName);
  Value scratch =
      PtrCastOp::create(builder, loc, scratchType, base, ValueRange());
  Value warpSize = constant(kWarpSize);
  Value warp = arith::DivUIOp::create(builder, loc, thread, warpSize);
  Value lane = arith::RemUIOp::create(builder, loc, thread, warpSize);
  auto isZero = [&](Value index) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                                 constant(0));
  };

  for (int64_t component = 0; component < dim; ++component) {
    Value at = constant(component);
    Value value = load(accumulators[partial], at);
    for (int32_t offset = kWarpSize / 2; offset > 0; offset /= 2) {
      auto shuffle =
          gpu::ShuffleOp::create(builder, loc, value, offset,
                                 int32_t(kWarpSize), gpu::ShuffleMode::XOR);
      value = combine(access, element, value, shuffle.getShuffleResult());
    }
    // The scratch memory is in use: by what was staged, or the last component.
    gpu::BarrierOp::create(builder, loc);
    {
      auto first = scf::IfOp::create(builder, loc, isZero(lane));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(first.thenBlock());
      store(value, scratch, warp);
    }
    gpu::BarrierOp::create(builder, loc);
    auto first = scf::IfOp::create(builder, loc, isZero(thread));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    Value sum = load(scratch, constant(0));
    for (int64_t other = 1; other < numWarps; ++other)
      sum = combine(access, element, sum, load(scratch, constant(other)));
    store(sum, results, {position, at});
  }
}
