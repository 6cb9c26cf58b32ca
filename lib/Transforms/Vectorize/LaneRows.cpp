//===- LaneRows.cpp - Between rows in memory and lanes --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For eight lanes and rows r0 … r7 of four components:
//
//   z0 = r0 r4, z1 = r1 r5, z2 = r2 r6, z3 = r3 r7     (half a vector each)
//
// then each half is a square of four by four whose transposition needs two
// steps of four shuffles; component c of all lanes comes out as one vector.
// The same steps lead back.
//
//===----------------------------------------------------------------------===//

#include "LaneRows.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::op2;

/// A line of the cache.
static constexpr int64_t kLineBits = 512;

SmallVector<LaneRows::Piece> LaneRows::getPieces(int64_t dim) const {
  SmallVector<Piece> pieces;
  for (int64_t first = 0; first < dim;) {
    int64_t size = 4;
    while (size > dim - first || size > width)
      size /= 2;
    pieces.push_back({first, size});
    first += size;
  }
  return pieces;
}

VectorType LaneRows::getLanes(Value buffer) const {
  return VectorType::get({width},
                         cast<MemRefType>(buffer.getType()).getElementType());
}

Value LaneRows::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LaneRows::shuffle(Value left, Value right, ArrayRef<int64_t> mask) {
  return builder.createOrFold<vector::ShuffleOp>(loc, left, right, mask);
}

/// The numbers first, first + 1, … of `count` elements.
static SmallVector<int64_t> range(int64_t first, int64_t count) {
  return llvm::to_vector(llvm::seq(first, first + count));
}

Value LaneRows::concatenate(ArrayRef<Value> vectors) {
  SmallVector<Value> parts(vectors);
  while (parts.size() > 1) {
    SmallVector<Value> wider;
    for (size_t i = 0; i < parts.size(); i += 2) {
      int64_t size = cast<VectorType>(parts[i].getType()).getNumElements();
      wider.push_back(shuffle(parts[i], parts[i + 1], range(0, 2 * size)));
    }
    parts = std::move(wider);
  }
  return parts.front();
}

Value LaneRows::slice(Value vector, int64_t first, int64_t count) {
  return shuffle(vector, vector, range(first, count));
}

SmallVector<Value> LaneRows::deinterleave(Value vector, int64_t count) {
  if (count == 1)
    return {vector};
  SmallVector<Value> result(count);
  if (count % 2 == 0) {
    auto halves = vector::DeinterleaveOp::create(builder, loc, vector);
    for (auto [half, values] : llvm::enumerate(halves.getResults()))
      for (auto [number, part] :
           llvm::enumerate(deinterleave(values, count / 2)))
        result[2 * number + half] = part;
    return result;
  }
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  for (auto [first, part] : llvm::enumerate(result)) {
    SmallVector<int64_t> mask;
    for (int64_t place = int64_t(first); place < size; place += count)
      mask.push_back(place);
    part = shuffle(vector, vector, mask);
  }
  return result;
}

SmallVector<Value> LaneRows::transposeSquares(ArrayRef<Value> vectors) {
  auto size = int64_t(vectors.size());
  // In each group of lanes: those of `left` that `places` names, then the same
  // of `right`, one by one or two by two.
  auto mix = [&](Value left, Value right, ArrayRef<int64_t> places) {
    SmallVector<int64_t> mask;
    for (int64_t group = 0; group < width; group += size)
      for (int64_t place : places)
        mask.push_back(place < size ? group + place
                                    : width + group + place - size);
    return shuffle(left, right, mask);
  };
  if (size == 2)
    return {mix(vectors[0], vectors[1], {0, 2}),
            mix(vectors[0], vectors[1], {1, 3})};
  Value even01 = mix(vectors[0], vectors[1], {0, 4, 2, 6});
  Value odd01 = mix(vectors[0], vectors[1], {1, 5, 3, 7});
  Value even23 = mix(vectors[2], vectors[3], {0, 4, 2, 6});
  Value odd23 = mix(vectors[2], vectors[3], {1, 5, 3, 7});
  return {mix(even01, even23, {0, 1, 4, 5}), mix(odd01, odd23, {0, 1, 4, 5}),
          mix(even01, even23, {2, 3, 6, 7}), mix(odd01, odd23, {2, 3, 6, 7})};
}

