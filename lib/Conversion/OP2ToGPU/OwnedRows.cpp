//===- OwnedRows.cpp - Sums by the owners of rows in a device kernel ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread leaves what its element adds in shared memory, or, of rows for
// which that has no room, in memory that the launch has for each block. Behind
// a barrier each row that the block owns has a thread, or each of its values,
// which adds to it what the plan's list says, in the order of the elements. The
// list, and where each thread's row is, are asked for before the elements run
// and used behind them, so that nobody waits for the one after the other; hence
// there is no branch around either. Where rows are long, elements take long,
// too, and need the registers.
//
//===----------------------------------------------------------------------===//

#include "../LoopAnnotations.h"
#include "KernelBuilder.h"
#include "OP2/Runtime/op2rt_device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

/// The next `bytes` of shared memory, as a buffer of that type.
Value KernelBuilder::reserveShared(MemRefType type, int64_t bytes,
                                   ValueRange strides) {
  constexpr int64_t kAlignment = 16;
  Value address = createSharedAddress(builder, loc, ownedBytes);
  ownedBytes += llvm::alignTo(bytes, kAlignment);
  return PtrCastOp::create(builder, loc, type, address, strides);
}

/// The block's rows in the device's memory. Other threads store there, too, so
/// it is no memory that only this kernel's pointer reaches.
Value KernelBuilder::getDeviceIncrements(OwnedIncrementsOp op, Value data) {
  auto type = cast<MemRefType>(op.getIncrements().getType());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address = DevicePlanArrayOp::create(host, loc, pointer, begin, plan,
                                            PlanArray::Increments, op.getArg(),
                                            /*row=*/0);
  Value first = addParameter(address, /*isNoAlias=*/false);
  hasIncrementsInMemory = true;
  Value dim = constant(type.getDimSize(1));
  SmallVector<Value> sizes;
  if (type.isDynamicDim(1)) {
    dim = memref::DimOp::create(builder, loc, data, 1);
    sizes.push_back(dim);
  }
  Value bytes = arith::MulIOp::create(
      builder, loc,
      constant(op.getRows() * getValueBytes(type.getElementType())), dim);
  Value offset = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      arith::MulIOp::create(builder, loc, bytes, block));
  Value own =
      LLVM::GEPOp::create(builder, loc, first.getType(), builder.getI8Type(),
                          first, ArrayRef<LLVM::GEPArg>{offset});
  return PtrCastOp::create(builder, loc, type, own, sizes);
}

LogicalResult KernelBuilder::buildOwnedIncrements(OwnedIncrementsOp op) {
  auto user = llvm::find_if(op->getUsers(), llvm::IsaPred<AddOwnedOp>);
  if (user == op->user_end())
    return op.emitOpError(
        "expected an op2.add_owned that takes its increments");
  auto sums = cast<AddOwnedOp>(*user);
  auto type = cast<MemRefType>(op.getIncrements().getType());
  if (!isStructOfArrays(type)) {
    outer.map(op.getIncrements(),
              getDeviceIncrements(op, getCapture(sums.getData())));
    laterSums.emplace_back(sums, op.getRows());
    return success();
  }
  outer.map(op.getIncrements(),
            reserveShared(type,
                          op.getRows() * type.getDimSize(1) *
                              getValueBytes(type.getElementType()),
                          constant(op.getRows())));
  beginOwnedSums(sums, op.getRows());
  return success();
}

// A thread has the values of so many columns in registers, and so many entries
// of the list.
static constexpr int64_t kMostColumns = 8, kMostEarly = 4;
static_assert(kMostEarly * kMaxThreads <= OP2RT_DEVICE_MORE_ENTRIES);

/// Asks for what the sums will need; `numIncrements`: of a block, at most.
void KernelBuilder::beginOwnedSums(AddOwnedOp op, int64_t numIncrements) {
  OwnedSums sums;
  sums.op = op;
  sums.arg = op.getArg();
  sums.increments = outer.lookup(op.getIncrements());
  sums.data = getCapture(op.getData());
  auto type = cast<MemRefType>(sums.data.getType());
  sums.dim = type.getDimSize(1);
  sums.isByRow = isStructOfArrays(type) ||
                 (!type.isDynamicDim(1) && sums.dim <= kMostColumns);
  sums.numColumns = constant(sums.dim);
  // Of a dat that is not there it is 0; numbers are divided by it.
  if (type.isDynamicDim(1))
    sums.numColumns = arith::MaxSIOp::create(
        builder, loc, memref::DimOp::create(builder, loc, sums.data, 1),
        constant(1));
  sums.size = loadPlanEntry(PlanArray::OwnedSize, position, sums.arg);
  sums.count = sums.size;
  if (!sums.isByRow)
    sums.count =
        arith::MulIOp::create(builder, loc, sums.size, sums.numColumns);
  sums.offset = loadPlanEntry(PlanArray::SumOffset, position, sums.arg);
  sums.first = loadPlanEntry(PlanArray::OwnedOffset, position, sums.arg);
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto listType = MemRefType::get(ShapedType::kDynamic, builder.getI16Type(),
                                  MemRefLayoutAttrInterface(), space);
  sums.list = reserveShared(
      listType, llvm::alignTo(numIncrements, numThreads) * sizeof(uint16_t),
      ValueRange());
  Value entries =
      getPlanArray(PlanArray::SumEntries, listType.getElementType(), sums.arg);
  if (numIncrements <= kMostEarly * numThreads)
    for (int64_t n = 0; n < numIncrements; n += numThreads)
      sums.early.push_back(
          load(entries, add(sums.offset, add(thread, constant(n)))));
  sums.turn = loadOwnedTurn(sums, thread);
  ownedSums.push_back(sums);
}

