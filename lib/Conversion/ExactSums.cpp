//===- ExactSums.cpp - Terms of sums over elements ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSums.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::op2;

ElementRange op2::emitPieces(OpBuilder &builder, Location loc,
                             ElementRange range, int64_t elements) {
  Value size = arith::ConstantIndexOp::create(builder, loc, elements);
  auto pieces = scf::ForOp::create(builder, loc, range.begin, range.end, size);
  builder.setInsertionPointToStart(pieces.getBody());
  Value begin = pieces.getInductionVar();
  Value full = arith::AddIOp::create(builder, loc, begin, size);
  Value end = arith::MinSIOp::create(builder, loc, full, range.end);
  return {begin, end, range.step};
}

SmallVector<Value> op2::findExactSums(Region &body) {
  SmallVector<Value> reductions;
  for (auto terms : body.getOps<TermsOp>())
    reductions.push_back(terms.getReduction());
  return reductions;
}

ExactSums::ExactSums(ArrayRef<Value> reductions, int64_t width) : width(width) {
  // The runtime sums 2048 terms at once. Vectors have at most 64 elements.
  constexpr int64_t kMost = 2048, kLeast = 64;
  int64_t numValues = 0;
  for (Value reduction : reductions) {
    int64_t dim = cast<ReductionType>(reduction.getType()).getDim();
    sums.push_back({reduction, dim, {}, {}, {}});
    numValues += dim;
  }
  numElements = kMost;
  while (numElements > kLeast && numElements * numValues > kMost)
    numElements /= 2;
  // Each vector of doubles needs five registers.
  constexpr int64_t kMostLanes = 16;
  isSplit = width > 1 && width * numValues <= kMostLanes &&
            llvm::all_of(sums, [](const Sum &sum) { return sum.dim == 1; });
}

void ExactSums::emitBuffers(OpBuilder &builder, Location loc) {
  for (Sum &sum : sums) {
    auto type = cast<ReductionType>(sum.reduction.getType());
    sum.buffer = createPrivate(
        builder, loc,
        MemRefType::get({numElements, sum.dim}, type.getElementType()));
    // Whole vectors do not cross lines of the cache.
    sum.buffer.getDefiningOp<memref::AllocaOp>().setAlignment(64);
    if (isSplit)
      sum.split = createPrivate(
          builder, loc, MemRefType::get({5, width}, builder.getI64Type()));
  }
}

//===----------------------------------------------------------------------===//
// Splits by vectors
//===----------------------------------------------------------------------===//

// The rows of Sum::split: what op2.reduction_add says of them.
static constexpr int64_t kNumLevels = 3, kLast = 2, kGreatest = 3, kLeft = 4;

namespace {
/// The rows of one sum, as vectors.
class SplitRows {
public:
  SplitRows(OpBuilder &builder, Location loc, Value split)
      : builder(builder), loc(loc), split(split) {}

  VectorType getType(Type element) const {
    return VectorType::get({cast<MemRefType>(split.getType()).getDimSize(1)},
                           element);
  }
  VectorType getIntegers() const { return getType(builder.getI64Type()); }
  VectorType getDoubles() const { return getType(builder.getF64Type()); }
  Value load(int64_t row) {
    return vector::LoadOp::create(builder, loc, getIntegers(), split,
                                  getPlace(row));
  }
  void store(Value value, int64_t row) {
    vector::StoreOp::create(builder, loc, value, split, getPlace(row));
  }
  void add(Value integers, int64_t row) {
    store(arith::AddIOp::create(builder, loc, load(row), integers), row);
  }
  Value asIntegers(Value value) {
    return vector::BitCastOp::create(builder, loc, getIntegers(), value);
  }
  Value asDoubles(Value value) {
    return vector::BitCastOp::create(builder, loc, getDoubles(), value);
  }

  OpBuilder &builder;

private:
  SmallVector<Value> getPlace(int64_t row) {
    return {arith::ConstantIndexOp::create(builder, loc, row),
            arith::ConstantIndexOp::create(builder, loc, 0)};
  }

  Location loc;
  Value split;
};
} // namespace

void ExactSums::beginPiece(OpBuilder &builder, Location loc,
                           const IRMapping &mapping) {
  if (!isSplit)
    return;
  for (Sum &sum : sums) {
    SplitRows rows(builder, loc, sum.split);
    auto zero = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(rows.getIntegers(), int64_t(0)));
    for (int64_t row = 0; row <= kLeft; ++row)
      rows.store(zero, row);
    auto middles = ReductionSplitOp::create(
        builder, loc, MemRefType::get({kNumLevels}, builder.getF64Type()),
        mapping.lookupOrDefault(sum.reduction));
    sum.middles.clear();
    for (int64_t level = 0; level < kNumLevels; ++level) {
      Value place = arith::ConstantIndexOp::create(builder, loc, level);
      Value middle = memref::LoadOp::create(builder, loc, middles, place);
      sum.middles.push_back(
          vector::BroadcastOp::create(builder, loc, rows.getDoubles(), middle));
    }
  }
}