Value LaneRows::loadPiece(Value row, Piece piece) {
  Value place = index(piece.first);
  if (piece.size == 1)
    return memref::LoadOp::create(builder, loc, row, place);
  auto type = VectorType::get({piece.size},
                              cast<MemRefType>(row.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, row, place);
}

void LaneRows::storePiece(Value value, Value row, Piece piece) {
  Value place = index(piece.first);
  if (piece.size == 1)
    memref::StoreOp::create(builder, loc, value, row, place);
  else
    vector::StoreOp::create(builder, loc, value, row, place);
}

void LaneRows::load(ArrayRef<Value> rows, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  VectorType lanes = getLanes(buffer);
  for (Piece piece : getPieces(type.getDimSize(0))) {
    SmallVector<Value> values;
    for (Value row : rows)
      values.push_back(loadPiece(row, piece));
    SmallVector<Value> components;
    if (piece.size == 1) {
      components.push_back(
          vector::FromElementsOp::create(builder, loc, lanes, values));
    } else {
      SmallVector<Value> squares;
      for (int64_t first = 0; first < piece.size; ++first) {
        SmallVector<Value> parts;
        for (int64_t lane = first; lane < width; lane += piece.size)
          parts.push_back(values[lane]);
        squares.push_back(concatenate(parts));
      }
      components = transposeSquares(squares);
    }
    for (auto [number, component] : llvm::enumerate(components))
      storeLanes(component, buffer, piece.first + int64_t(number));
  }
}

Value LaneRows::collect(ArrayRef<Value> vectors, ArrayRef<Place> places) {
  auto numPlaces = int64_t(places.size());
  Value result;
  SmallVector<int64_t> known(numPlaces, vector::ShuffleOp::kPoisonIndex);
  for (auto [number, source] : llvm::enumerate(vectors)) {
    SmallVector<int64_t> mask = known;
    for (int64_t i = 0; i < numPlaces; ++i)
      if (places[i].vector == int64_t(number)) {
        mask[i] = (result ? numPlaces : 0) + places[i].element;
        known[i] = i;
      }
    result = shuffle(result ? result : source, source, mask);
  }
  return result;
}

/// Two vectors whose elements alternate: the even ones, the odd ones.
std::pair<Value, Value> LaneRows::separate(Value left, Value right) {
  SmallVector<int64_t> even, odd;
  for (int64_t place = 0; place < 2 * width; place += 2) {
    even.push_back(place);
    odd.push_back(place + 1);
  }
  return {shuffle(left, right, even), shuffle(left, right, odd)};
}

/// The way back: two vectors, in which those of `left` and `right` alternate.
std::pair<Value, Value> LaneRows::alternate(Value left, Value right) {
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<int64_t> &half = lane < width / 2 ? low : high;
    half.append({lane, width + lane});
  }
  return {shuffle(left, right, low), shuffle(left, right, high)};
}

/// Of vectors side by side, `count` vectors of every `count`th element. Half of
/// the elements of both halves of what there is make the halves of the result.
SmallVector<Value> LaneRows::separateAll(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return llvm::to_vector(vectors);
  SmallVector<Value> even, odd;
  for (size_t number = 0; number < vectors.size(); number += 2) {
    auto [first, second] = separate(vectors[number], vectors[number + 1]);
    even.push_back(first);
    odd.push_back(second);
  }
  SmallVector<Value> result;
  for (auto [first, second] :
       llvm::zip_equal(separateAll(even), separateAll(odd)))
    result.append({first, second});
  return result;
}

SmallVector<Value> LaneRows::alternateAll(ArrayRef<Value> components) {
  if (components.size() == 1)
    return llvm::to_vector(components);
  SmallVector<Value> even, odd;
  for (size_t number = 0; number < components.size(); number += 2) {
    even.push_back(components[number]);
    odd.push_back(components[number + 1]);
  }
  SmallVector<Value> result;
  for (auto [first, second] :
       llvm::zip_equal(alternateAll(even), alternateAll(odd))) {
    auto [low, high] = alternate(first, second);
    result.append({low, high});
  }
  return result;
}

void LaneRows::loadTogether(Value rows, Value buffer) {
  int64_t dim = cast<MemRefType>(buffer.getType()).getDimSize(0);
  SmallVector<Value> vectors;
  for (int64_t number = 0; number < dim; ++number)
    vectors.push_back(vector::LoadOp::create(builder, loc, getLanes(buffer),
                                             rows, index(number * width)));
  SmallVector<Value> components;
  if (llvm::isPowerOf2_64(dim)) {
    components = separateAll(vectors);
  } else {
    for (int64_t component = 0; component < dim; ++component) {
      SmallVector<Place> places;
      for (int64_t lane = 0; lane < width; ++lane) {
        int64_t place = lane * dim + component;
        places.push_back({place / width, place % width});
      }
      components.push_back(collect(vectors, places));
    }
  }
  for (auto [number, component] : llvm::enumerate(components))
    storeLanes(component, buffer, int64_t(number));
}

