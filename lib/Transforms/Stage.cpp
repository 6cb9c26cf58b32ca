//===- Stage.cpp - Make block-local copies of indirect data ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2STAGEPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
/// What the arguments on one dat have in common.
struct StagedDat {
  Value dat;
  unsigned firstArg = 0; ///< whose number names the copy
  int64_t rows = 0;      ///< that one element reaches
  bool isRead = true;    ///< by all its arguments
  bool isWritten = true; ///< the same, and not read
  bool isIncremented = true;
  bool isIndirect = true;
  bool isDirect = true;
  bool isOptional = false; ///< one of its arguments
};

/// Stages the dats of one loop.
class LoopStager {
public:
  LoopStager(const PlannedLoop &loop, int64_t limit)
      : loop(loop), limit(limit) {}

  /// Returns the number of dats staged.
  unsigned run(bool isDirectWanted) {
    SmallVector<StagedDat> dats = collectDats();
    // Direct data of an indirect loop would take the shared memory from data
    // that several elements use.
    bool isDirectLoop =
        llvm::all_of(dats, [](auto &dat) { return dat.isDirect; });
    for (const StagedDat &dat : dats) {
      if (isDirectLoop && isDirectWanted && shouldStageDirectly(dat))
        stageDirectly(dat);
      else if (shouldStage(dat))
        stage(dat);
    }
    if (number > 0 && !isDirectLoop)
      loop.getPlan().setStaged(true);
    return number;
  }

private:
  SmallVector<StagedDat> collectDats() const;
  bool take(int64_t bytes);
  bool shouldStage(const StagedDat &dat);
  void stage(const StagedDat &dat);
  bool shouldStageDirectly(const StagedDat &dat);
  void stageDirectly(const StagedDat &dat);

  const PlannedLoop &loop;
  int64_t limit;
  int64_t used = 0;
  unsigned number = 0;
};
} // namespace

static int64_t getValueBytes(DatType type) {
  return llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
}

SmallVector<StagedDat> LoopStager::collectDats() const {
  SmallVector<StagedDat> dats;
  ArrayRef<LoopArg> args = loop.getArgs();
  for (unsigned position = 0; position < args.size(); ++position) {
    const LoopArg &arg = args[position];
    if (!arg.isDat())
      continue;
    auto *it = llvm::find_if(
        dats, [&](const StagedDat &dat) { return dat.dat == arg.data; });
    if (it == dats.end()) {
      dats.emplace_back();
      it = std::prev(dats.end());
      it->dat = arg.data;
      it->firstArg = position;
    }
    it->rows += arg.attr.getCount();
    it->isRead &= arg.getAccess() == Access::Read;
    it->isWritten &= arg.getAccess() == Access::Write;
    it->isIncremented &= arg.getAccess() == Access::Inc;
    it->isIndirect &= arg.isIndirect();
    it->isDirect &= !arg.isIndirect();
    it->isOptional |= bool(arg.flag);
  }
  return dats;
}

/// Whether there is room for a copy, which is then taken.
bool LoopStager::take(int64_t bytes) {
  bytes = llvm::alignTo(bytes, 16);
  if (used + bytes > limit)
    return false;
  used += bytes;
  return true;
}

bool LoopStager::shouldStage(const StagedDat &dat) {
  auto type = cast<DatType>(dat.dat.getType());
  bool isTwoLevel = loop.getPlan().getColoring() == Coloring::TwoLevel;
  // A copy that some arguments bypass would go stale, and the plan knows no
  // local numbers for an argument that may be off.
  if (!dat.isIndirect || dat.isOptional || !type.hasStaticDim() ||
      type.getDim() == 1 || !(dat.isRead || (dat.isIncremented && isTwoLevel)))
    return false;
  // Blocks of other kinds of plans are not ranges of elements.
  Coloring coloring = loop.getPlan().getColoring();
  if (coloring == Coloring::Elements || coloring == Coloring::OwnedRows)
    return false;
  if (failed(loop.getIndirectRows(dat.dat)))
    return false;
  return take(loop.getPlan().getBlockSize() * dat.rows * type.getDim() *
              getValueBytes(type));
}

/// The memory of copies: `distance` values from one row to the next.
static MemRefType getLocalType(MemRefType data, int64_t distance) {
  auto space = gpu::AddressSpaceAttr::get(data.getContext(),
                                          gpu::AddressSpace::Workgroup);
  MemRefLayoutAttrInterface layout;
  if (distance != data.getDimSize(1))
    layout = StridedLayoutAttr::get(data.getContext(), 0, {distance, 1});
  return MemRefType::get(data.getShape(), data.getElementType(), layout, space);
}

