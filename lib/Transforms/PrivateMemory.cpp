//===- PrivateMemory.cpp - Memory of one iteration ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/PrivateMemory.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::op2;

/// Where the innermost allocation scope around `region` allocates next. An
/// scf.for is one, too, but what is lowered from it never frees: its iterations
/// share what is private to each.
static Block::iterator getPlace(Region *region) {
  auto isScope = [](Operation *op) {
    return op->hasTrait<OpTrait::AutomaticAllocationScope>() &&
           !isa<scf::ForOp>(op);
  };
  while (!isScope(region->getParentOp()))
    region = region->getParentRegion();
  return llvm::find_if_not(region->front(), llvm::IsaPred<memref::AllocaOp>);
}

static constexpr uint64_t kLine = 64; // bytes

Value op2::createLocal(OpBuilder &builder, Location loc, MemRefType type) {
  auto local = memref::AllocaOp::create(builder, loc, type);
  uint64_t width = (type.getElementTypeBitWidth() + 7) / 8;
  uint64_t bytes = uint64_t(type.getNumElements()) * width;
  local.setAlignment(std::min(bytes & -bytes, kLine));
  return local;
}

Value op2::createPrivate(OpBuilder &builder, Location loc, MemRefType type) {
  OpBuilder::InsertionGuard guard(builder);
  Block::iterator place = getPlace(builder.getInsertionBlock()->getParent());
  builder.setInsertionPoint(place->getBlock(), place);
  return createLocal(builder, loc, type);
}

Value op2::viewAs(OpBuilder &builder, Location loc, Value memory,
                  MemRefType type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address =
      PtrCastOp::create(builder, loc, pointer, memory, ValueRange());
  return PtrCastOp::create(builder, loc, type, address, ValueRange());
}

Value op2::createAdditiveIdentity(OpBuilder &builder, Location loc, Type type) {
  TypedAttr value;
  if (auto real = dyn_cast<FloatType>(type))
    value = builder.getFloatAttr(real, -0.0);
  else // arith has signless constants only
    value = builder.getIntegerAttr(
        builder.getIntegerType(type.getIntOrFloatBitWidth()), 0);
  Value identity = arith::ConstantOp::create(builder, loc, value);
  if (identity.getType() == type)
    return identity;
  return UnrealizedConversionCastOp::create(builder, loc, type, identity)
      .getResult(0);
}

void op2::forRowEntries(OpBuilder &builder, Location loc, int64_t count,
                        function_ref<void(Value)> body) {
  constexpr int64_t kUnrolled = 16;
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  if (count <= kUnrolled) {
    for (int64_t i = 0; i < count; ++i)
      body(constant(i));
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(count),
                                 constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void op2::forRowEntries(OpBuilder &builder, Location loc, Value row,
                        function_ref<void(Value)> body) {
  auto type = cast<MemRefType>(row.getType());
  if (!type.isDynamicDim(0))
    return forRowEntries(builder, loc, type.getDimSize(0), body);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = memref::DimOp::create(builder, loc, row, 0);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void op2::fillRow(OpBuilder &builder, Location loc, Value row, Value value) {
  forRowEntries(builder, loc, row, [&](Value i) {
    memref::StoreOp::create(builder, loc, value, row, i);
  });
}

void op2::clearRow(OpBuilder &builder, Location loc, Value row) {
  auto type = cast<MemRefType>(row.getType());
  fillRow(builder, loc, row,
          createAdditiveIdentity(builder, loc, type.getElementType()));
}

Value op2::createSumRow(OpBuilder &builder, Location loc, MemRefType type) {
  Value row = createPrivate(builder, loc, type);
  clearRow(builder, loc, row);
  return row;
}

Value op2::createPrivateRow(OpBuilder &builder, Location loc, MemRefType type,
                            Value data, bool isOnHeap) {
  if (type.hasStaticShape() && !isOnHeap)
    return createPrivate(builder, loc, type);
  SmallVector<Value> sizes;
  if (!type.hasStaticShape())
    sizes.push_back(memref::DimOp::create(builder, loc, data, 1));
  Value row = memref::AllocOp::create(builder, loc, type, sizes,
                                      builder.getI64IntegerAttr(kLine));
  Operation *terminator = builder.getInsertionBlock()->getTerminator();
  OpBuilder atEnd(terminator);
  auto end = memref::DeallocOp::create(atEnd, loc, row);
  if (builder.getInsertionPoint() == terminator->getIterator())
    builder.setInsertionPoint(end);
  return row;
}

/// Whether `size`, used in `body`, is the same in all iterations.
static bool isSame(Value size, Block &body) {
  Operation *op = size.getDefiningOp();
  if (!op)
    return cast<BlockArgument>(size).getOwner() != &body;
  return op->getBlock() != &body ||
         (isMemoryEffectFree(op) &&
          llvm::all_of(op->getOperands(),
                       [&](Value operand) { return isSame(operand, body); }));
}

/// Moves what a size is found by out of `loop`.
static void hoistSize(Value size, Block &body, Operation *loop) {
  Operation *op = size.getDefiningOp();
  if (!op || op->getBlock() != &body)
    return;
  for (Value operand : op->getOperands())
    hoistSize(operand, body, loop);
  op->moveBefore(loop);
}

/// Moves memory on the heap that `body` has for itself out of `loop`.
static void hoistFromHeap(Block &body, Operation *loop) {
  for (auto row : llvm::make_early_inc_range(body.getOps<memref::AllocOp>())) {
    auto isFreed = [&](Operation *user) {
      return isa<memref::DeallocOp>(user) && user->getBlock() == &body;
    };
    auto end = llvm::find_if(row->getUsers(), isFreed);
    auto hasSize = [&](Value size) { return isSame(size, body); };
    if (end == row->user_end() || !llvm::all_of(row.getDynamicSizes(), hasSize))
      continue; // of the program's own
    Operation *free = *end;
    for (Value size : row.getDynamicSizes())
      hoistSize(size, body, loop);
    row->moveBefore(loop);
    free->moveAfter(loop);
  }
}

void op2::hoistPrivate(Block &body, Operation *loop) {
  for (auto local : llvm::make_early_inc_range(body.getOps<memref::AllocaOp>()))
    if (local.getType().hasStaticShape())
      local->moveBefore(&*getPlace(loop->getParentRegion()));
  hoistFromHeap(body, loop);
}
