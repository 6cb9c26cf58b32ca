//===- RowPrefetch.h - Software prefetch of rows ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that elements reach through maps may lie in no cache. Where a core would
// wait for one after the other, the code prefetches those of some elements at
// once, before these run. Columns of levels are long: their rows are prefetched
// one element after the other, some elements ahead. So is what vectors read of
// the elements themselves.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOOPENMP_ROWPREFETCH_H
#define OP2_LIB_CONVERSION_OP2TOOPENMP_ROWPREFETCH_H

#include "ChunkFunction.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/MapEntries.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::op2 {

/// The rows of an element that are worth asking for.
class RowPrefetch {
public:
  /// `loop` gives the arguments that `elements` belong to.
  RowPrefetch(ForElementsOp elements, LoopBeginOp loop);

  bool empty() const { return rows.empty(); }

  /// Rows are prefetched of so many elements at a time: their lines stay in a
  /// core's first cache until the elements have run, or in the second, if rows
  /// are long.
  int64_t getNumElements() const;

  /// Emits a loop that prefetches the rows of the elements [begin, end).
  /// `mapping`: from what `elements` takes from around it.
  void emitPrefetch(OpBuilder &builder, Location loc, Value begin, Value end,
                    IRMapping mapping) const;

private:
  struct FarRow {
    RowOp row;
    bool isWritten;
  };

  Value element; ///< its number
  SmallVector<FarRow> rows;
  /// What leads to them, each before those that need it.
  SetVector<Operation *> sources;
};

/// What vectors read from one end to the other: in a loop through maps tables,
/// and data with a row for each element; in others those whose rows are half a
/// page of a vector. The hardware foresees that within a page of memory, which
/// vectors of wide rows are through with before it notices.
class StreamPrefetch {
public:
  /// `elements` has lanes; `captures` of the chunk, with a loop.
  StreamPrefetch(ForElementsOp elements, const ChunkCaptures &captures);

  /// Makes `loop`, over vectors, ask for the lines of elements some way ahead,
  /// be they of the set or behind its end. `mapping` as above.
  void emit(scf::ForOp loop, const IRMapping &mapping) const;

private:
  struct Stream {
    Value data;
    int64_t bytes; ///< of an element
  };
  int64_t width; ///< elements of a vector
  SmallVector<Stream> streams;
};

/// The rows of a loop over columns that lead through maps to whole columns.
class ColumnPrefetch {
public:
  /// `captures` of the chunk, with a loop.
  ColumnPrefetch(ForElementsOp elements, const ChunkCaptures &captures);

  /// Makes `loop`, a loop over elements with a copy of their body, ask for rows
  /// that elements some way ahead are the first to reach: those with numbers
  /// above all before. `mapping` as above.
  void emit(OpBuilder &builder, scf::ForOp loop, IRMapping mapping) const;

private:
  struct Column {
    RowOp row;
    bool isWritten;
  };
  /// Those that one entry of a map leads to.
  struct Target {
    MapEntry entry;
    SmallVector<Column> columns;
  };

  void prefetch(OpBuilder &builder, Location loc, const Target &target,
                Value number, const IRMapping &mapping) const;

  SmallVector<Target> targets;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOOPENMP_ROWPREFETCH_H
