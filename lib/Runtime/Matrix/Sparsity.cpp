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
// Much of the time goes to memory that nobody has touched: arrays are of huge
// pages, and none is filled before it is used.
//
//===----------------------------------------------------------------------===//

#include "Sparsity.h"
#include "Core/Error.h"
#include "Core/ThreadErrors.h"
#include "OP2/Runtime/op2rt.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <omp.h>

using namespace op2::rt;

/// Those of rows from `first` to `end`: others are for other threads.
static Occurrences findOccurrences(Table const &table, int64_t first,
                                   int64_t end) {
  auto numRows = std::size_t(end - first);
  Occurrences result{first, LargeVector<uint32_t>(numRows + 2), {}};
  // Two further: what is filled in moves each beginning to the next one's.
  uint32_t *begin = result.begin.data();
  std::fill_n(begin, numRows + 2, 0);
  auto count = uint32_t(table.size * table.arity);
  auto forEachOwn = [&](auto visit) {
    for (uint32_t n = 0; n < count; ++n)
      if (auto row = std::size_t(table.values[n] - first); row < numRows)
        visit(row, n);
  };
  forEachOwn([&](std::size_t row, uint32_t) { ++begin[row + 2]; });
  std::partial_sum(begin, begin + numRows + 2, begin);
  result.slots.resize(begin[numRows + 1]);
  uint32_t *slots = result.slots.data();
  forEachOwn([&](std::size_t row, uint32_t n) { slots[begin[row + 1]++] = n; });
  result.begin.pop_back();
  return result;
}

namespace {
/// The elements whose slots a row occurs in. `fixed`: the arity of both tables,
/// which lets loops over it be unrolled, or 0.
template <int fixed> class Elements {
public:
  explicit Elements(TablePair const &pair)
      : cols(pair.cols.values), colArity(fixed ? fixed : pair.cols.arity),
        rowArity(fixed ? fixed : pair.rows.arity),
        inverse(UINT64_MAX / unsigned(rowArity) + 1) {}

  /// visit(number of the slot, columns of its element)
  template <class Visit>
  void visitRow(Occurrences const &all, std::size_t row, Visit visit) const {
    uint32_t const *slots = all.slots.data();
    for (uint32_t n = all.begin[row]; n < all.begin[row + 1]; ++n)
      visit(slots[n], cols + int64_t(elementOf(slots[n])) * colArity);
  }
  int64_t elementOf(uint32_t slot) const {
    if constexpr (fixed != 0)
      return slot / unsigned(fixed);
    // A product is four times as fast as a division, and right for 32 bits
    // (Lemire et al., Faster remainder by direct computation, 2019); 2^64 / 1
    // has no room.
    return rowArity == 1
               ? slot
               : int64_t((static_cast<unsigned __int128>(inverse) * slot) >>
                         64);
  }
  int numColumns() const { return colArity; }
  int numRows() const { return rowArity; }
  /// visit(j) for the columns of an element.
  template <class Visit> void visitColumns(Visit visit) const {
    for (int j = 0; j < (fixed ? fixed : colArity); ++j)
      visit(j);
  }

private:
  int32_t const *cols;
  int const colArity, rowArity;
  uint64_t inverse;
};
} // namespace

/// use(vector of Elements<n>) for the arity of triangles, of tetrahedra, or
/// any.
template <class Use>
static void withElements(std::vector<TablePair> const &pairs, Use use) {
  auto haveArity = [&](int arity) {
    return std::all_of(pairs.begin(), pairs.end(), [=](TablePair const &pair) {
      return pair.rows.arity == arity && pair.cols.arity == arity;
    });
  };
  if (haveArity(3))
    use(std::vector<Elements<3>>(pairs.begin(), pairs.end()));
  else if (haveArity(4))
    use(std::vector<Elements<4>>(pairs.begin(), pairs.end()));
  else
    use(std::vector<Elements<0>>(pairs.begin(), pairs.end()));
}

