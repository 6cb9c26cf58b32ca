//===- RowPrefetch.cpp - Software prefetch of rows ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPrefetch.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::op2;

static constexpr int64_t kLineBytes = 64, kLineBits = kLineBytes * 8;

/// How the loop uses the data of `row`, if through maps only, and only to read
/// or only to write.
static std::optional<Access> getFarAccess(RowOp row, LoopBeginOp loop) {
  auto data = row.getData().getDefiningOp<DatDataOp>();
  if (!data || !isa<MemRefType>(row.getRow().getType()))
    return std::nullopt;
  std::optional<Access> access;
  for (const LoopArg &arg : loop.getLoopArgs()) {
    if (arg.data != data.getDat())
      continue;
    if (!arg.isIndirect() || (access && *access != arg.getAccess()))
      return std::nullopt;
    access = arg.getAccess();
  }
  return access;
}

/// Whether rows are so long that neighbours share no lines, and the kernel
/// reads them at places that only the element knows: which lines, nobody
/// foresees.
static bool isReadAnywhere(RowOp row) {
  auto type = cast<MemRefType>(row.getRow().getType());
  if (!type.hasStaticShape() ||
      type.getNumElements() * type.getElementTypeBitWidth() < kLineBits)
    return false;
  return llvm::any_of(row.getRow().getUses(), [](OpOperand &use) {
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    auto kernel = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                             call, call.getCalleeAttr())
                       : func::FuncOp();
    return kernel && !kernel.isExternal() &&
           llvm::any_of(kernel.getArgument(use.getOperandNumber()).getUsers(),
                        [](Operation *user) {
                          auto load = dyn_cast<memref::LoadOp>(user);
                          return load &&
                                 !llvm::all_of(load.getIndices(), [](Value at) {
                                   return matchPattern(at, m_Constant());
                                 });
                        });
  });
}

RowPrefetch::RowPrefetch(ForElementsOp elements, LoopBeginOp loop)
    : element(elements.getBody().getArgument(0)) {
  Block &body = elements.getBody().front();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return op->getBlock() == &body; };
  for (auto row : body.getOps<RowOp>()) {
    // Stores reach memory one after the other, so each would wait for a line
    // that has not been read before.
    std::optional<Access> access = getFarAccess(row, loop);
    bool isWritten = access == Access::Write;
    // Vectors load the rows of some elements at once.
    auto isWaitedFor = [&] {
      return elements.getPrefetch() ||
             (!elements.hasLanes() && isReadAnywhere(row));
    };
    bool isWorthIt = isWritten || (access == Access::Read && isWaitedFor());
    if (isWorthIt &&
        succeeded(getBackwardSlice(row.getOperation(), &sources, options)))
      rows.push_back({row, isWritten});
  }
}

/// Lines of one row that are prefetched: those of more rows would not stay in
/// the caches, and who goes through a longer row is foreseen by the hardware.
static constexpr int64_t kMostLines = 16;

/// A component for about each line that a row takes; of a row whose length is
/// unknown, the first.
static SmallVector<int64_t> getComponents(MemRefType row) {
  int64_t count = row.hasStaticShape() ? row.getNumElements() : 1;
  bool isWhole = row.getLayout().isIdentity();
  int64_t step =
      isWhole ? std::max<int64_t>(kLineBits / row.getElementTypeBitWidth(), 1)
              : 1;
  SmallVector<int64_t> components;
  for (int64_t c = 0; c < std::min(count, kMostLines * step); c += step)
    components.push_back(c);
  return components;
}

int64_t RowPrefetch::getNumElements() const {
  constexpr int64_t kBytes = 32768, kLeast = 16, kMost = 256;
  int64_t lines = 0;
  for (auto [row, isWritten] : rows)
    lines += int64_t(
        getComponents(cast<MemRefType>(RowOp(row).getRow().getType())).size());
  return std::clamp(kBytes / (lines * kLineBytes), kLeast, kMost);
}

