//===- Stage.cpp - Make block-local copies of the data of direct loops ----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  unsigned firstArg = 0;
  bool isRead = true;      ///< by all its arguments
  bool isWritten = true;   ///< the same
  bool isSet = false;      ///< the kernel overwrites rows as a whole
  bool isOptional = false; ///< one of its arguments
};

/// Stages the dats of one loop.
class LoopStager {
public:
  LoopStager(const PlannedLoop &loop, int64_t limit)
      : loop(loop), limit(limit) {}

  /// Returns the number of dats staged.
  unsigned run() {
    if (llvm::any_of(loop.getArgs(), [](const LoopArg &arg) {
          return arg.isDat() && arg.isIndirect();
        }))
      return 0;
    for (const StagedDat &dat : collectDats())
      if (shouldStage(dat))
        stage(dat);
    return number;
  }

private:
  SmallVector<StagedDat> collectDats() const;
  bool take(int64_t bytes);
  bool shouldStage(const StagedDat &dat);
  void stage(const StagedDat &dat);

  const PlannedLoop &loop;
  int64_t limit;
  int64_t used = 0;
  unsigned number = 0;
};
} // namespace

static int64_t getValueBytes(DatType type) {
  return llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
}

/// The kernel as far as it can be looked into; null: it cannot.
static func::FuncOp findKernel(const PlannedLoop &loop) {
  auto call = dyn_cast_or_null<func::CallOp>(loop.getKernelCall());
  if (!call)
    return {};
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return kernel && !kernel.isExternal() ? kernel : func::FuncOp();
}

SmallVector<StagedDat> LoopStager::collectDats() const {
  SmallVector<StagedDat> dats;
  func::FuncOp kernel = findKernel(loop);
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
    it->isRead &= arg.getAccess() == Access::Read;
    it->isWritten &= arg.getAccess() == Access::Write;
    it->isSet |= isSet(arg, kernel, getFirstOperand(args, position));
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

/// The memory of copies: `distance` values from one row to the next.
static MemRefType getLocalType(MemRefType data, int64_t distance) {
  auto space = gpu::AddressSpaceAttr::get(data.getContext(),
                                          gpu::AddressSpace::Workgroup);
  MemRefLayoutAttrInterface layout;
  if (distance != data.getDimSize(1))
    layout = StridedLayoutAttr::get(data.getContext(), 0, {distance, 1});
  return MemRefType::get(data.getShape(), data.getElementType(), layout, space);
}

/// Values from one row to the next in a copy. Rows of 16, 48, …
/// bytes, in pieces of 16 bytes, use all banks when neighbouring threads read
/// theirs; rows of 32, 64, … bytes get 16 bytes more for that.
static int64_t getRowDistance(DatType type) {
  int64_t width = getValueBytes(type), bytes = type.getDim() * width;
  return type.getDim() + (bytes % 32 == 0 ? 16 / width : 0);
}

bool LoopStager::shouldStage(const StagedDat &dat) {
  auto type = cast<DatType>(dat.dat.getType());
  // The components of a struct of arrays are coalesced as they are.
  bool isAoS = loop.getArgs()[dat.firstArg].attr.getLayout() != Layout::SoA;
  return isAoS && !dat.isOptional && type.hasStaticDim() && type.getDim() > 1 &&
         loop.getPlan().getColoring() == Coloring::None &&
         loop.getPlan().getBlockSize() > 0 &&
         take(loop.getPlan().getBlockSize() * getRowDistance(type) *
              getValueBytes(type));
}

void LoopStager::stage(const StagedDat &dat) {
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
                   getRowDistance(cast<DatType>(dat.dat.getType())));
  Value first =
      BlockRangeOp::create(builder, loc, index, index, plan, block).getBegin();
  Value local = StageOp::create(builder, loc, type, data, plan, block, number++,
                                /*uninitialized=*/dat.isWritten && dat.isSet);
  if (!dat.isRead) {
    builder.setInsertionPointAfter(loop.getElements());
    UnstageOp::create(builder, loc, local, data, plan, block);
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
      numStaged += LoopStager(loop, limit).run();
  }
};
} // namespace
