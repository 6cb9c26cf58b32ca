//===- FortranHandles.cpp - Sets, maps and dats without handles -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran programs may name a dat or a map by the array that they declared it
// with, and a set by a number.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/PerRun.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "OP2/Runtime/op2f.h"

#include <algorithm>
#include <map>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

static std::map<int, op_set> &registeredSets() {
  static auto *sets = new PerRun<std::map<int, op_set>>;
  return **sets;
}

extern "C" void op2f_register_set(int number, op_set set) {
  Call const call(__func__);
  requireSet(set, "op_register_set");
  registeredSets()[number] = set;
}

extern "C" op_set op2f_get_set(int number) {
  Call const call(__func__);
  auto found = registeredSets().find(number);
  if (found == registeredSets().end())
    fatal(Problem::Handle,
          "op_get_set: no set was registered with number %d by "
          "op_register_set",
          number);
  return found->second;
}

//===----------------------------------------------------------------------===//
// Dats and maps
//===----------------------------------------------------------------------===//

/// Arrays that a program has freed give their addresses to others.
template <class Object>
static Object *requireOne(std::vector<Object *> const &found, char const *kind,
                          void const *key, char const *where) {
  if (found.empty())
    fatal(Problem::FortranArray, "%s: no %s was declared with the array at %p",
          where, kind, key);
  if (found.size() > 1)
    fatal(Problem::FortranArray,
          "%s: %s and %s were both declared with an array at %p; "
          "expected arrays to stay where they are, or handles",
          where, found[0]->name, found[1]->name, key);
  return found[0];
}

extern "C" op_dat op2f_find_dat(void const *data, char const *where) {
  Call const call(where);
  std::vector<Dat *> found;
  for (Dat *dat : registry().dats)
    if (data && !dat->base && dat->entry.orig_ptr == data)
      found.push_back(dat);
  if (found.empty())
    for (Dat *dat : registry().dats)
      if (data && !dat->base && dat->data == data)
        found.push_back(dat);
  return requireOne(found, "dat", data, where);
}

extern "C" op_map op2f_find_map(void const *table, char const *where) {
  Call const call(where);
  std::vector<Map *> found;
  for (op_map core : registry().maps) {
    auto *map = static_cast<Map *>(core);
    auto const &keys = map->keys;
    if (table && (map->map == table ||
                  std::find(keys.begin(), keys.end(), table) != keys.end()))
      found.push_back(map);
  }
  return requireOne(found, "map", table, where);
}

static int64_t asNumber(void const *address) {
  return reinterpret_cast<int64_t>(address);
}

extern "C" int64_t op2f_reset_data_ptr(op_dat handle, int mode) {
  constexpr char const *kWhere = "op_reset_data_ptr";
  Call const call(kWhere);
  Dat &dat = requireDat(handle, kWhere);
  if (mode != 1 && mode != 2)
    fatal(Problem::Call,
          "%s %s: mode is %d; expected 1 (a number) or 2 (the address of "
          "the values)",
          kWhere, dat.name, mode);
  // Values move when elements get other numbers: dat.data is looked at then.
  dat.entry.orig_ptr = nullptr;
  if (mode == 2)
    return asNumber(dat.data);
  // From 1: 0 would be no pointer.
  dat.entry.orig_ptr = reinterpret_cast<void *>(intptr_t(dat.index) + 1);
  return asNumber(dat.entry.orig_ptr);
}

/// The map, whose table may be looked at.
static Map &requireReadable(op_map handle, char const *where) {
  Map &map = requireMap(handle, where);
  requireTable(map, where);
  if (map.part && !map.isShown)
    fatal(Problem::Order,
          "%s %s: ranks have their parts of the table; expected the call "
          "before op_partition and the first loop",
          where, map.name);
  return map;
}

extern "C" int64_t op2f_get_map_ptr(op_map handle) {
  Call const call("op_get_map_ptr");
  return asNumber(requireReadable(handle, "op_get_map_ptr").map);
}

extern "C" int64_t op2f_reset_map_ptr(op_map handle) {
  Call const call("op_reset_map_ptr");
  Map &map = requireReadable(handle, "op_reset_map_ptr");
  map.keys = {};
  return asNumber(map.map);
}

extern "C" int64_t op2f_copy_map(op_map handle) {
  Call const call("op_copy_map_to_fort");
  Map &map = requireReadable(handle, "op_copy_map_to_fort");
  int64_t count = int64_t(map.from->size) * map.dim;
  // One more: an empty table has an address of its own as well.
  std::vector<int32_t> table(static_cast<std::size_t>(count) + 1);
  for (int64_t n = 0; n < count; ++n)
    table[static_cast<std::size_t>(n)] = map.map[n] + 1;
  map.tablesFromOne.push_back(std::move(table));
  map.keys.push_back(map.tablesFromOne.back().data());
  return asNumber(map.keys.back());
}