void LaneRows::storeTogether(Value buffer, Value rows) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t dim = type.getDimSize(0);
  SmallVector<Value> components;
  for (int64_t component = 0; component < dim; ++component)
    components.push_back(loadLanes(buffer, component));
  SmallVector<Value> vectors;
  if (llvm::isPowerOf2_64(dim)) {
    vectors = alternateAll(components);
  } else {
    for (int64_t number = 0; number < dim; ++number) {
      SmallVector<Place> places;
      for (int64_t place : llvm::seq(number * width, (number + 1) * width))
        places.push_back({place % dim, place / dim});
      vectors.push_back(collect(components, places));
    }
  }
  // A line that is not in the cache is stored faster in halves.
  int64_t bits = width * type.getElementType().getIntOrFloatBitWidth();
  int64_t size = bits < kLineBits ? width : width / 2;
  for (auto [number, values] : llvm::enumerate(vectors))
    for (int64_t first = 0; first < width; first += size)
      vector::StoreOp::create(builder, loc, slice(values, first, size), rows,
                              index(int64_t(number) * width + first));
}

bool LaneRows::fitsGather(int64_t dim, Type type) {
  int64_t bits = dim * type.getIntOrFloatBitWidth();
  return bits == 32 || bits == 64;
}

void LaneRows::gather(Value data, Value numbers, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Type element = type.getElementType();
  int64_t dim = type.getDimSize(0);
  unsigned bits = element.getIntOrFloatBitWidth();
  Type row = dim == 1 ? element : builder.getIntegerType(dim * bits);
  auto rowLanes = VectorType::get({width}, row);
  auto allLanes = VectorType::get({width}, builder.getI1Type());
  Value rows = PtrCastOp::create(builder, loc,
                                 MemRefType::get({ShapedType::kDynamic}, row),
                                 data, ValueRange());
  Value all =
      arith::ConstantOp::create(builder, loc, builder.getOneAttr(allLanes));
  Value nothing =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(rowLanes));
  Value fetched = vector::GatherOp::create(builder, loc, rowLanes, rows,
                                           ValueRange{index(0)}, numbers, all,
                                           nothing, llvm::MaybeAlign(bits / 8));
  if (dim > 1)
    fetched = vector::BitCastOp::create(
        builder, loc, VectorType::get({width * dim}, element), fetched);
  for (auto [number, component] : llvm::enumerate(deinterleave(fetched, dim)))
    storeLanes(component, buffer, int64_t(number));
}

SmallVector<SmallVector<Value>> LaneRows::transposeBack(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<SmallVector<Value>> result(width);
  for (Piece piece : getPieces(type.getDimSize(0))) {
    SmallVector<Value> components;
    for (int64_t number : llvm::seq(piece.first, piece.first + piece.size))
      components.push_back(loadLanes(buffer, number));
    if (piece.size == 1) {
      for (int64_t lane = 0; lane < width; ++lane)
        result[lane].push_back(
            vector::ExtractOp::create(builder, loc, components.front(), lane));
      continue;
    }
    SmallVector<Value> squares = transposeSquares(components);
    for (int64_t lane = 0; lane < width; ++lane) {
      Value square = squares[lane % piece.size];
      int64_t first = lane / piece.size * piece.size;
      result[lane].push_back(slice(square, first, piece.size));
    }
  }
  return result;
}

Value LaneRows::getPart(Value buffer, int64_t size, Value part) {
  auto type = cast<MemRefType>(buffer.getType());
  Type element = type.getElementType();
  Value parts = viewAs(
      builder, loc, buffer,
      MemRefType::get({type.getDimSize(0) / size, size * width}, element));
  Value first = RowOp::create(builder, loc,
                              LLVM::LLVMPointerType::get(builder.getContext()),
                              parts, part);
  return PtrCastOp::create(builder, loc,
                           MemRefType::get({size, width}, element), first,
                           ValueRange());
}

void LaneRows::transposeBack(Value buffer, Value rows) {
  constexpr int64_t kTogether = 4;
  int64_t dim = cast<MemRefType>(buffer.getType()).getDimSize(0);
  auto storeRows = [&](int64_t size, Value part, Value first) {
    for (auto [lane, values] :
         llvm::enumerate(transposeBack(getPart(buffer, size, part))))
      for (auto [piece, value] : llvm::zip_equal(getPieces(size), values)) {
        Value place =
            arith::AddIOp::create(builder, loc, first, index(piece.first));
        Value indices[] = {index(int64_t(lane)), place};
        if (piece.size == 1)
          memref::StoreOp::create(builder, loc, value, rows, indices);
        else
          vector::StoreOp::create(builder, loc, value, rows, indices);
      }
  };
  int64_t whole = dim / kTogether;
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(whole), index(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value part = loop.getInductionVar();
    storeRows(kTogether, part,
              arith::MulIOp::create(builder, loc, part, index(kTogether)));
  }
  for (int64_t left = whole * kTogether; left < dim; ++left)
    storeRows(1, index(left), index(left));
}