void RowPrefetch::emitPrefetch(OpBuilder &builder, Location loc, Value begin,
                               Value end, IRMapping mapping) const {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  mapping.map(element, loop.getInductionVar());
  OpBuilder inLoop(loop.getBody(), loop.getBody()->begin());
  for (Operation *op : sources)
    inLoop.clone(*op, mapping);
  for (auto [row, isWritten] : rows) {
    auto type = cast<MemRefType>(row.getRow().getType());
    for (int64_t c : getComponents(type)) {
      Value component = arith::ConstantIndexOp::create(inLoop, loc, c);
      memref::PrefetchOp::create(inLoop, loc, mapping.lookup(row.getRow()),
                                 ValueRange{component}, isWritten,
                                 /*localityHint=*/3, /*isDataCache=*/true);
    }
  }
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static int64_t getElementBytes(MemRefType type) {
  return std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1);
}

StreamPrefetch::StreamPrefetch(ForElementsOp elements,
                               const ChunkCaptures &captures)
    : width(*elements.getWidth()) {
  Value element = elements.getBody().getArgument(0);
  auto add = [&](Value data, int64_t components) {
    auto type = cast<MemRefType>(data.getType());
    int64_t bytes = components * getElementBytes(type);
    bool isKnown = llvm::any_of(
        streams, [&](const Stream &stream) { return stream.data == data; });
    if (!isKnown && bytes > 0 && type.getLayout().isIdentity())
      streams.push_back({data, bytes});
  };
  // Of more rows a vector's fill the nearest cache.
  constexpr int64_t kMostRows = 256;
  int64_t numRows = 0; // that maps lead to
  for (Value value : captures.getValues())
    if (auto table = value.getDefiningOp<MapTableOp>()) {
      int64_t arity =
          getLikelyArity(captures.getLoop().getLoopArgs(), table.getMap());
      add(value, arity);
      numRows += width * arity;
    }
  if (numRows > kMostRows) {
    streams.clear();
    return;
  }
  for (auto row : elements.getBody().front().getOps<RowOp>()) {
    Value data = row.getData();
    auto type = cast<MemRefType>(data.getType());
    if (row.getIndex() == element && captures.isReadOnly(data) &&
        data.getDefiningOp<DatDataOp>() && type.getRank() == 2 &&
        !type.isDynamicDim(1))
      add(data, type.getDimSize(1));
  }
  // The hardware keeps up with direct loops that are not through with a page
  // after a vector or two.
  constexpr int64_t kLeastBytes = 2048;
  if (numRows == 0)
    llvm::erase_if(streams, [&](const Stream &stream) {
      return width * stream.bytes < kLeastBytes;
    });
}

