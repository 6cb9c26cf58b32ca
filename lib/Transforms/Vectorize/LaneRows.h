//===- LaneRows.h - Between rows in memory and lanes ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dat holds the components of one element side by side; a widened kernel
// wants one component of several elements side by side. Rows are loaded whole
// and transposed in registers: a hardware gather for each component was
// measured three to four times slower. Rows that are no larger than what one
// gather takes for each lane have the choice.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LANEROWS_H
#define OP2_LIB_TRANSFORMS_LANEROWS_H

#include "OP2/Dialect/OP2Dialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::op2 {

/// Emits the way of rows to lanes and back, for vectors of `width` elements, a
/// power of two.
class LaneRows {
public:
  LaneRows(OpBuilder &builder, Location loc, int64_t width)
      : builder(builder), loc(loc), width(width) {}

  /// Components [first, first + size) of a row: they travel as one vector.
  struct Piece {
    int64_t first, size;
  };
  /// How rows of `dim` components travel: by fours, a two, a one, none of them
  /// larger than a vector.
  SmallVector<Piece> getPieces(int64_t dim) const;

  /// Copies the rows (memref<dim x T>, one per lane) to `buffer`.
  void load(ArrayRef<Value> rows, Value buffer);

  /// Whether a gather takes whole rows of `dim` values of `type`.
  static bool fitsGather(int64_t dim, Type type);
  /// Copies the rows with these numbers (a vector) to `buffer` by a gather;
  /// `data` points to row 0.
  void gather(Value data, Value numbers, Value buffer);

  /// Whether the rows of a vector of elements, side by side in memory, are
  /// better loaded and stored as whole vectors: those take dim * (dim - 1)
  /// shuffles or fewer, single rows at least a load or a store each.
  bool travelTogether(int64_t dim) const { return dim * (dim - 1) < width; }
  /// Copies such rows (memref<width * dim x T>) to `buffer`, and back.
  void loadTogether(Value rows, Value buffer);
  void storeTogether(Value buffer, Value rows);

  /// The values of `buffer`, [lane][piece]: what `store` and `combine` take.
  SmallVector<SmallVector<Value>> transposeBack(Value buffer);
  /// The same to memory, memref<width x dim x T>, whatever the number of
  /// components.
  void transposeBack(Value buffer, Value rows);

  /// Writes one lane's pieces to its row, or those of them that have components
  /// that are changed.
  void store(ArrayRef<Value> pieces, Value row, ArrayRef<bool> isChanged = {});
  /// Combines them with the values of the row by `access` (inc, min, max).
  void combine(Access access, ArrayRef<Value> pieces, Value row);
  /// Minima and maxima: stores what is not `before` any more, bit by bit,
  /// unless the row has something strictly better by now.
  void takeChanged(Access access, ArrayRef<Value> pieces,
                   ArrayRef<Value> before, Value row);
  /// Adds those of all lanes, one lane after the other. `numbers`: of the rows.
  /// Sums of a row that several lanes in a row lead to stay in registers: from
  /// one to the next by way of memory takes the time of several additions.
  void addRuns(ArrayRef<SmallVector<Value>> pieces, ArrayRef<Value> rows,
               ArrayRef<Value> numbers);
  /// One row to another, both memref<dim x T>: in place of what it has, or
  /// added to that.
  void copyRow(Value from, Value to);
  void addRow(Value from, Value to);
  /// Takes them from what the row has.
  void subtract(ArrayRef<Value> pieces, Value row);
  /// Adds, or takes the smaller or the larger of two values of a row.
  Value combine(Access access, Value old, Value value);
  /// Whether a minimum or maximum becomes `value`.
  Value isBetter(Access access, Value old, Value value);

  /// The lanes of `size` components of `buffer` that stand side by side:
  /// memref<size x width x T>. `part`, of type index, counts such parts.
  Value getPart(Value buffer, int64_t size, Value part);

  /// Sets all of `buffer` to `value`, a scalar of its element type.
  void fill(Value buffer, Value value);

  /// One component of all lanes of `buffer`, a vector.
  Value loadLanes(Value buffer, int64_t component);
  void storeLanes(Value lanes, Value buffer, int64_t component);
  /// The type of such a vector.
  VectorType getLanes(Value buffer) const;

  /// One vector of vectors of one size, a power of two of them.
  Value concatenate(ArrayRef<Value> vectors);
  /// Its elements [first, first + count).
  Value slice(Value vector, int64_t first, int64_t count);
  /// `count` vectors, each of every `count`th element, from the first, second …
  SmallVector<Value> deinterleave(Value vector, int64_t count);

private:
  Value index(int64_t value);
  Value shuffle(Value left, Value right, ArrayRef<int64_t> mask);
  /// An element of one of several vectors.
  struct Place {
    int64_t vector, element;
  };
  /// A vector of the elements at these places.
  Value collect(ArrayRef<Value> vectors, ArrayRef<Place> places);
  /// What has even numbers and what has odd ones in two vectors side by side,
  /// and back; then so on, for all components of rows side by side, as many as
  /// a power of two.
  std::pair<Value, Value> separate(Value left, Value right);
  std::pair<Value, Value> alternate(Value left, Value right);
  SmallVector<Value> separateAll(ArrayRef<Value> vectors);
  SmallVector<Value> alternateAll(ArrayRef<Value> components);
  /// Transposes squares of `size` x `size` in groups of `size` lanes.
  SmallVector<Value> transposeSquares(ArrayRef<Value> vectors);
  SmallVector<Value> loadPieces(Value row);
  Value loadPiece(Value row, Piece piece);
  void storePiece(Value value, Value row, Piece piece);
  /// Replaces each piece of the row by what `combine` makes of it and the value
  /// for it.
  void changePieces(ArrayRef<Value> pieces, Value row,
                    function_ref<Value(Value old, Value value)> combine);

  OpBuilder &builder;
  Location loc;
  int64_t width;
};

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LANEROWS_H
