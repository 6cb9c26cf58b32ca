//===- ChainInput.cpp - Loops of a chain for its inspector ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainInput.h"

#include <algorithm>

using namespace op2::rt;

int64_t op2::rt::largestSize(ChainInput const &input) {
  int64_t largest = 0;
  for (ChainLoop const &loop : input.loops)
    largest = std::max(largest, loop.size);
  return largest;
}

ElementRange op2::rt::granuleOf(ChainLoop const &loop, int64_t number) {
  if (!loop.order.empty())
    return {loop.order[number], loop.order[number] + 1};
  return {number * loop.granule,
          std::min((number + 1) * loop.granule, loop.size)};
}

static bool dependsOn(ChainLoop const &later, ChainLoop const &earlier) {
  for (ChainAccess const &a : later.accesses)
    for (ChainAccess const &b : earlier.accesses)
      if (a.dat == b.dat && (a.isChange || b.isChange))
        return true;
  return false;
}

std::vector<bool> op2::rt::findPacers(ChainInput const &input) {
  int64_t largest = largestSize(input);
  std::vector<bool> found;
  for (auto loop = input.loops.begin(); loop != input.loops.end(); ++loop)
    found.push_back(
        !isAside(*loop, largest) &&
        std::none_of(input.loops.begin(), loop, [&](ChainLoop const &earlier) {
          return !isAside(earlier, largest) && dependsOn(*loop, earlier);
        }));
  return found;
}