void StreamPrefetch::emit(scf::ForOp loop, const IRMapping &mapping) const {
  // Further than a page; all together no more than a small first cache has.
  constexpr int64_t kDistance = 8192, kTogether = 32768;
  OpBuilder builder(loop.getBody(), loop.getBody()->begin());
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (auto [data, bytes] : streams) {
    // The next vectors have the same line.
    if (2 * width * bytes < kLineBytes || bytes > kMostLines * kLineBytes)
      continue;
    int64_t distance =
        std::min(kDistance, kTogether / int64_t(streams.size())) / bytes;
    int64_t size = getElementBytes(cast<MemRefType>(data.getType()));
    for (int64_t at = 0; at < width * bytes; at += kLineBytes) {
      Value row = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                        constant(distance + at / bytes));
      memref::PrefetchOp::create(builder, loc, mapping.lookup(data),
                                 ValueRange{row, constant(at % bytes / size)},
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
    }
  }
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

ColumnPrefetch::ColumnPrefetch(ForElementsOp elements,
                               const ChunkCaptures &captures) {
  if (!captures.getLoop()->hasAttr(kInPlaceAttr))
    return;
  for (auto row : elements.getBody().front().getOps<RowOp>()) {
    // An optional argument, whose number comes from a branch, may have no map.
    if (!row.getIndex().getDefiningOp<arith::IndexCastOp>())
      continue;
    MapEntry entry = getMapEntry(row);
    auto data = row.getData().getDefiningOp<DatDataOp>();
    if (!entry.table || !data ||
        cast<DatType>(data.getDat().getType()).hasStaticDim())
      continue;
    auto *known = llvm::find_if(targets, [&](const Target &target) {
      return target.entry.table == entry.table &&
             target.entry.slot == entry.slot;
    });
    if (known == targets.end()) {
      targets.push_back({entry, {}});
      known = &targets.back();
    }
    known->columns.push_back({row, !captures.isReadOnly(row.getData())});
  }
}

/// How many elements ahead, so that what is asked for stays in the nearest
/// cache until then: 24, or fewer if columns are long.
static Value getDistance(OpBuilder &builder, Location loc, Value bytes) {
  constexpr int64_t kMost = 24, kBytes = 32768;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value one = constant(1);
  bytes = arith::MaxUIOp::create(builder, loc, bytes, one);
  Value count = arith::DivUIOp::create(builder, loc, constant(kBytes), bytes);
  count = arith::MaxUIOp::create(builder, loc, count, one);
  return arith::MinUIOp::create(builder, loc, count, constant(kMost));
}

static int64_t getBytes(RowOp row) {
  return getElementBytes(cast<MemRefType>(row.getData().getType()));
}

/// All lines of the columns with this number.
void ColumnPrefetch::prefetch(OpBuilder &builder, Location loc,
                              const Target &target, Value number,
                              const IRMapping &mapping) const {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [original, isWritten] : target.columns) {
    Value data = mapping.lookup(original.getData());
    auto type = cast<MemRefType>(data.getType());
    auto rowType =
        MemRefType::get({ShapedType::kDynamic}, type.getElementType());
    Value row = RowOp::create(builder, loc, rowType, data, number);
    Value size = memref::DimOp::create(builder, loc, data, 1);
    Value line = arith::ConstantIndexOp::create(
        builder, loc, kLineBits / 8 / getBytes(original));
    auto lines = scf::ForOp::create(builder, loc, zero, size, line);
    OpBuilder inLines(lines.getBody(), lines.getBody()->begin());
    memref::PrefetchOp::create(inLines, loc, row, lines.getInductionVar(),
                               isWritten, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

void ColumnPrefetch::emit(OpBuilder &builder, scf::ForOp loop,
                          IRMapping mapping) const {
  if (targets.empty())
    return;
  OpBuilder::InsertionGuard guard(builder);
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value none = arith::ConstantIndexOp::create(builder, loc, -1);
  Value last = arith::SubIOp::create(builder, loc, loop.getUpperBound(), one);
  Value bytes = zero;
  DenseMap<Value, Value> highest; // number so far, by table
  for (const Target &target : targets) {
    for (Column column : target.columns) {
      Value size = memref::DimOp::create(
          builder, loc, mapping.lookup(column.row.getData()), 1);
      Value width =
          arith::ConstantIndexOp::create(builder, loc, getBytes(column.row));
      size = arith::MulIOp::create(builder, loc, size, width);
      bytes = arith::AddIOp::create(builder, loc, bytes, size);
    }
    Value &place = highest[target.entry.table];
    if (place)
      continue;
    place = memref::AllocaOp::create(
        builder, loc, MemRefType::get({1}, builder.getIndexType()));
    memref::StoreOp::create(builder, loc, none, place, zero);
  }
  Value distance = getDistance(builder, loc, bytes);

  builder.setInsertionPointToStart(loop.getBody());
  Value ahead =
      arith::AddIOp::create(builder, loc, loop.getInductionVar(), distance);
  ahead = arith::MinSIOp::create(builder, loc, ahead, last);
  for (const Target &target : targets) {
    Value slot =
        arith::ConstantIndexOp::create(builder, loc, target.entry.slot);
    Value number =
        memref::LoadOp::create(builder, loc, mapping.lookup(target.entry.table),
                               ValueRange{ahead, slot});
    number = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        number);
    Value place = highest[target.entry.table];
    Value before = memref::LoadOp::create(builder, loc, place, zero);
    Value isNew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                        number, before);
    auto branch = scf::IfOp::create(builder, loc, isNew);
    OpBuilder inThen = branch.getThenBodyBuilder();
    memref::StoreOp::create(inThen, loc, number, place, zero);
    prefetch(inThen, loc, target, number, mapping);
  }
}
