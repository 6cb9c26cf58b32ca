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

// The rows of a component in Sum::split: what op2.reduction_add says of them.
static constexpr int64_t kNumLevels = 3, kLast = 2, kGreatest = 3, kLeft = 4,
                         kNumRows = 5;

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
  // Columns are faster where elements have terms for all components.
  constexpr int64_t kMostColumns = 8;
  int64_t numValues = 0;
  for (Value reduction : reductions) {
    int64_t dim = cast<ReductionType>(reduction.getType()).getDim();
    sums.push_back(
        {reduction, dim, width == 1 && dim > kMostColumns, {}, {}, {}});
    numValues += dim;
  }
  numElements = kMost;
  while (numElements > kLeast && numElements * numValues > kMost)
    numElements /= 2;
  // A vector of doubles keeps three registers for each component.
  constexpr int64_t kMostLanes = 48;
  isSplit = width > 1 && width * numValues <= kMostLanes;
}

void ExactSums::emitBuffers(OpBuilder &builder, Location loc) {
  for (Sum &sum : sums) {
    auto type = cast<ReductionType>(sum.reduction.getType());
    SmallVector<int64_t> shape = {sum.dim, numElements};
    if (sum.hasRows)
      std::swap(shape[0], shape[1]);
    sum.buffer = createPrivate(builder, loc,
                               MemRefType::get(shape, type.getElementType()));
    // Whole vectors do not cross lines of the cache.
    sum.buffer.getDefiningOp<memref::AllocaOp>().setAlignment(64);
    if (isSplit)
      sum.split = createPrivate(
          builder, loc,
          MemRefType::get({sum.dim, kNumRows, width}, builder.getI64Type()));
  }
}

//===----------------------------------------------------------------------===//
// Splits by vectors
//===----------------------------------------------------------------------===//

namespace {
/// The rows of one component of a sum, as vectors.
class SplitRows {
public:
  SplitRows(OpBuilder &builder, Location loc, Value split, int64_t component)
      : builder(builder), loc(loc), split(split), component(component) {}

  VectorType getType(Type element) const {
    return VectorType::get({cast<MemRefType>(split.getType()).getDimSize(2)},
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
    return {arith::ConstantIndexOp::create(builder, loc, component),
            arith::ConstantIndexOp::create(builder, loc, row),
            arith::ConstantIndexOp::create(builder, loc, 0)};
  }

  Location loc;
  Value split;
  int64_t component;
};
} // namespace

void ExactSums::beginPiece(OpBuilder &builder, Location loc,
                           const IRMapping &mapping) {
  if (!isSplit)
    return;
  for (Sum &sum : sums) {
    sum.middles.clear();
    for (int64_t component = 0; component < sum.dim; ++component) {
      SplitRows rows(builder, loc, sum.split, component);
      auto zero = arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(rows.getIntegers(), int64_t(0)));
      for (int64_t row = 0; row < kNumRows; ++row)
        rows.store(zero, row);
      auto middles = ReductionSplitOp::create(
          builder, loc, MemRefType::get({kNumLevels}, builder.getF64Type()),
          mapping.lookupOrDefault(sum.reduction),
          arith::ConstantIndexOp::create(builder, loc, component));
      for (int64_t level = 0; level < kNumLevels; ++level) {
        Value place = arith::ConstantIndexOp::create(builder, loc, level);
        Value middle = memref::LoadOp::create(builder, loc, middles, place);
        sum.middles.push_back(vector::BroadcastOp::create(
            builder, loc, rows.getDoubles(), middle));
      }
    }
  }
}