/// What a thread needs for the row, or the value, of that number: the row's
/// number, and begin and end of its increments in the list. Of any row of the
/// block if it has no such row.
OwnedTurn KernelBuilder::loadOwnedTurn(const OwnedSums &sums, Value number) {
  Value row = number;
  if (!sums.isByRow)
    row = arith::DivUIOp::create(builder, loc, number, sums.numColumns);
  Value last = arith::MaxSIOp::create(
      builder, loc, add(sums.size, constant(-1)), constant(0));
  row = arith::MinSIOp::create(builder, loc, row, last);
  // Blocks have one number more than rows there.
  Value place = add(add(sums.first, position), row);
  return {
      loadPlanEntry(PlanArray::OwnedTargets, add(sums.first, row), sums.arg),
      loadPlanEntry(PlanArray::SumBegin, place, sums.arg),
      loadPlanEntry(PlanArray::SumBegin, add(place, constant(1)), sums.arg)};
}

/// The list goes to shared memory.
void KernelBuilder::storeOwnedList(const OwnedSums &sums) {
  for (auto [n, entry] : llvm::enumerate(sums.early))
    store(entry, sums.list, add(thread, constant(int64_t(n) * numThreads)));
  if (!sums.early.empty())
    return;
  Value place = add(add(sums.first, position), sums.size);
  Value entries =
      getPlanArray(PlanArray::SumEntries, builder.getI16Type(), sums.arg);
  Value numEntries = loadPlanEntry(PlanArray::SumBegin, place, sums.arg);
  forEachThread(numEntries, [&](Value n) {
    store(load(entries, add(sums.offset, n)), sums.list, n);
  });
}

/// Adds to columns of a row what the block's elements add to them.
void KernelBuilder::addInOrder(const OwnedSums &sums, const OwnedTurn &turn,
                               ArrayRef<Value> columns) {
  SmallVector<Value> starts;
  for (Value column : columns)
    starts.push_back(load(sums.data, {turn.target, column}));
  auto loop = scf::ForOp::create(builder, loc, turn.begin, turn.end,
                                 constant(1), starts);
  // Rows have few elements.
  keepScalar(loop, /*isShort=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value entry =
        arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                     load(sums.list, loop.getInductionVar()));
    SmallVector<Value> results;
    for (auto [column, sum] : llvm::zip(columns, loop.getRegionIterArgs()))
      results.push_back(addValues(sum.getType(), sum,
                                  load(sums.increments, {entry, column})));
    scf::YieldOp::create(builder, loc, results);
  }
  for (auto [column, sum] : llvm::zip(columns, loop.getResults()))
    store(sum, sums.data, {turn.target, column});
}

void KernelBuilder::takeOwnedTurn(const OwnedSums &sums, const OwnedTurn &turn,
                                  Value number) {
  if (!sums.isByRow)
    return addInOrder(
        sums, turn,
        Value(arith::RemUIOp::create(builder, loc, number, sums.numColumns)));
  if (sums.dim > kMostColumns)
    return forRowEntries(sums.dim,
                         [&](Value column) { addInOrder(sums, turn, column); });
  SmallVector<Value> columns;
  for (int64_t column = 0; column < sums.dim; ++column)
    columns.push_back(constant(column));
  addInOrder(sums, turn, columns);
}

LogicalResult KernelBuilder::buildAddOwned(AddOwnedOp op) {
  for (auto [later, numIncrements] : laterSums)
    beginOwnedSums(later, numIncrements);
  laterSums.clear();
  auto *sums = llvm::find_if(
      ownedSums, [&](const OwnedSums &known) { return known.op == op; });
  if (sums == ownedSums.end())
    return op.emitOpError("expected what an op2.owned_increments before it in "
                          "the block has made");
  if (!isAddingOwned)
    for (const OwnedSums &all : ownedSums)
      storeOwnedList(all);
  // Two handles that turn out to be one dat have the same rows: the second adds
  // to what the first has left there.
  if (!isAddingOwned || !assumeDistinct)
    gpu::BarrierOp::create(builder, loc);
  isAddingOwned = true;
  OpBuilder::InsertionGuard guard(builder);
  Value hasTurn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        thread, sums->count);
  auto first = scf::IfOp::create(builder, loc, hasTurn);
  auto others =
      scf::ForOp::create(builder, loc, add(thread, constant(numThreads)),
                         sums->count, constant(numThreads));
  builder.setInsertionPointToStart(first.thenBlock());
  takeOwnedTurn(*sums, sums->turn, thread);
  builder.setInsertionPointToStart(others.getBody());
  Value number = others.getInductionVar();
  takeOwnedTurn(*sums, loadOwnedTurn(*sums, number), number);
  return success();
}
