//===- Sparsity.h - Which elements meet which -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_MATRIX_SPARSITY_H
#define OP2_LIB_RUNTIME_MATRIX_SPARSITY_H

#include "Core/Memory.h"

#include <cstdint>
#include <vector>

namespace op2::rt {

/// A table of a map: [size][arity].
struct Table {
  int32_t const *values = nullptr;
  int64_t size = 0;
  int arity = 0;
};

/// Two maps that leave one set.
struct TablePair {
  Table rows, cols;
};

/// Where rows from `first` on occur in a table: numbers of slots, e * arity +
/// i, those of row first + r from begin[r] to begin[r + 1].
struct Occurrences {
  int64_t first = 0;
  LargeVector<uint32_t> begin, slots;
};
/// Those of all rows of a table, divided among the threads that made it.
using Transposed = std::vector<Occurrences>;

/// Columns of each row, ascending: those of row r from rowBegin[r] to
/// rowBegin[r + 1].
struct Pattern {
  std::vector<int64_t> rowBegin;
  LargeVector<int32_t> columns;
  /// Of the row tables of all pairs, as long as somebody needs it to find
  /// places and tables stay as they are; else empty.
  std::vector<Transposed> transposed;
};

/// All pairs (rows[e][i], cols[e][j]). Threads share the rows.
Pattern buildPattern(std::vector<TablePair> const &pairs, int64_t numRows,
                     int64_t numCols);

/// Some slots of a map: `count` from `first` on.
struct Slots {
  int first = 0, count = 0;
  bool operator==(Slots const &other) const {
    return first == other.first && count == other.count;
  }
};

/// For each element e the numbers of the entries (rows[e][i], component a,
/// cols[e][j]), [e][(i * rowdim + a) * cols.count + j]: entries are numbered by
/// rows, then by the `rowdim` components of a row, then by columns.
/// `transposed`: of pair.rows.
void findPlaces(Pattern const &pattern, Transposed const &transposed,
                TablePair const &pair, Slots rows, Slots cols, int rowdim,
                int32_t *places);
/// The same where it is not there.
void findPlaces(Pattern const &pattern, TablePair const &pair, Slots rows,
                Slots cols, int rowdim, int32_t *places);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_MATRIX_SPARSITY_H