/// What the runtime does to terms (lib/Runtime/Execute/ExactSum.cpp), for those
/// of one vector, of each component.
void ExactSums::emitSplit(OpBuilder &builder, Location loc, const Sum &sum,
                          SmallVector<Value> terms) const {
  // Returns the bits of x + m.
  auto emitLevel = [&](SplitRows &rows, int64_t component, int64_t level) {
    Value middle = sum.middles[component * kNumLevels + level];
    OpBuilder &builder = rows.builder;
    Value &term = terms[component];
    Value moved = arith::AddFOp::create(builder, loc, term, middle);
    Value part = arith::SubFOp::create(builder, loc, moved, middle);
    term = arith::SubFOp::create(builder, loc, term, part);
    return rows.asIntegers(moved);
  };
  Value isLeft;
  for (int64_t component = 0; component < sum.dim; ++component) {
    SplitRows rows(builder, loc, sum.split, component);
    Value &term = terms[component];
    if (term.getType() != rows.getDoubles())
      term = arith::ExtFOp::create(builder, loc, rows.getDoubles(), term);
    Value size = math::AbsFOp::create(builder, loc, term);
    Value greatest = rows.asDoubles(rows.load(kGreatest));
    Value isGreater = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OGT, size, greatest);
    greatest = arith::SelectOp::create(builder, loc, isGreater, size, greatest);
    rows.store(rows.asIntegers(greatest), kGreatest);
    // Two levels leave nothing of most terms.
    for (int64_t level = 0; level < kLast; ++level)
      rows.add(emitLevel(rows, component, level), level);
    Value none = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(rows.getDoubles(), 0.0));
    Value hasRest = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UNE, term, none);
    isLeft =
        isLeft ? arith::OrIOp::create(builder, loc, isLeft, hasRest) : hasRest;
  }

  // What is left of a vector is likely to be like what was left of the one
  // before, so a branch asks.
  Value isAnyLeft = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::OR, isLeft);
  scf::IfOp::create(builder, loc, isAnyLeft, [&](OpBuilder &inner, Location) {
    for (int64_t component = 0; component < sum.dim; ++component) {
      SplitRows rows(inner, loc, sum.split, component);
      // Vectors that skip this have not added the bits of m.
      Value middle =
          rows.asIntegers(sum.middles[component * kNumLevels + kLast]);
      Value bits = emitLevel(rows, component, kLast);
      rows.add(arith::SubIOp::create(inner, loc, bits, middle), kLast);
      rows.store(arith::OrIOp::create(inner, loc, rows.load(kLeft),
                                      rows.asIntegers(terms[component])),
                 kLeft);
    }
    scf::YieldOp::create(inner, loc);
  });
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// What a buffer has from number `first` of pieces of `size` values on.
static Value getTermsFrom(OpBuilder &builder, Location loc, Value buffer,
                          Value first, int64_t size, MemRefType type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto pieces =
      MemRefType::get({ShapedType::kDynamic, size}, type.getElementType());
  Value all = viewAs(builder, loc, buffer, pieces);
  return PtrCastOp::create(builder, loc, type,
                           RowOp::create(builder, loc, pointer, all, first),
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
    auto type = cast<MemRefType>(terms.getTerms().getType());
    bool isVector = type.getRank() == 2;
    auto getNumber = [&]() -> Value {
      return arith::SubIOp::create(builder, loc, elements.getInductionVar(),
                                   begin);
    };
    Value local = sum.hasRows ? getTermsFrom(builder, loc, sum.buffer,
                                             getNumber(), sum.dim, type)
                              : createPrivate(builder, loc, type);
    if (!isVector)
      clearRow(builder, loc, local);
    terms.replaceAllUsesWith(local);
    terms.erase();
    if (sum.hasRows)
      continue;
    // Behind the kernel they go to the buffer.
    builder.setInsertionPoint(elements.getBody()->getTerminator());
    Value number = getNumber();
    if (!isVector) {
      forRowEntries(builder, loc, sum.dim, [&](Value row) {
        memref::StoreOp::create(
            builder, loc, memref::LoadOp::create(builder, loc, local, row),
            sum.buffer, ValueRange{row, number});
      });
      continue;
    }
    auto lanes = VectorType::get({type.getDimSize(1)}, type.getElementType());
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    SmallVector<Value> values;
    for (int64_t component = 0; component < sum.dim; ++component) {
      Value row = arith::ConstantIndexOp::create(builder, loc, component);
      values.push_back(vector::LoadOp::create(builder, loc, lanes, local,
                                              ValueRange{row, zero}));
      vector::StoreOp::create(builder, loc, values.back(), sum.buffer,
                              ValueRange{row, number});
    }
    if (isSplit)
      emitSplit(builder, loc, sum, values);
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
                             sum.split, /*rows=*/false);
      terms = getTermsFrom(builder, loc, terms, inVectors, /*size=*/1,
                           cast<MemRefType>(terms.getType()));
    }
    ReductionAddOp::create(builder, loc, terms, reduction, count,
                           /*split=*/Value(), sum.hasRows);
  }
}
