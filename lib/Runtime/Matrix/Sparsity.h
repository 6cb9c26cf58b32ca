//===- Sparsity.h - Which elements meet which -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_MATRIX_SPARSITY_H
#define OP2_LIB_RUNTIME_MATRIX_SPARSITY_H

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

/// Columns of each row, ascending: those of row r from rowBegin[r] to
/// rowBegin[r + 1].
struct Pattern {
  std::vector<int64_t> rowBegin;
  std::vector<int32_t> columns;
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
void findPlaces(Pattern const &pattern, TablePair const &pair, Slots rows,
                Slots cols, int rowdim, int32_t *places);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_MATRIX_SPARSITY_H
