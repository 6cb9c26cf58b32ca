//===- Sparsity.cpp - Which elements meet which -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rows is transposed; then each row collects the columns of its
// elements, each once, by a mark for each column. To find the places of an
// element's entries, the columns of a row are marked with their positions while
// its elements are visited once more.
//
//===----------------------------------------------------------------------===//

#include "Sparsity.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <omp.h>

using namespace op2::rt;

namespace {
/// Where rows occur in the table of a map: occurrence n is slot
/// places[n] % arity of element places[n] / arity.
struct Transposed {
  std::vector<int64_t> begin; ///< [rows + 1]
  std::vector<int64_t> places;
};
} // namespace

static Transposed transpose(Table const &table, int64_t numRows) {
  Transposed result;
  result.begin.assign(std::size_t(numRows) + 2, 0);
  int64_t count = table.size * table.arity;
  // Two further: what is filled in moves each beginning to the next one's.
  for (int64_t n = 0; n < count; ++n)
    ++result.begin[std::size_t(table.values[n]) + 2];
  std::partial_sum(result.begin.begin(), result.begin.end(),
                   result.begin.begin());
  result.places.resize(std::size_t(count));
  for (int64_t n = 0; n < count; ++n)
    result
        .places[std::size_t(result.begin[std::size_t(table.values[n]) + 1]++)] =
        n;
  result.begin.pop_back();
  return result;
}

/// Sorted; rows are short.
static void sortRow(int32_t *begin, int32_t *end) {
  constexpr std::ptrdiff_t kShort = 32;
  if (end - begin > kShort)
    return std::sort(begin, end);
  for (int32_t *at = begin; at < end; ++at) {
    int32_t value = *at;
    int32_t *to = at;
    for (; to > begin && to[-1] > value; --to)
      *to = to[-1];
    *to = value;
  }
}

/// Appends the columns of one row, ascending. marks[c] == row: it is there.
static void collectRow(std::vector<TablePair> const &pairs,
                       std::vector<Transposed> const &transposed, int64_t row,
                       std::vector<int32_t> &marks,
                       std::vector<int32_t> &columns) {
  std::size_t begin = columns.size();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Transposed const &places = transposed[p];
    Table const &cols = pairs[p].cols;
    for (int64_t n = places.begin[std::size_t(row)];
         n < places.begin[std::size_t(row) + 1]; ++n) {
      int64_t element = places.places[std::size_t(n)] / pairs[p].rows.arity;
      for (int j = 0; j < cols.arity; ++j) {
        int32_t column = cols.values[element * cols.arity + j];
        if (marks[std::size_t(column)] == int32_t(row))
          continue;
        marks[std::size_t(column)] = int32_t(row);
        columns.push_back(column);
      }
    }
  }
  sortRow(columns.data() + begin, columns.data() + columns.size());
}

Pattern op2::rt::buildPattern(std::vector<TablePair> const &pairs,
                              int64_t numRows, int64_t numCols) {
  std::vector<Transposed> transposed;
  for (TablePair const &pair : pairs)
    transposed.push_back(transpose(pair.rows, numRows));
  Pattern pattern;
  pattern.rowBegin.assign(std::size_t(numRows) + 1, 0);
  std::vector<std::vector<int32_t>> parts;
#pragma omp parallel
  {
#pragma omp single
    parts.resize(std::size_t(omp_get_num_threads()));
    int64_t part = omp_get_thread_num(), count = omp_get_num_threads();
    int64_t begin = numRows * part / count, end = numRows * (part + 1) / count;
    std::vector<int32_t> &columns = parts[std::size_t(part)];
    std::vector<int32_t> marks(std::size_t(numCols), -1);
    for (int64_t row = begin; row < end; ++row) {
      std::size_t before = columns.size();
      collectRow(pairs, transposed, row, marks, columns);
      pattern.rowBegin[std::size_t(row) + 1] = int64_t(columns.size() - before);
    }
#pragma omp barrier
#pragma omp single
    {
      std::partial_sum(pattern.rowBegin.begin(), pattern.rowBegin.end(),
                       pattern.rowBegin.begin());
      pattern.columns.resize(std::size_t(pattern.rowBegin.back()));
    }
    std::copy(columns.begin(), columns.end(),
              pattern.columns.begin() + pattern.rowBegin[std::size_t(begin)]);
  }
  return pattern;
}

void op2::rt::findPlaces(Pattern const &pattern, TablePair const &pair,
                         Slots rows, Slots cols, int rowdim, int32_t *places) {
  auto numRows = int64_t(pattern.rowBegin.size()) - 1;
  Transposed transposed = transpose(pair.rows, numRows);
  int32_t most = -1;
  for (int32_t column : pattern.columns)
    most = std::max(most, column);
  int64_t arity = int64_t(rows.count) * rowdim * cols.count;
#pragma omp parallel
  {
    std::vector<int32_t> position(std::size_t(most) + 1);
#pragma omp for
    for (int64_t row = 0; row < numRows; ++row) {
      int64_t begin = pattern.rowBegin[std::size_t(row)];
      int64_t length = pattern.rowBegin[std::size_t(row) + 1] - begin;
      for (int64_t k = 0; k < length; ++k)
        position[std::size_t(pattern.columns[std::size_t(begin + k)])] =
            int32_t(k);
      for (int64_t n = transposed.begin[std::size_t(row)];
           n < transposed.begin[std::size_t(row) + 1]; ++n) {
        int64_t at = transposed.places[std::size_t(n)];
        int64_t element = at / pair.rows.arity;
        int64_t slot = at % pair.rows.arity - rows.first;
        if (slot < 0 || slot >= rows.count)
          continue;
        int32_t const *columns =
            pair.cols.values + element * pair.cols.arity + cols.first;
        int32_t *to =
            places + element * arity + slot * rowdim * int64_t(cols.count);
        for (int64_t a = 0; a < rowdim; ++a)
          for (int64_t j = 0; j < cols.count; ++j)
            *to++ = int32_t(begin * rowdim + a * length +
                            position[std::size_t(columns[j])]);
      }
    }
  }
}
