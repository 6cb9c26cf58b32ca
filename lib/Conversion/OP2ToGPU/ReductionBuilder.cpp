//===- ReductionBuilder.cpp - Arithmetic of reductions in kernels ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionBuilder.h"
#include "KernelBuilder.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Combination::createIdentity(OpBuilder &builder, Location loc) const {
  if (access == Access::Write)
    return before;
  if (access != Access::Inc)
    return createExtremeIdentity(builder, loc, access, type);
  Type signless = isa<IntegerType>(type)
                      ? builder.getIntegerType(type.getIntOrFloatBitWidth())
                      : type;
  return createAdditiveIdentity(builder, loc, signless);
}

Value Combination::isBetter(OpBuilder &builder, Location loc, Value a,
                            Value b) const {
  if (access == Access::Write)
    // A value that is not what the global had before was written there: NaN may
    // be, and -0.0 over 0.0.
    return haveOtherBits(builder, loc, before, b);
  return isBetterExtreme(builder, loc, access, type, b, a);
}

Value Combination::combine(OpBuilder &builder, Location loc, Value a,
                           Value b) const {
  if (access != Access::Inc)
    return arith::SelectOp::create(builder, loc, isBetter(builder, loc, a, b),
                                   b, a);
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

BlockReducer::BlockReducer(OpBuilder &builder, Location loc,
                           Combination combination, Value thread,
                           int64_t numThreads)
    : builder(builder), loc(loc), combination(combination), thread(thread),
      numWarps(numThreads / kWarpSize) {
  values = getScratch(combination.type, 0);
  Value warpSize = constant(kWarpSize);
  warp = arith::DivUIOp::create(builder, loc, thread, warpSize);
  lane = arith::RemUIOp::create(builder, loc, thread, warpSize);
}

int64_t op2::getValueBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// Where the origins begin, behind the values.
static int64_t getOriginOffset(Type type, int64_t numWarps) {
  return llvm::alignTo(numWarps * getValueBytes(type), 4);
}

int64_t BlockReducer::getSharedBytes(Type type, int64_t numThreads,
                                     bool hasOrigins) {
  int64_t numWarps = numThreads / kWarpSize;
  return hasOrigins ? getOriginOffset(type, numWarps) + 4 * numWarps
                    : numWarps * getValueBytes(type);
}

/// A value for each warp, `offset` bytes from the beginning.
Value BlockReducer::getScratch(Type type, int64_t offset) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto scratchType =
      MemRefType::get({numWarps}, type, MemRefLayoutAttrInterface(), space);
  return PtrCastOp::create(builder, loc, scratchType,
                           createSharedAddress(builder, loc, offset),
                           ValueRange());
}

Value BlockReducer::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value BlockReducer::isZero(Value index) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                               constant(0));
}

Candidate BlockReducer::shuffle(Candidate mine, int32_t offset) {
  auto move = [&](Value value) -> Value {
    if (!value)
      return {};
    // Warps exchange words.
    Type type = value.getType();
    bool isNarrow = type.getIntOrFloatBitWidth() < 32;
    if (isNarrow)
      value = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
    value = gpu::ShuffleOp::create(builder, loc, value, offset,
                                   int32_t(kWarpSize), gpu::ShuffleMode::XOR)
                .getShuffleResult();
    if (isNarrow)
      value = arith::TruncIOp::create(builder, loc, type, value);
    return value;
  };
  return {move(mine.value), move(mine.origin)};
}

Candidate BlockReducer::choose(OpBuilder &builder, Location loc,
                               const Combination &combination, Candidate a,
                               Candidate b) {
  if (!a.origin)
    return {combination.combine(builder, loc, a.value, b.value), {}};
  Value isBetter = combination.isBetter(builder, loc, a.value, b.value);
  Value isWorse = combination.isBetter(builder, loc, b.value, a.value);
  Value isBefore = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, b.origin, a.origin);
  // Better, or no worse and before.
  Value wins = arith::SelectOp::create(
      builder, loc, isWorse, isBetter,
      arith::OrIOp::create(builder, loc, isBetter, isBefore));
  return {arith::SelectOp::create(builder, loc, wins, b.value, a.value),
          arith::SelectOp::create(builder, loc, wins, b.origin, a.origin)};
}

void BlockReducer::reduce(Candidate mine,
                          function_ref<void(Candidate)> atFirst) {
  bool hasOrigins = bool(mine.origin);
  if (hasOrigins && !origins)
    origins = getScratch(builder.getI32Type(),
                         getOriginOffset(combination.type, numWarps));
  for (int32_t offset = kWarpSize / 2; offset > 0; offset /= 2)
    mine = choose(builder, loc, combination, mine, shuffle(mine, offset));
  // The scratch memory is in use: by increments of owned rows, or the last
  // value.
  gpu::BarrierOp::create(builder, loc);
  {
    auto first = scf::IfOp::create(builder, loc, isZero(lane));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    storeSignless(builder, loc, mine.value, values, warp);
    if (hasOrigins)
      storeSignless(builder, loc, mine.origin, origins, warp);
  }
  gpu::BarrierOp::create(builder, loc);
  auto first = scf::IfOp::create(builder, loc, isZero(thread));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(first.thenBlock());
  auto load = [&](int64_t of) -> Candidate {
    Value place = constant(of), origin;
    if (hasOrigins)
      origin = loadSignless(builder, loc, origins, place);
    return {loadSignless(builder, loc, values, place), origin};
  };
  Candidate result = load(0);
  for (int64_t other = 1; other < numWarps; ++other)
    result = choose(builder, loc, combination, result, load(other));
  if (hasOrigins)
    storeSignless(builder, loc, result.origin, origins, constant(0));
  atFirst(result);
}

Value BlockReducer::getWinner() {
  gpu::BarrierOp::create(builder, loc);
  return loadSignless(builder, loc, origins, constant(0));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

gpu::GPUFuncOp op2::createFinishKernel(gpu::GPUModuleOp device, StringRef name,
                                       ArrayRef<Type> parameters,
                                       int64_t numThreads,
                                       TypeRange sharedMemory) {
  OpBuilder builder(device.getContext());
  auto kernel = gpu::GPUFuncOp::create(builder, device.getLoc(), name,
                                       builder.getFunctionType(parameters, {}),
                                       sharedMemory);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  for (auto [number, type] : llvm::enumerate(parameters))
    if (isa<LLVM::LLVMPointerType>(type))
      kernel.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
  SymbolTable(device).insert(kernel);
  return kernel;
}
