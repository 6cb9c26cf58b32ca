//===- Sparsity.cpp - Which elements meet which -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rows is transposed; then each row collects the columns of its
// elements, each once, by a mark for each column. To find the places of an
// element's entries, the columns of a row are marked with their numbers while
// its elements are visited once more: a search in each row takes twice as long.
//
//===----------------------------------------------------------------------===//

#include "Sparsity.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <omp.h>

using namespace op2::rt;

namespace {
/// The elements whose slots rows occur in.
struct Transposed {
  std::vector<int64_t> begin; ///< [rows + 1]
  std::unique_ptr<int32_t[]> elements;
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
  result.elements.reset(new int32_t[std::size_t(count)]);
  for (int64_t e = 0; e < table.size; ++e)
    for (int64_t n = e * table.arity; n < (e + 1) * table.arity; ++n)
      result.elements[std::size_t(
          result.begin[std::size_t(table.values[n]) + 1]++)] = int32_t(e);
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
      int64_t element = places.elements[std::size_t(n)];
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
            int32_t(begin * rowdim + k);
      for (int64_t n = transposed.begin[std::size_t(row)];
           n < transposed.begin[std::size_t(row) + 1]; ++n) {
        int64_t element = transposed.elements[std::size_t(n)];
        int32_t const *own = pair.rows.values + element * pair.rows.arity;
        int32_t const *columns =
            pair.cols.values + element * pair.cols.arity + cols.first;
        // Of a slot that occurs twice both have the same places.
        for (int i = 0; i < rows.count; ++i) {
          if (own[rows.first + i] != row)
            continue;
          int32_t *to =
              places + element * arity + int64_t(i) * rowdim * cols.count;
          for (int64_t a = 0; a < rowdim; ++a)
            for (int64_t j = 0; j < cols.count; ++j)
              *to++ = position[std::size_t(columns[j])] + int32_t(a * length);
        }
      }
    }
  }
}