void LaneRows::store(ArrayRef<Value> pieces, Value row,
                     ArrayRef<bool> isChanged) {
  int64_t dim = cast<MemRefType>(row.getType()).getDimSize(0);
  for (auto [value, piece] : llvm::zip_equal(pieces, getPieces(dim)))
    if (isChanged.empty() ||
        llvm::is_contained(isChanged.slice(piece.first, piece.size), true))
      storePiece(value, row, piece);
}

Value LaneRows::combine(Access access, Value old, Value value) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(old.getType()));
  if (access == Access::Inc) {
    if (isFloat)
      return arith::AddFOp::create(builder, loc, old, value);
    return arith::AddIOp::create(builder, loc, old, value);
  }
  return arith::SelectOp::create(builder, loc, isBetter(access, old, value),
                                 value, old);
}

Value LaneRows::isBetter(Access access, Value old, Value value) {
  return isBetterExtreme(builder, loc, access,
                         getElementTypeOrSelf(old.getType()), value, old);
}

void LaneRows::changePieces(
    ArrayRef<Value> pieces, Value row,
    function_ref<Value(Value old, Value value)> combine) {
  int64_t dim = cast<MemRefType>(row.getType()).getDimSize(0);
  for (auto [value, piece] : llvm::zip_equal(pieces, getPieces(dim)))
    storePiece(combine(loadPiece(row, piece), value), row, piece);
}

SmallVector<Value> LaneRows::loadPieces(Value row) {
  SmallVector<Value> pieces;
  int64_t dim = cast<MemRefType>(row.getType()).getDimSize(0);
  for (Piece piece : getPieces(dim))
    pieces.push_back(loadPiece(row, piece));
  return pieces;
}

void LaneRows::copyRow(Value from, Value to) { store(loadPieces(from), to); }

void LaneRows::addRow(Value from, Value to) {
  combine(Access::Inc, loadPieces(from), to);
}

void LaneRows::combine(Access access, ArrayRef<Value> pieces, Value row) {
  changePieces(pieces, row, [&](Value old, Value value) {
    return combine(access, old, value);
  });
}

void LaneRows::takeChanged(Access access, ArrayRef<Value> pieces,
                           ArrayRef<Value> before, Value row) {
  int64_t dim = cast<MemRefType>(row.getType()).getDimSize(0);
  for (auto [value, was, piece] :
       llvm::zip_equal(pieces, before, getPieces(dim))) {
    Value old = loadPiece(row, piece);
    Value changed = arith::SelectOp::create(
        builder, loc, haveOtherBits(builder, loc, value, was), value, old);
    storePiece(arith::SelectOp::create(
                   builder, loc, isBetter(access, value, old), old, changed),
               row, piece);
  }
}

void LaneRows::addRuns(ArrayRef<SmallVector<Value>> pieces,
                       ArrayRef<Value> rows, ArrayRef<Value> numbers) {
  SmallVector<Value> sums = loadPieces(rows.front());
  for (size_t lane = 0; lane < rows.size(); ++lane) {
    if (lane > 0) {
      Value isSame =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                numbers[lane], numbers[lane - 1]);
      auto choice = scf::IfOp::create(
          builder, loc, isSame,
          [&](OpBuilder &, Location) {
            scf::YieldOp::create(builder, loc, sums);
          },
          [&](OpBuilder &, Location) {
            scf::YieldOp::create(builder, loc, loadPieces(rows[lane]));
          });
      sums.assign(choice.getResults().begin(), choice.getResults().end());
    }
    for (auto [sum, value] : llvm::zip_equal(sums, pieces[lane]))
      sum = combine(Access::Inc, sum, value);
    store(sums, rows[lane]);
  }
}

void LaneRows::subtract(ArrayRef<Value> pieces, Value row) {
  changePieces(pieces, row, [&](Value old, Value value) {
    return arith::SubFOp::create(builder, loc, old, value);
  });
}

void LaneRows::fill(Value buffer, Value value) {
  auto type = cast<MemRefType>(buffer.getType());
  Value lanes =
      vector::BroadcastOp::create(builder, loc, getLanes(buffer), value);
  forRowEntries(builder, loc, type.getDimSize(0), [&](Value number) {
    vector::StoreOp::create(builder, loc, lanes, buffer,
                            ValueRange{number, index(0)});
  });
}

Value LaneRows::loadLanes(Value buffer, int64_t component) {
  return vector::LoadOp::create(builder, loc, getLanes(buffer), buffer,
                                ValueRange{index(component), index(0)});
}

void LaneRows::storeLanes(Value lanes, Value buffer, int64_t component) {
  vector::StoreOp::create(builder, loc, lanes, buffer,
                          ValueRange{index(component), index(0)});
}
