//===- ReductionBuilder.cpp - Arithmetic of reductions in kernels ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionBuilder.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Values that compare as unsigned keep that in the element type.
static bool isUnsigned(Type type) { return type.isUnsignedInteger(); }

/// For sums that is -0.0, not 0.0: additions to it vanish, and registers with
/// them.
Value op2::createIdentity(OpBuilder &builder, Location loc, Access access,
                          Type type) {
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

Value op2::createCombination(OpBuilder &builder, Location loc, Access access,
                             Type type, Value a, Value b) {
  if (access == Access::Min || access == Access::Max)
    return select(builder, loc, type, access == Access::Min, a, b);
  if (isa<FloatType>(type))
    return arith::AddFOp::create(builder, loc, a, b);
  // As in the runtime: bools are or-ed.
  if (type.isInteger(1))
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

static Value castInteger(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

Value op2::loadSignless(OpBuilder &builder, Location loc, Value memref,
                        ValueRange indices) {
  Value value = memref::LoadOp::create(builder, loc, memref, indices);
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (!integer || integer.isSignless())
    return value;
  return castInteger(builder, loc, value,
                     builder.getIntegerType(integer.getWidth()));
}

void op2::storeSignless(OpBuilder &builder, Location loc, Value value,
                        Value memref, ValueRange indices) {
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  memref::StoreOp::create(builder, loc, castInteger(builder, loc, value, type),
                          memref, indices);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

BlockReducer::BlockReducer(OpBuilder &builder, Location loc, Access access,
                           Type type, Value thread, int64_t numThreads)
    : builder(builder), loc(loc), access(access), type(type), thread(thread),
      numWarps(numThreads / kWarpSize) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto scratchType =
      MemRefType::get({numWarps}, type, MemRefLayoutAttrInterface(), space);
  Value base = LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 3),
      kSharedMemoryName);
  scratch = PtrCastOp::create(builder, loc, scratchType, base, ValueRange());
  Value warpSize = constant(kWarpSize);
  warp = arith::DivUIOp::create(builder, loc, thread, warpSize);
  lane = arith::RemUIOp::create(builder, loc, thread, warpSize);
}

int64_t BlockReducer::getSharedBytes(Type type, int64_t numThreads) {
  return numThreads / kWarpSize *
         int64_t(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

Value BlockReducer::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value BlockReducer::isZero(Value index) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                               constant(0));
}

void BlockReducer::reduce(Value value, function_ref<void(Value)> atFirst) {
  for (int32_t offset = kWarpSize / 2; offset > 0; offset /= 2) {
    auto shuffle = gpu::ShuffleOp::create(
        builder, loc, value, offset, int32_t(kWarpSize), gpu::ShuffleMode::XOR);
    value = createCombination(builder, loc, access, type, value,
                              shuffle.getShuffleResult());
  }
  // The scratch memory is in use: by what was staged, or the last value.
  gpu::BarrierOp::create(builder, loc);
  {
    auto first = scf::IfOp::create(builder, loc, isZero(lane));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    storeSignless(builder, loc, value, scratch, warp);
  }
  gpu::BarrierOp::create(builder, loc);
  auto first = scf::IfOp::create(builder, loc, isZero(thread));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(first.thenBlock());
  Value result = loadSignless(builder, loc, scratch, constant(0));
  for (int64_t other = 1; other < numWarps; ++other)
    result =
        createCombination(builder, loc, access, type, result,
                          loadSignless(builder, loc, scratch, constant(other)));
  atFirst(result);
}
