//===- Orders.cpp - Orders that follow another set's ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;

Order op2::rt::identityOrder(int32_t size) {
  Order order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int32_t> op2::rt::invert(Order const &order) {
  std::vector<int32_t> numbers(order.size());
  auto size = static_cast<int64_t>(order.size());
#pragma omp parallel for schedule(static) if (size > (1 << 16))
  for (int64_t n = 0; n < size; ++n)
    numbers[order[n]] = static_cast<int32_t>(n);
  return numbers;
}

namespace {
/// The new numbers that an element reaches.
struct Reach {
  int32_t least = INT32_MAX, most = 0;
};
} // namespace

static std::vector<Reach> reachOf(Set const &set,
                                  std::vector<Map const *> const &maps,
                                  std::vector<int32_t> const &numbers) {
  std::vector<Reach> reach(static_cast<std::size_t>(set.size));
#pragma omp parallel for schedule(static) if (set.size > (1 << 16))
  for (int64_t e = 0; e < set.size; ++e)
    for (Map const *map : maps)
      for (int slot = 0; slot < map->dim; ++slot) {
        int32_t number = numbers[map->map[e * map->dim + slot]];
        reach[e].least = std::min(reach[e].least, number);
        reach[e].most = std::max(reach[e].most, number);
      }
  return reach;
}

// By counting: elements that begin at one number are few, and are sorted among
// themselves.
Order op2::rt::orderByTargets(Set const &set,
                              std::vector<Map const *> const &maps,
                              std::vector<int32_t> const &numbers) {
  std::vector<Reach> reach = reachOf(set, maps, numbers);
  std::vector<int32_t> begins(numbers.size() + 1);
  for (Reach const &of : reach)
    ++begins[of.least + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  Order order(reach.size());
  std::vector<int32_t> next = begins;
  for (int32_t e = 0; e < set.size; ++e)
    order[next[reach[e].least]++] = e;
  auto targets = static_cast<int64_t>(numbers.size());
#pragma omp parallel for schedule(static) if (set.size > (1 << 16))
  for (int64_t n = 0; n < targets; ++n)
    std::sort(order.begin() + begins[n], order.begin() + begins[n + 1],
              [&](int32_t a, int32_t b) {
                return reach[a].most != reach[b].most
                           ? reach[a].most < reach[b].most
                           : a < b;
              });
  return order;
}

Order op2::rt::orderByFirstTouch(Set const &set,
                                 std::vector<Map const *> const &maps,
                                 Order const &sources) {
  std::vector<char> seen(static_cast<std::size_t>(set.size));
  Order order;
  order.reserve(seen.size());
  auto touch = [&](int32_t element) {
    if (!seen[element])
      order.push_back(element);
    seen[element] = 1;
  };
  for (int64_t source : sources)
    for (Map const *map : maps)
      for (int slot = 0; slot < map->dim; ++slot)
        touch(map->map[source * map->dim + slot]);
  for (int32_t e = 0; e < set.size; ++e)
    touch(e);
  return order;
}
