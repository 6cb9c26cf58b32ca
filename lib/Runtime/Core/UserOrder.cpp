//===- UserOrder.cpp - Values in the application's order --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserOrder.h"
#include "Memory.h"

#include <cstring>

using namespace op2::rt;

static Set const &setOf(op_set set) { return static_cast<Set const &>(*set); }

void op2::rt::copyToUser(Dat const &dat, int64_t first, int64_t last,
                         char *values) {
  int64_t size = dat.size;
  auto const &toInternal = setOf(dat.set).toInternal;
  if (toInternal.empty()) {
    std::memcpy(values, dat.data + first * size,
                static_cast<std::size_t>((last - first + 1) * size));
    return;
  }
#pragma omp parallel for schedule(static) if (last - first > (1 << 16))
  for (int64_t e = first; e <= last; ++e)
    std::memcpy(values + (e - first) * size, dat.data + toInternal[e] * size,
                static_cast<std::size_t>(size));
}

UserValues::UserValues(Dat const &dat) : values(dat.data) {
  if (!isRenumbered(dat.set))
    return;
  copy.resize(static_cast<std::size_t>(dat.bytes));
  copyToUser(dat, 0, dat.set->size - 1, copy.data());
  values = copy.data();
}

UserTable::UserTable(Map const &map) : values(map.map) {
  if (!map.map || !(isRenumbered(map.from) || isRenumbered(map.to)))
    return;
  int64_t size = map.from->size, dim = map.dim;
  copy.resize(static_cast<std::size_t>(size * dim));
#pragma omp parallel for schedule(static) if (size > (1 << 16))
  for (int64_t e = 0; e < size; ++e)
    for (int64_t slot = 0; slot < dim; ++slot)
      copy[userNumber(map.from, e) * dim + slot] =
          userNumber(map.to, map.map[e * dim + slot]);
  values = copy.data();
}

char *op2::rt::allocateFromUser(Set const &set, void const *values,
                                int64_t size, std::string const &what) {
  if (set.toUser.empty())
    return allocateCopy(values, set.size, size, what);
  return allocateGathered(values, set.toUser.data(), set.size, size, what);
}

void op2::rt::moveTable(Map &map, std::vector<int32_t> const &rows,
                        std::vector<int32_t> const &numbers) {
  if (!map.map || (rows.empty() && numbers.empty()))
    return;
  int64_t size = map.from->size, dim = map.dim;
  int64_t bytes = dim * int64_t(sizeof(int));
  if (!rows.empty() || map.user_managed) {
    std::string what = "map " + map.ownName;
    char *moved = rows.empty() ? allocateCopy(map.map, size, bytes, what)
                               : allocateGathered(map.map, rows.data(), size,
                                                  bytes, what);
    if (!map.user_managed)
      deallocate(map.map);
    map.map = reinterpret_cast<int *>(moved);
    map.user_managed = 0;
  }
  if (numbers.empty())
    return;
#pragma omp parallel for schedule(static) if (size * dim > (1 << 16))
  for (int64_t n = 0; n < size * dim; ++n)
    map.map[n] = numbers[map.map[n]];
}

void op2::rt::toInternalOrder(Map &map) {
  moveTable(map, setOf(map.from).toUser, setOf(map.to).toInternal);
}