void LoopStager::stage(const StagedDat &dat) {
  auto rows = *loop.getIndirectRows(dat.dat);
  if (rows.empty())
    return;
  ForBlocksOp blocks = loop.getBlocks();
  Value data = rows.front().first.getData();
  auto dataType = cast<MemRefType>(data.getType());
  MemRefType localType = getLocalType(dataType, dataType.getDimSize(1));

  OpBuilder builder(loop.getElements());
  Location loc = loop.getBegin().getLoc();
  Value plan = loop.getPlan(), block = blocks.getInductionVar();
  Value local = StageOp::create(builder, loc, localType, data, plan, block,
                                dat.firstArg, number++, /*zero=*/!dat.isRead,
                                /*direct=*/false, /*uninitialized=*/false);
  if (!dat.isRead) {
    builder.setInsertionPointAfter(loop.getElements());
    UnstageOp::create(builder, loc, local, data, plan, block, dat.firstArg,
                      /*direct=*/false);
  }
  for (auto [row, argRow] : rows) {
    builder.setInsertionPoint(row);
    Value entry = LocalEntryOp::create(
        builder, loc, builder.getIndexType(), plan,
        loop.getElements().getInductionVar(), argRow.arg, argRow.row);
    row.getDataMutable().assign(local);
    row.getIndexMutable().assign(entry);
  }
}

//===----------------------------------------------------------------------===//
// Direct data
//===----------------------------------------------------------------------===//

/// Values from one row to the next in a copy of direct rows. Rows of 16, 48, …
/// bytes, in pieces of 16 bytes, use all banks when neighbouring threads read
/// theirs; rows of 32, 64, … bytes get 16 bytes more for that.
static int64_t getDirectDistance(DatType type) {
  int64_t width = getValueBytes(type), bytes = type.getDim() * width;
  return type.getDim() + (bytes % 32 == 0 ? 16 / width : 0);
}

bool LoopStager::shouldStageDirectly(const StagedDat &dat) {
  auto type = cast<DatType>(dat.dat.getType());
  // The components of a struct of arrays are coalesced as they are.
  bool isAoS = loop.getArgs()[dat.firstArg].attr.getLayout() != Layout::SoA;
  return isAoS && !dat.isOptional && type.hasStaticDim() && type.getDim() > 1 &&
         loop.getPlan().getColoring() == Coloring::None &&
         loop.getPlan().getBlockSize() > 0 &&
         take(loop.getPlan().getBlockSize() * getDirectDistance(type) *
              getValueBytes(type));
}

void LoopStager::stageDirectly(const StagedDat &dat) {
  SmallVector<RowOp> rows;
  loop.getElements().getBody().walk([&](RowOp row) {
    auto data = row.getData().getDefiningOp<DatDataOp>();
    if (data && data.getDat() == dat.dat)
      rows.push_back(row);
  });
  if (rows.empty())
    return;
  Value data = rows.front().getData(), plan = loop.getPlan();
  Value block = loop.getBlocks().getInductionVar();
  OpBuilder builder(loop.getElements());
  Location loc = loop.getBegin().getLoc();
  Type index = builder.getIndexType();
  MemRefType type =
      getLocalType(cast<MemRefType>(data.getType()),
                   getDirectDistance(cast<DatType>(dat.dat.getType())));
  Value first =
      BlockRangeOp::create(builder, loc, index, index, plan, block).getBegin();
  Value local =
      StageOp::create(builder, loc, type, data, plan, block, dat.firstArg,
                      number++, /*zero=*/false,
                      /*direct=*/true, /*uninitialized=*/dat.isWritten);
  if (!dat.isRead) {
    builder.setInsertionPointAfter(loop.getElements());
    UnstageOp::create(builder, loc, local, data, plan, block, dat.firstArg,
                      /*direct=*/true);
  }
  for (RowOp row : rows) {
    builder.setInsertionPoint(row);
    Value entry = arith::SubIOp::create(
        builder, loc, loop.getElements().getInductionVar(), first);
    row.getDataMutable().assign(local);
    row.getIndexMutable().assign(entry);
  }
}

namespace {
struct StagePass : public op2::impl::OP2StagePassBase<StagePass> {
  using OP2StagePassBase::OP2StagePassBase;

  void runOnOperation() override {
    for (const PlannedLoop &loop : collectDeviceLoops(getOperation()))
      numStaged += LoopStager(loop, limit).run(direct);
  }
};
} // namespace
