//===- Solver.cpp - Systems of linear equations -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "Core/Error.h"
#include "OP2/Runtime/op2rt.h"

#include <climits>
#include <cstring>

using namespace op2::rt;

void op2::rt::requireCountable(int64_t numValues, char const *where) {
  if (numValues > INT_MAX)
    fatal(Problem::Limit,
          "%s: the matrix has %lld values; libraries take at most %d", where,
          static_cast<long long>(numValues), INT_MAX);
}

bool KeptValues::update(void const *values, int64_t bytes) {
  auto const *begin = static_cast<char const *>(values);
  auto size = static_cast<std::size_t>(bytes);
  if (kept.size() == size && std::memcmp(kept.data(), begin, size) == 0)
    return false;
  kept.assign(begin, begin + size);
  return true;
}
