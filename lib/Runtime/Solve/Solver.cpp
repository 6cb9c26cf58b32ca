//===- Solver.cpp - Systems of linear equations -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "OP2/Runtime/op2rt.h"

#include <climits>
#include <cstring>

using namespace op2::rt;

void op2::rt::requireCountable(int64_t numValues, char const *where) {
  if (numValues > INT_MAX)
    op2rt_fatal("%s: the matrix has %lld values; libraries take at most %d",
                where, static_cast<long long>(numValues), INT_MAX);
}

bool KeptValues::update(CompressedRows const &matrix) {
  auto const *begin = static_cast<char const *>(matrix.values);
  auto bytes = static_cast<std::size_t>(matrix.bytes());
  if (values.size() == bytes && std::memcmp(values.data(), begin, bytes) == 0)
    return false;
  values.assign(begin, begin + bytes);
  return true;
}