/// What the runtime does to terms (lib/Runtime/Execute/ExactSum.cpp), for those
/// of one vector.
void ExactSums::emitSplit(OpBuilder &builder, Location loc, const Sum &sum,
                          Value terms) const {
  SplitRows rows(builder, loc, sum.split);
  Type element = cast<MemRefType>(terms.getType()).getElementType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value term = vector::LoadOp::create(builder, loc, rows.getType(element),
                                      terms, ValueRange{zero});
  if (!element.isF64())
    term = arith::ExtFOp::create(builder, loc, rows.getDoubles(), term);
  Value size = math::AbsFOp::create(builder, loc, term);
  Value greatest = rows.asDoubles(rows.load(kGreatest));
  Value isGreater = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, size, greatest);
  greatest = arith::SelectOp::create(builder, loc, isGreater, size, greatest);
  rows.store(rows.asIntegers(greatest), kGreatest);
  // Returns the bits of x + m.
  auto emitLevel = [&](SplitRows &rows, int64_t level) {
    Value middle = sum.middles[level];
    OpBuilder &builder = rows.builder;
    Value moved = arith::AddFOp::create(builder, loc, term, middle);
    Value part = arith::SubFOp::create(builder, loc, moved, middle);
    term = arith::SubFOp::create(builder, loc, term, part);
    return rows.asIntegers(moved);
  };
  // Two levels leave nothing of most terms.
  for (int64_t level = 0; level < kLast; ++level)
    rows.add(emitLevel(rows, level), level);

  // What is left of a vector is likely to be like what was left of the one
  // before, so a branch asks.
  Value none = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(rows.getDoubles(), 0.0));
  Value isLeft = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                       term, none);
  Value isAnyLeft = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::OR, isLeft);
  scf::IfOp::create(builder, loc, isAnyLeft, [&](OpBuilder &inner, Location) {
    SplitRows rows(inner, loc, sum.split);
    // Vectors that skip this have not added the bits of m.
    Value middle = rows.asIntegers(sum.middles[kLast]);
    rows.add(arith::SubIOp::create(inner, loc, emitLevel(rows, kLast), middle),
             kLast);
    rows.store(arith::OrIOp::create(inner, loc, rows.load(kLeft),
                                    rows.asIntegers(term)),
               kLeft);
    scf::YieldOp::create(inner, loc);
  });
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// The rows of `buffer` from number `row` on.
static Value getRows(OpBuilder &builder, Location loc, Value buffer, Value row,
                     MemRefType type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return PtrCastOp::create(builder, loc, type,
                           RowOp::create(builder, loc, pointer, buffer, row),
                           ValueRange());
}

void ExactSums::lowerTerms(scf::ForOp elements, Value begin,
                           const IRMapping &mapping) {
  for (auto terms :
       llvm::make_early_inc_range(elements.getBody()->getOps<TermsOp>())) {
    const Sum &sum = *llvm::find_if(sums, [&](const Sum &known) {
      return mapping.lookupOrDefault(known.reduction) == terms.getReduction();
    });
    Location loc = terms.getLoc();
    OpBuilder builder(terms);
    Value row =
        arith::SubIOp::create(builder, loc, elements.getInductionVar(), begin);
    auto type = cast<MemRefType>(terms.getTerms().getType());
    bool isVector = type.getDimSize(0) != sum.dim;
    Value place = isVector ? getRows(builder, loc, sum.buffer, row, type)
                           : RowOp::create(builder, loc, type, sum.buffer, row);
    clearRow(builder, loc, place);
    terms.replaceAllUsesWith(place);
    terms.erase();
    if (isVector && isSplit) {
      builder.setInsertionPoint(elements.getBody()->getTerminator());
      emitSplit(builder, loc, sum, place);
    }
  }
}

void ExactSums::endPiece(OpBuilder &builder, Location loc, Value begin,
                         Value end, const IRMapping &mapping) {
  if (empty())
    return;
  Value count = arith::SubIOp::create(builder, loc, end, begin);
  Value inVectors;
  if (isSplit) {
    Value size = arith::ConstantIndexOp::create(builder, loc, width);
    Value rest = arith::RemUIOp::create(builder, loc, count, size);
    inVectors = arith::SubIOp::create(builder, loc, count, rest);
    count = rest;
  }
  for (const Sum &sum : sums) {
    Value reduction = mapping.lookupOrDefault(sum.reduction);
    Value terms = sum.buffer;
    if (isSplit) {
      ReductionAddOp::create(builder, loc, terms, reduction, inVectors,
                             sum.split);
      terms = getRows(builder, loc, terms, inVectors,
                      cast<MemRefType>(terms.getType()));
    }
    ReductionAddOp::create(builder, loc, terms, reduction, count,
                           /*split=*/Value());
  }
}
