//===- MatrixOutput.cpp - Matrices in the application's order ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/OutputFile.h"
#include "Core/PlainNumbers.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Matrix.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

using namespace op2::rt;

namespace {
/// A matrix in the application's order, row by row: all of it, or what the rank
/// declares.
class UserRows {
public:
  UserRows(op_mat_core const &mat, Pattern const &pattern)
      : mat(mat), pattern(pattern) {
    rowOf.resize(pattern.rowBegin.size() - 1);
    std::iota(rowOf.begin(), rowOf.end(), 0);
    for (std::size_t row = 0; row < mat.rowUser.size(); ++row)
      rowOf[std::size_t(mat.rowUser[row])] = int32_t(row);
  }

  int64_t size() const { return int64_t(rowOf.size()); }

  /// visit(a scalar row, blocks (column, entry) in order): one for each of the
  /// components of row element `row`.
  template <class Visit> void visitRow(int64_t row, Visit visit) {
    auto own = std::size_t(rowOf[std::size_t(row)]);
    int64_t begin = pattern.rowBegin[own];
    int64_t length = pattern.rowBegin[own + 1] - begin;
    for (int a = 0; a < mat.rowdim; ++a) {
      blocks.clear();
      for (int64_t k = 0; k < length; ++k) {
        int32_t column = pattern.columns[std::size_t(begin + k)];
        if (!mat.colUser.empty())
          column = mat.colUser[std::size_t(column)];
        blocks.push_back(
            {column, begin * mat.rowdim + int64_t(a) * length + k});
      }
      std::sort(blocks.begin(), blocks.end());
      visit(row * mat.rowdim + a, blocks);
    }
  }

private:
  op_mat_core const &mat;
  Pattern const &pattern;
  std::vector<int32_t> rowOf; ///< by the application's number
  std::vector<std::pair<int32_t, int64_t>> blocks;
};
} // namespace

/// The values of what the rank declares, entry after entry as they were
/// numbered first.
static std::vector<char> fetchValues(op_mat_core const &mat) {
  auto const &set = static_cast<Set &>(*mat.values->set);
  std::vector<char> values(std::size_t(set.declaredSize) *
                           std::size_t(mat.values->size));
  op_fetch_data_char(mat.values, values.data());
  return values;
}

/// All values, for the root.
static std::vector<char> fetchAllValues(op_mat_core const &mat,
                                        char const *where) {
  Dat &dat = requireDat(mat.values, where);
  int64_t count = isRoot() ? static_cast<Set &>(*dat.set).globalSize : 0;
  std::vector<char> values(std::size_t(count) * std::size_t(dat.size));
  makeHostCurrent(dat);
  copyToUser(dat, 0, count, values.data());
  return values;
}

extern "C" void op_mat_get_size(op_mat handle, int *rows, int *cols,
                                long long *values) {
  Call const call(__func__);
  op_mat_core &mat = built(handle, __func__);
  if (rows)
    *rows = (int(mat.pattern.rowBegin.size()) - 1) * mat.rowdim;
  if (cols)
    *cols =
        int(static_cast<Set *>(mat.sparsity->cols)->globalSize) * mat.coldim;
  if (values)
    *values = static_cast<long long>(mat.pattern.columns.size()) * mat.rowdim *
              mat.coldim;
}

extern "C" void op_mat_get_csr(op_mat handle, long long *rowptr, int *colidx,
                               void *values) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  std::vector<char> from = fetchValues(mat);
  auto size = std::size_t(mat.values->size);
  auto *to = static_cast<char *>(values);
  long long next = 0;
  UserRows rows(mat, mat.pattern);
  for (int64_t row = 0; row < rows.size(); ++row)
    rows.visitRow(row, [&](int64_t scalarRow, auto const &blocks) {
      if (rowptr)
        rowptr[scalarRow] = next;
      for (auto [column, entry] : blocks) {
        for (int b = 0; b < mat.coldim; ++b)
          if (colidx)
            colidx[next + b] = column * mat.coldim + b;
        if (to)
          std::memcpy(to + std::size_t(next) * (size / mat.coldim),
                      from.data() + std::size_t(entry) * size, size);
        next += mat.coldim;
      }
    });
  if (rowptr)
    rowptr[rows.size() * mat.rowdim] = next;
}

extern "C" void op_print_mat_to_mtxfile(op_mat handle, char const *file_name) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  Pattern const &pattern = wholePattern(mat, __func__);
  std::vector<char> values = fetchAllValues(mat, __func__);
  if (!isRoot())
    return;
  bool isDouble = parseType(mat.type.c_str()) == OP2RT_F64;
  OutputFile const output = openOutput(
      ("op_print_mat_to_mtxfile " + mat.name).c_str(), file_name, "w");
  PlainNumbers const plain;
  std::FILE *file = output.get();
  std::fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n");
  UserRows rows(mat, pattern);
  auto const &cols = static_cast<Set const &>(*mat.sparsity->cols);
  std::fprintf(file, "%lld %lld %lld\n",
               static_cast<long long>(rows.size()) * mat.rowdim,
               static_cast<long long>(cols.globalSize) * mat.coldim,
               static_cast<long long>(pattern.columns.size()) * mat.rowdim *
                   mat.coldim);
  for (int64_t row = 0; row < rows.size(); ++row)
    rows.visitRow(row, [&](int64_t scalarRow, auto const &blocks) {
      for (auto [column, entry] : blocks)
        for (int b = 0; b < mat.coldim; ++b) {
          int64_t n = entry * mat.coldim + b;
          double value =
              isDouble ? reinterpret_cast<double const *>(values.data())[n]
                       : reinterpret_cast<float const *>(values.data())[n];
          std::fprintf(
              file, "%lld %lld %.17g\n", static_cast<long long>(scalarRow + 1),
              static_cast<long long>(column) * mat.coldim + b + 1, value);
        }
    });
}
