//===- Staging.cpp - Block-local copies in shared memory ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block copy together. Neighbouring threads move neighbouring
// values.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

/// The widest load or store of a thread, bytes.
static constexpr int64_t kWideBytes = 16;

static int64_t getValueBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
}

static int64_t getRowBytes(MemRefType type) {
  return type.getDimSize(1) * getValueBytes(type);
}

/// From one row of a copy to the next, gaps included.
static int64_t getRowDistance(MemRefType local) {
  auto layout = dyn_cast<StridedLayoutAttr>(local.getLayout());
  return layout ? layout.getStrides()[0] * getValueBytes(local)
                : getRowBytes(local);
}

static MemRefType getLocalType(StageOp stage) {
  return cast<MemRefType>(stage.getLocal().getType());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// How long a buffer is, rounded up.
static int64_t getStagedBytes(StageOp stage, int64_t blockSize) {
  return llvm::alignTo(blockSize * getRowDistance(getLocalType(stage)),
                       kWideBytes);
}

int64_t KernelBuilder::getStagedBytes() const {
  int64_t bytes = 0;
  for (StageOp stage : stages)
    bytes += ::getStagedBytes(stage, PlanOp(plan).getBlockSize());
  return bytes;
}

/// Buffers lie behind one another.
Value KernelBuilder::getSharedAddress(StageOp stage) {
  int64_t offset = 0;
  for (StageOp before : stages)
    if (before.getNumber() < stage.getNumber())
      offset += ::getStagedBytes(before, plan.getBlockSize());
  return createSharedAddress(builder, loc, offset);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A kernel for dats that may be the same uses their own rows.
bool KernelBuilder::isBypassed(StageOp stage) const {
  return !assumeDistinct && stage;
}

void KernelBuilder::buildStage(StageOp stage) {
  if (isBypassed(stage))
    return;
  Value local = PtrCastOp::create(builder, loc, getLocalType(stage),
                                  getSharedAddress(stage), ValueRange());
  stages.push_back(stage);
  outer.map(stage.getLocal(), local);
  if (!stage.getUninitialized())
    copyBlock(stage, /*isToShared=*/true);
}

LogicalResult KernelBuilder::buildUnstage(UnstageOp unstage) {
  auto stage = unstage.getLocal().getDefiningOp<StageOp>();
  if (isBypassed(stage))
    return success();
  if (!llvm::is_contained(stages, stage))
    return unstage.emitOpError(
        "expected what an op2.stage before it in the block has made");
  if (!isUnstaging)
    gpu::BarrierOp::create(builder, loc);
  isUnstaging = true;
  copyBlock(stage, /*isToShared=*/false);
  return success();
}

/// A view of memory as pieces of 16 bytes. Dats are aligned on a GPU; the
/// emulator uses them where they are.
static Value getWideView(OpBuilder &builder, Location loc, Value pointer,
                         Attribute space) {
  auto type =
      MemRefType::get(ShapedType::kDynamic,
                      VectorType::get(kWideBytes / 4, builder.getI32Type()),
                      MemRefLayoutAttrInterface(), space);
  return PtrCastOp::create(builder, loc, type, pointer, ValueRange());
}

/// The first `numWide` pieces of 16 bytes of the block's rows.
void KernelBuilder::copyBlockWide(StageOp stage, Value numWide,
                                  bool isToShared) {
  MemRefType type = getLocalType(stage);
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value rows = RowOp::create(builder, loc, pointerType,
                             getCapture(stage.getData()), blockBegin);
  Value data = getWideView(builder, loc, rows, Attribute());
  auto sharedType = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value shared = PtrCastOp::create(builder, loc, sharedType,
                                   getCapture(stage.getLocal()), ValueRange());
  Value local = getWideView(builder, loc, shared, type.getMemorySpace());
  uint64_t alignment = begin.getTarget() == Target::Emulator ? 4 : kWideBytes;
  int64_t inRow = getRowBytes(type) / kWideBytes;
  int64_t distance = getRowDistance(type) / kWideBytes;
  auto copy = [&](Value i) {
    Value place = i;
    if (distance != inRow) {
      Value row = arith::DivUIOp::create(builder, loc, i, constant(inRow));
      Value column = arith::RemUIOp::create(builder, loc, i, constant(inRow));
      place = add(arith::MulIOp::create(builder, loc, row, constant(distance)),
                  column);
    }
    Value from = isToShared ? data : local, to = isToShared ? local : data;
    Value value =
        memref::LoadOp::create(builder, loc, from, isToShared ? i : place);
    value.getDefiningOp<memref::LoadOp>().setAlignment(alignment);
    auto store = memref::StoreOp::create(builder, loc, value, to,
                                         isToShared ? place : i);
    store.setAlignment(alignment);
  };
  forEachThread(numWide, copy,
                plan.getBlockSize() * getRowBytes(type) / kWideBytes);
}

/// The rows of the block's own elements, which lie side by side. A block of a
/// plan begins at a multiple of the block size: if so many rows are pieces of
/// 16 bytes, so are those before it.
void KernelBuilder::copyBlock(StageOp stage, bool isToShared) {
  MemRefType type = getLocalType(stage);
  int64_t dim = type.getDimSize(1), rowBytes = getRowBytes(type);
  int64_t perPiece = kWideBytes / getValueBytes(type);
  bool isWide = plan.getBlockSize() * rowBytes % kWideBytes == 0;
  Value numRows = arith::SubIOp::create(builder, loc, blockEnd, blockBegin);
  Value count = arith::MulIOp::create(builder, loc, numRows, constant(dim));
  Value done = constant(0);
  if (isWide) {
    Value numWide =
        arith::DivUIOp::create(builder, loc, count, constant(perPiece));
    copyBlockWide(stage, numWide, isToShared);
    if (rowBytes % kWideBytes == 0)
      return;
    done = arith::MulIOp::create(builder, loc, numWide, constant(perPiece));
  }
  Value data = getCapture(stage.getData());
  Value local = getCapture(stage.getLocal());
  Value rest = arith::SubIOp::create(builder, loc, count, done);
  auto copy = [&](Value i) {
    Value value = add(done, i);
    Value row = arith::DivUIOp::create(builder, loc, value, constant(dim));
    Value column = arith::RemUIOp::create(builder, loc, value, constant(dim));
    Value target = add(blockBegin, row);
    if (isToShared)
      store(load(data, {target, column}), local, {row, column});
    else
      store(load(local, {row, column}), data, {target, column});
  };
  forEachThread(rest, copy, isWide ? perPiece - 1 : plan.getBlockSize() * dim);
}
