//===- Declare.cpp - Declarations of sets, maps and constants ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_decl_* and op2rt_decl_*: checks, copies, registers.
//
//===----------------------------------------------------------------------===//

#include "Declare.h"
#include "Core/Error.h"
#include "Core/Hooks.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Memory.h"
#include "Core/Pending.h"
#include "Core/Registry.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Device/DeviceTables.h"
#include "Ranks/Ranks.h"
#include "Ranks/Storage.h"

#include <algorithm>
#include <climits>
#include <memory>
#include <string>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

/// Which rank has what follows from all sets and maps.
void op2::rt::requireUndivided(char const *where, char const *name) {
  if (job.isDistributed)
    fatal(Problem::Order,
          "%s %s: ranks already have their parts of the mesh; expected "
          "every set and map to be declared before op_partition and the "
          "first loop",
          where, name ? name : "");
}

Set &op2::rt::addSet(int64_t size, char const *name, char const *where) {
  if (size < 0 || size > kMostElements)
    fatal(Problem::Size, "%s %s: size is %lld; expected 0..%d", where,
          name ? name : "", static_cast<long long>(size), kMostElements);
  Set &set = newSet(name);
  set.size = static_cast<int>(size);
  set.core_size = set.size;
  set.exec_size = set.nonexec_size = 0;
  set.stride = (set.size + 31) / 32 * 32;
  publish(set);
  if (hasRanks())
    hooks.shareSet(set);
  return set;
}

op_set op2::rt::declareSet(int64_t size, char const *name, char const *where) {
  requireUndivided(where, name);
  return &addSet(size, name, where);
}

extern "C" op_set op_decl_set(idx_l_t size, char const *name) {
  return op_decl_set_long(size, name);
}

extern "C" op_set op_decl_set_long(long long size, char const *name) {
  Call const call("op_decl_set");
  requireRunning("op_decl_set");
  return declareSet(size, name, "op_decl_set");
}

void op2::rt::beginImplicitly(char const *where) {
  int count = registry().state == State::Idle ? startedProcesses() : 1;
  if (count > 1)
    fatal(Problem::RankProgram,
          "%s: this is one of %d processes, each of which would run all "
          "of the program; expected op_init to be called before, as by "
          "op2-run --ranks, or one process",
          where, count);
  startImplicitly();
}

extern "C" op_set_core *op2rt_decl_set(int64_t size, char const *name) {
  Call const call(__func__);
  beginImplicitly("op2.decl_set");
  return declareSet(size, name, "op2.decl_set");
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

op_map op2::rt::declareMap(op_set from, op_set to, int dim, int const *values,
                           char const *name, char const *where,
                           void const *given) {
  std::string place = std::string(where) + " " + (name ? name : "");
  requireSet(from, (place + ", from").c_str());
  requireSet(to, (place + ", to").c_str());
  if (dim <= 0)
    fatal(Problem::Dim, "%s: dim is %d; expected at least 1", place.c_str(),
          dim);
  requireUndivided(where, name);
  Map &map = newMap(name);
  map.from = from;
  map.to = to;
  map.dim = dim;
  if (values) {
    int64_t count = int64_t(from->size) * dim;
    map.map = reinterpret_cast<int *>(allocateCopy(
        values, from->size, int64_t(dim) * sizeof(int), "map " + map.ownName));
    if (OP_maps_base_index != 0)
      for (int64_t n = 0; n < count; ++n)
        map.map[n] = static_cast<int>(static_cast<unsigned>(map.map[n]) - 1u);
    acceptTable(map, where);
    if (hasRanks() && job.declaresWhole)
      keepInPages(map);
    map.keys.push_back(given ? given : values);
  }
  publish(map);
  return &map;
}

extern "C" op_map op_decl_map(op_set from, op_set to, int dim,
                              idx_l_t const *imap, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_map");
  return declareMap(from, to, dim, imap, name, "op_decl_map");
}

extern "C" op_map op_decl_map_long(op_set from, op_set to, int dim,
                                   idx_g_t const *imap, char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_map_long");
  if (!imap || !findSet(from) || dim <= 0)
    return declareMap(from, to, dim, nullptr, name, "op_decl_map_long");
  int64_t count = int64_t(from->size) * dim;
  std::string place = std::string("map ") + (name ? name : "");
  std::unique_ptr<char, void (*)(void *)> storage(
      allocateZeroed(from->size, int64_t(dim) * sizeof(int), place),
      deallocate);
  auto *values = reinterpret_cast<int *>(storage.get());
  for (int64_t n = 0; n < count; ++n) {
    if (imap[n] < INT_MIN || imap[n] > INT_MAX)
      fatal(Problem::MapValue,
            "op_decl_map_long %s: element %lld, slot %lld is %lld, which "
            "32 bits cannot hold",
            name ? name : "", shown(n / dim), shown(n % dim),
            static_cast<long long>(imap[n]));
    values[n] = static_cast<int>(imap[n]);
  }
  return declareMap(from, to, dim, values, name, "op_decl_map_long", imap);
}

extern "C" void op_force_part(int *) {}

void op2::rt::requireCount(char const *where, char const *name, op_set set,
                           int dim, int64_t count) {
  int32_t size = static_cast<Set *>(set)->declaredSize;
  int64_t expected = int64_t(size) * dim;
  if (count != expected)
    fatal(Problem::Size,
          "%s %s: %lld values given; expected %lld (%d elements of set "
          "%s, dim %d)",
          where, name ? name : "", static_cast<long long>(count),
          static_cast<long long>(expected), size, set->name, dim);
}

extern "C" op_map_core *op2rt_decl_map(op_set_core *from, op_set_core *to,
                                       int32_t dim, int32_t const *data,
                                       int64_t count, char const *name) {
  Call const call(__func__);
  beginImplicitly("op2.decl_map");
  requireSet(from, "op2.decl_map, from");
  requireCount("op2.decl_map", name, from, dim, count);
  return declareMap(from, to, dim, data, name, "op2.decl_map");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Kernels read the variables themselves. What is declared may be memory that a
/// pointer leads to, too.
static void declareConst(int dim, char const *type, void const *data,
                         char const *name, char const *where) {
  char const *space = *name ? " " : "";
  if (parseType(type) < 0)
    fatal(Problem::TypeString,
          "%s%s%s: unknown type string \"%s\"; expected one of %s", where,
          space, name, type ? type : "(NULL)", allTypeNames().c_str());
  int most = INT_MAX / typeSize(parseType(type));
  if (dim < 1 || dim > most)
    fatal(Problem::Dim, "%s%s%s: dim is %d; expected 1..%d", where, space, name,
          dim, most);
  if (!data)
    fatal(Problem::Pointer, "%s%s%s: the data pointer is NULL", where, space,
          name);
  flush();
  declareTable(data, int64_t(dim) * typeSize(parseType(type)));
}

extern "C" void op_decl_const_char(int dim, char const *type, int, char *data,
                                   char const *name) {
  Call const call(__func__);
  requireRunning("op_decl_const");
  declareConst(dim, type, data, name ? name : "", "op_decl_const");
}

extern "C" void op2rt_decl_const(int32_t dim, int32_t type, void const *data,
                                 int64_t count, char const *name) {
  Call const call(__func__);
  beginImplicitly("op2.decl_const");
  if (count != dim)
    fatal(Problem::Size, "op2.decl_const %s: %lld values given; expected %d",
          name ? name : "", static_cast<long long>(count), dim);
  declareConst(dim, typeName(type), data, name ? name : "", "op2.decl_const");
}
