//===- Stage.cpp - Make block-local copies of indirect data ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "PlannedLoop.h"
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
  bool isIncremented = true;
  bool isEligible = true;
};

/// Stages the dats of one loop.
class LoopStager {
public:
  LoopStager(const PlannedLoop &loop, int64_t limit)
      : loop(loop), limit(limit) {}

  /// Returns the number of dats staged.
  unsigned run() {
    for (const StagedDat &dat : collectDats())
      if (shouldStage(dat))
        stage(dat);
    if (number > 0)
      loop.getPlan().setStaged(true);
    return number;
  }

private:
  SmallVector<StagedDat> collectDats() const;
  bool shouldStage(const StagedDat &dat);
  void stage(const StagedDat &dat);

  const PlannedLoop &loop;
  int64_t limit;
  int64_t used = 0;
  unsigned number = 0;
};
} // namespace

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
    it->isIncremented &= arg.getAccess() == Access::Inc;
    // A copy that some arguments bypass would go stale, and the plan knows no
    // local numbers for an argument that may be off.
    it->isEligible &= arg.isIndirect() && !arg.flag;
  }
  return dats;
}

bool LoopStager::shouldStage(const StagedDat &dat) {
  auto type = cast<DatType>(dat.dat.getType());
  bool isTwoLevel = loop.getPlan().getColoring() == Coloring::TwoLevel;
  if (!dat.isEligible || !type.hasStaticDim() || type.getDim() == 1 ||
      !(dat.isRead || (dat.isIncremented && isTwoLevel)))
    return false;
  // Blocks of other kinds of plans are not ranges of elements.
  if (loop.getPlan().getColoring() == Coloring::Elements)
    return false;
  if (failed(loop.getIndirectRows(dat.dat)))
    return false;
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = llvm::alignTo(loop.getPlan().getBlockSize() * dat.rows *
                                    type.getDim() * llvm::divideCeil(bits, 8),
                                16);
  if (used + bytes > limit)
    return false;
  used += bytes;
  return true;
}

void LoopStager::stage(const StagedDat &dat) {
  auto rows = *loop.getIndirectRows(dat.dat);
  if (rows.empty())
    return;
  ForBlocksOp blocks = loop.getBlocks();
  Value data = rows.front().first.getData();
  auto dataType = cast<MemRefType>(data.getType());
  auto space = gpu::AddressSpaceAttr::get(dataType.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto localType =
      MemRefType::get(dataType.getShape(), dataType.getElementType(),
                      MemRefLayoutAttrInterface(), space);

  OpBuilder builder(loop.getElements());
  Location loc = loop.getBegin().getLoc();
  Value plan = loop.getPlan(), block = blocks.getInductionVar();
  Value local = StageOp::create(builder, loc, localType, data, plan, block,
                                dat.firstArg, number++, /*zero=*/!dat.isRead);
  if (!dat.isRead) {
    builder.setInsertionPointAfter(loop.getElements());
    UnstageOp::create(builder, loc, local, data, plan, block, dat.firstArg);
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

namespace {
struct StagePass : public op2::impl::OP2StagePassBase<StagePass> {
  using OP2StagePassBase::OP2StagePassBase;

  void runOnOperation() override {
    for (const PlannedLoop &loop : collectDeviceLoops(getOperation()))
      numStaged += LoopStager(loop, limit).run();
  }
};
} // namespace
