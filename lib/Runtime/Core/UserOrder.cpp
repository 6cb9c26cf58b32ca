//===- UserOrder.cpp - Values in the application's order --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserOrder.h"
#include "Hooks.h"
#include "Job.h"
#include "Memory.h"

#include <cstring>

using namespace op2::rt;

static Set const &setOf(op_set set) { return static_cast<Set const &>(*set); }

void op2::rt::copyToUser(Dat const &dat, int64_t begin, int64_t end,
                         char *values) {
  int64_t size = dat.size;
  if (hasRanks())
    hooks.settleStorage();
  // An array has what the application wrote there since the last loop.
  bool areDeclared = dat.inArray || !job.isDistributed;
  if (!areDeclared || !job.declaresWhole)
    return hooks.collectRows(setOf(dat.set),
                             areDeclared ? dat.data : rowData(&dat),
                             areDeclared, size, begin, end, values);
  if (begin == end)
    return;
  auto const &toInternal = setOf(dat.set).toInternal;
  if (toInternal.empty()) {
    std::memcpy(values, dat.data + begin * size,
                static_cast<std::size_t>((end - begin) * size));
    return;
  }
#pragma omp parallel for schedule(static) if (end - begin > (1 << 16))
  for (int64_t e = begin; e < end; ++e)
    std::memcpy(values + (e - begin) * size, dat.data + toInternal[e] * size,
                static_cast<std::size_t>(size));
}

UserValues::UserValues(Dat const &dat) : values(dat.data) {
  if (!hasRanks() && !isRenumbered(dat.set))
    return;
  int64_t count = isRoot() ? setOf(dat.set).globalSize : 0;
  copy.resize(static_cast<std::size_t>(count * dat.size));
  copyToUser(dat, 0, count, copy.data());
  values = copy.data();
}

UserTable::UserTable(Map const &map) : values(tableOf(&map)) {
  bool isMoved =
      !job.declaresWhole || isRenumbered(map.from) || isRenumbered(map.to);
  if (!map.map || !isMoved)
    return;
  int64_t size = ownOf(map.from), dim = map.dim;
  copy.resize(static_cast<std::size_t>(size * dim));
  if (job.isDistributed || !job.declaresWhole) {
    for (int64_t n = 0; n < size * dim; ++n)
      copy[n] = userNumber(map.to, values[n]);
    std::vector<int> rows = std::move(copy);
    int64_t count = isRoot() ? setOf(map.from).globalSize : 0;
    copy.resize(static_cast<std::size_t>(count * dim));
    hooks.collectRows(setOf(map.from), reinterpret_cast<char *>(rows.data()),
                      !job.isDistributed, dim * int64_t(sizeof(int)), 0, count,
                      reinterpret_cast<char *>(copy.data()));
    values = copy.data();
    return;
  }
#pragma omp parallel for schedule(static) if (size > (1 << 16))
  for (int64_t e = 0; e < size; ++e)
    for (int64_t slot = 0; slot < dim; ++slot)
      copy[userNumber(map.from, e) * dim + slot] =
          userNumber(map.to, map.map[e * dim + slot]);
  values = copy.data();
}

char *op2::rt::allocateFromUser(Set const &set, void const *values,
                                int64_t size, std::string const &what) {
  if (job.isDistributed)
    return hooks.spreadRows(set, values, size, what.c_str());
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
