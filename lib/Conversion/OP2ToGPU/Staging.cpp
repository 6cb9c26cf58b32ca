//===- Staging.cpp - Block-local copies in shared memory ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of a block copy together. Neighbouring threads move neighbouring
// values: of a row of an array of structs, of a component of a struct of
// arrays.
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
  if (!layout || isStructOfArrays(local))
    return getRowBytes(local);
  return layout.getStrides()[0] * getValueBytes(local);
}

static MemRefType getLocalType(StageOp stage) {
  return cast<MemRefType>(stage.getLocal().getType());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// How long a buffer of direct rows is, rounded up: blocks have a known size.
static int64_t getDirectBytes(StageOp stage, int64_t blockSize) {
  return llvm::alignTo(blockSize * getRowDistance(getLocalType(stage)),
                       kWideBytes);
}

int64_t KernelBuilder::getDirectBytes() const {
  int64_t bytes = 0;
  for (StageOp stage : stages)
    if (StageOp(stage).getDirect())
      bytes += ::getDirectBytes(stage, PlanOp(plan).getBlockSize());
  return bytes;
}

/// Buffers lie behind one another, each at a multiple of 16 bytes; how long
/// those of indirect rows are is a value of run time.
Value KernelBuilder::getSharedAddress(StageOp stage) {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(builder, loc, space, kSharedMemoryName);
  Value offset = constant(0);
  for (StageOp before : stages) {
    if (before.getNumber() >= stage.getNumber())
      continue;
    if (before.getDirect()) {
      offset =
          add(offset, constant(::getDirectBytes(before, plan.getBlockSize())));
      continue;
    }
    Value size = loadPlanEntry(PlanArray::StageSize, position, before.getArg());
    Value bytes = arith::MulIOp::create(
        builder, loc, size, constant(getRowBytes(getLocalType(before))));
    Value rounded = arith::AndIOp::create(builder, loc,
                                          add(bytes, constant(kWideBytes - 1)),
                                          constant(-kWideBytes));
    offset = add(offset, rounded);
  }
  Value bytes =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), offset);
  return LLVM::GEPOp::create(builder, loc, space, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

//===----------------------------------------------------------------------===//
// Indirect rows
//===----------------------------------------------------------------------===//

/// Runs the body for each value of the rows that the block stages for an
/// argument, or owns of it, each in one thread; `type` tells the layout.
void KernelBuilder::forStagedValues(int64_t arg, MemRefType type,
                                    function_ref<void(StagedValue)> body) {
  Value dim = constant(type.getDimSize(1));
  Value size = loadPlanEntry(PlanArray::StageSize, position, arg);
  Value first = loadPlanEntry(PlanArray::StageOffset, position, arg);
  auto getTarget = [&](Value row) {
    return loadPlanEntry(PlanArray::StageTargets, add(first, row), arg);
  };
  if (isStructOfArrays(type)) {
    forEachThread(size, [&](Value row) {
      Value target = getTarget(row);
      forRowEntries(type.getDimSize(1),
                    [&](Value column) { body({row, column, target}); });
    });
    return;
  }
  Value count = arith::MulIOp::create(builder, loc, size, dim);
  forEachThread(count, [&](Value i) {
    Value row = arith::DivUIOp::create(builder, loc, i, dim);
    Value column = arith::RemUIOp::create(builder, loc, i, dim);
    body({row, column, getTarget(row)});
  });
}

/// A kernel for dats that may be the same uses their own rows where they are.
bool KernelBuilder::isBypassed(StageOp stage) const {
  return !assumeDistinct && stage && stage.getDirect();
}

void KernelBuilder::buildStage(StageOp stage) {
  if (isBypassed(stage))
    return;
  MemRefType type = getKernelType(getLocalType(stage));
  SmallVector<Value> strides;
  if (isStructOfArrays(type))
    strides.push_back(
        loadPlanEntry(PlanArray::StageSize, position, stage.getArg()));
  Value local =
      PtrCastOp::create(builder, loc, type, getSharedAddress(stage), strides);
  stages.push_back(stage);
  outer.map(stage.getLocal(), local);
  if (stage.getUninitialized())
    return;
  if (stage.getDirect())
    return copyBlock(stage, /*isToShared=*/true);
  Value data = stage.getZero() ? Value() : getCapture(stage.getData());
  Type element = type.getElementType();
  if (element.isUnsignedInteger())
    element = builder.getIntegerType(element.getIntOrFloatBitWidth());
  forStagedValues(stage.getArg(), type, [&](StagedValue at) {
    Value value = data ? load(data, {at.target, at.column})
                       : arith::ConstantOp::create(builder, loc,
                                                   builder.getZeroAttr(element))
                             .getResult();
    store(value, local, {at.row, at.column});
  });
}

void KernelBuilder::buildUnstage(UnstageOp unstage) {
  auto stage = unstage.getLocal().getDefiningOp<StageOp>();
  if (isBypassed(stage))
    return;
  // Two handles that turn out to be one dat have copies of the same rows: the
  // second adds to what the first has left there.
  if (!isUnstaging || !assumeDistinct)
    gpu::BarrierOp::create(builder, loc);
  isUnstaging = true;
  if (unstage.getDirect())
    return copyBlock(stage, /*isToShared=*/false);
  Value local = getCapture(unstage.getLocal());
  Value data = getCapture(unstage.getData());
  MemRefType type = getKernelType(getLocalType(stage));
  forStagedValues(stage.getArg(), type, [&](StagedValue at) {
    Value sum = addValues(getLocalType(stage).getElementType(),
                          load(data, {at.target, at.column}),
                          load(local, {at.row, at.column}));
    store(sum, data, {at.target, at.column});
  });
}

//===----------------------------------------------------------------------===//
// Direct rows
//===----------------------------------------------------------------------===//

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