static Transposed transpose(Table const &table, int64_t numRows) {
  int64_t slots = table.size * table.arity;
  if (slots > int64_t(UINT32_MAX))
    fatal(Problem::Limit,
          "a sparsity of a map with %lld slots; expected at most %lld",
          static_cast<long long>(slots), static_cast<long long>(UINT32_MAX));
  auto parts = int64_t(omp_get_max_threads());
  Transposed result{std::size_t(parts)};
  forParts(result.size(), [&](std::size_t number) {
    auto part = int64_t(number);
    result[number] = findOccurrences(table, numRows * part / parts,
                                     numRows * (part + 1) / parts);
  });
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

/// The columns of the rows of a part, each ascending; lengths[r]: of row r.
template <int fixed>
static LargeVector<int32_t>
collectRows(std::vector<Elements<fixed>> const &elements,
            std::vector<Transposed> const &transposed, std::size_t part,
            int64_t numCols, int64_t *lengths) {
  std::size_t most = 0;
  for (std::size_t p = 0; p < elements.size(); ++p)
    most += transposed[p][part].slots.size() *
            std::size_t(elements[p].numColumns());
  LargeVector<int32_t> result(most); // what is not used is never touched
  LargeVector<int32_t> marks(std::size_t(numCols), -1);
  int32_t *columns = result.data(), *end = columns;
  auto numRows = int32_t(transposed[0][part].begin.size()) - 1;
  for (int32_t row = 0; row < numRows; ++row) {
    int32_t *begin = end;
    for (std::size_t p = 0; p < elements.size(); ++p)
      elements[p].visitRow(transposed[p][part], std::size_t(row),
                           [&](uint32_t, int32_t const *of) {
                             // A branch: most meshes have patterns that
                             // processors foresee.
                             elements[p].visitColumns([&](int j) {
                               if (marks[std::size_t(of[j])] != row) {
                                 marks[std::size_t(of[j])] = row;
                                 *end++ = of[j];
                               }
                             });
                           });
    sortRow(begin, end);
    lengths[row] = end - begin;
  }
  result.resize(std::size_t(end - columns));
  return result;
}

Pattern op2::rt::buildPattern(std::vector<TablePair> const &pairs,
                              int64_t numRows, int64_t numCols) {
  Pattern pattern;
  for (TablePair const &pair : pairs)
    pattern.transposed.push_back(transpose(pair.rows, numRows));
  Transposed const &all = pattern.transposed.front();
  pattern.rowBegin.assign(std::size_t(numRows) + 1, 0);
  int64_t *lengths = pattern.rowBegin.data() + 1;
  std::vector<LargeVector<int32_t>> parts(all.size());
  withElements(pairs, [&](auto const &elements) {
    forParts(parts.size(), [&](std::size_t part) {
      parts[part] = collectRows(elements, pattern.transposed, part, numCols,
                                lengths + all[part].first);
    });
  });
  std::partial_sum(lengths, lengths + numRows, lengths);
  if (parts.size() == 1) {
    pattern.columns = std::move(parts[0]);
    return pattern;
  }
  pattern.columns.resize(std::size_t(pattern.rowBegin.back()));
  forParts(parts.size(), [&](std::size_t part) {
    std::copy(parts[part].begin(), parts[part].end(),
              pattern.columns.begin() +
                  pattern.rowBegin[std::size_t(all[part].first)]);
  });
  return pattern;
}

namespace {
/// What is asked for, and what all threads read.
struct PlacesRequest {
  Pattern const &pattern;
  Slots rows, cols;
  int rowdim;
  int32_t *places;
};
} // namespace

template <int fixed>
static void placeRows(PlacesRequest const &request,
                      Elements<fixed> const &elements,
                      Occurrences const &occurrences) {
  Pattern const &pattern = request.pattern;
  Slots const rows = request.rows, cols = request.cols;
  int const rowdim = request.rowdim;
  int32_t *places = request.places;
  int64_t const *rowBegin = pattern.rowBegin.data() + occurrences.first;
  int32_t const *columns = pattern.columns.data();
  std::size_t numRows = occurrences.begin.size() - 1;
  int32_t most = -1;
  for (std::size_t row = 0; row < numRows; ++row)
    if (rowBegin[row + 1] > rowBegin[row])
      most = std::max(most, columns[rowBegin[row + 1] - 1]);
  LargeVector<int32_t> position(std::size_t(most) + 1);
  bool isWhole = rowdim == 1 && rows.count == fixed && cols.count == fixed;
  for (std::size_t row = 0; row < numRows; ++row) {
    int64_t begin = rowBegin[row], length = rowBegin[row + 1] - begin;
    for (int64_t k = 0; k < length; ++k)
      position[std::size_t(columns[begin + k])] = int32_t(begin * rowdim + k);
    elements.visitRow(
        occurrences, row, [&, length](uint32_t slot, int32_t const *of) {
          if (isWhole)
            return elements.visitColumns([&](int j) {
              places[int64_t(slot) * fixed + j] = position[std::size_t(of[j])];
            });
          int64_t element = elements.elementOf(slot);
          int64_t i = slot - element * elements.numRows() - rows.first;
          if (i < 0 || i >= rows.count)
            return;
          int32_t *to =
              places + (element * rows.count + i) * rowdim * cols.count;
          for (int64_t a = 0; a < rowdim; ++a)
            for (int j = 0; j < cols.count; ++j)
              *to++ = position[std::size_t(of[cols.first + j])] +
                      int32_t(a * length);
        });
  }
}

void op2::rt::findPlaces(Pattern const &pattern, Transposed const &transposed,
                         TablePair const &pair, Slots rows, Slots cols,
                         int rowdim, int32_t *places) {
  PlacesRequest const request{pattern, rows, cols, rowdim, places};
  withElements({pair}, [&](auto const &elements) {
    forParts(transposed.size(), [&](std::size_t part) {
      placeRows(request, elements.front(), transposed[part]);
    });
  });
}

void op2::rt::findPlaces(Pattern const &pattern, TablePair const &pair,
                         Slots rows, Slots cols, int rowdim, int32_t *places) {
  auto numRows = int64_t(pattern.rowBegin.size()) - 1;
  findPlaces(pattern, transpose(pair.rows, numRows), pair, rows, cols, rowdim,
             places);
}
