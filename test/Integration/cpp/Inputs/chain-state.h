//===- chain-state.h - Meshes of the tests of chains, and values -*- C++ -*-==//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After chain-loops.h, in the file that has main.
//
//===----------------------------------------------------------------------===//

#include <vector>

/// 1003 cells in a row, each with the next one; the last one with itself, or with
/// the first one if the row is closed. OP_NO_REALLOC uses these arrays to the end.
static void declareCells(bool isClosed) {
  const int n = 1003;
  static std::vector<int> next;
  for (int i = 0; i < n; ++i)
    next.insert(next.end(), {i, i + 1 < n ? i + 1 : isClosed ? 0 : i});
  static std::vector<double> first(n), second(n);
  for (int i = 0; i < n; ++i)
    first[size_t(i)] = i % 7;
  cells = op_decl_set(n, "cells");
  ends = op_decl_map(cells, cells, 2, next.data(), "ends");
  q = op_decl_dat(cells, 1, "double", first.data(), "q");
  p = op_decl_dat(cells, 1, "double", second.data(), "p");
}

/// One number that tells values, and their order, from others.
static void state(const char *what) {
  double weighted = 0;
  std::vector<double> values(size_t(cells->size));
  for (op_dat dat : {q, p}) {
    op_fetch_data(dat, values.data());
    for (size_t n = 0; n < values.size(); ++n)
      weighted += values[n] * double(n % 17 + 1);
  }
  op_printf("%s: %.17g\n", what, weighted);
}

/// Values stay small then.
[[maybe_unused]] static void stateThenBound(const char *what) {
  state(what);
  for (op_dat dat : {q, p})
    for (size_t n = 0; n < size_t(cells->size); ++n)
      valuesOf(dat)[n] = double(int(valuesOf(dat)[n]) % 7);
}
