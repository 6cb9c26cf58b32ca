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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

ExactSums::ExactSums(ArrayRef<Value> reductions) {
  // The runtime sums 256 terms at once. Vectors have at most 64 elements.
  constexpr int64_t kMost = 256, kLeast = 64, kMostValues = 2048;
  int64_t numValues = 0;
  for (Value reduction : reductions) {
    int64_t dim = cast<ReductionType>(reduction.getType()).getDim();
    sums.push_back({reduction, dim, {}});
    numValues += dim;
  }
  numElements = kMost;
  while (numElements > kLeast && numElements * numValues > kMostValues)
    numElements /= 2;
}

void ExactSums::emitBuffers(OpBuilder &builder, Location loc) {
  for (Sum &sum : sums) {
    auto type = cast<ReductionType>(sum.reduction.getType());
    sum.buffer = createPrivate(
        builder, loc,
        MemRefType::get({numElements, sum.dim}, type.getElementType()));
  }
}

/// Makes each value the additive identity.
static void clear(OpBuilder &builder, Location loc, Value terms) {
  auto type = cast<MemRefType>(terms.getType());
  Value identity = createAdditiveIdentity(builder, loc, type.getElementType());
  forRowEntries(builder, loc, type.getDimSize(0), [&](Value i) {
    memref::StoreOp::create(builder, loc, identity, terms, i);
  });
}

void ExactSums::lowerTerms(scf::ForOp elements, Value begin,
                           const IRMapping &mapping) const {
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
    Value place;
    if (type.getDimSize(0) == sum.dim) {
      place = RowOp::create(builder, loc, type, sum.buffer, row);
    } else {
      auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
      place = PtrCastOp::create(
          builder, loc, type,
          RowOp::create(builder, loc, pointer, sum.buffer, row), ValueRange());
    }
    clear(builder, loc, place);
    terms.replaceAllUsesWith(place);
    terms.erase();
  }
}

void ExactSums::emitAdditions(OpBuilder &builder, Location loc, Value begin,
                              Value end, const IRMapping &mapping) const {
  if (empty())
    return;
  Value count = arith::SubIOp::create(builder, loc, end, begin);
  for (const Sum &sum : sums)
    ReductionAddOp::create(builder, loc, sum.buffer,
                           mapping.lookupOrDefault(sum.reduction), count);
}
