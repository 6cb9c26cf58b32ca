//===- RowPrefetch.cpp - Software prefetch of rows ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPrefetch.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

static constexpr int64_t kLineBits = 64 * 8;

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
    bool isWorthIt =
        isWritten || (access == Access::Read && elements.getPrefetch());
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
