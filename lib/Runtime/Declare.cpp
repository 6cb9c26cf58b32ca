//===- Declare.cpp - Declarations of sets, maps, dats and consts *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_decl_* and op2rt_decl_*: checks, copies, registers.
//
//===----------------------------------------------------------------------===//

#include "Declare.h"
#include "DeviceData.h"
#include "Memory.h"
#include "Registry.h"
#include "Types.h"

#include <algorithm>
#include <climits>
#include <cstring>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

static op_set declareSet(int64_t size, char const *name, char const *where) {
  if (size < 0 || size > INT_MAX)
    op2rt_fatal("%s %s: size is %lld; expected 0..%d", where, name ? name : "",
                static_cast<long long>(size), INT_MAX);
  Set &set = newSet(name);
  set.size = static_cast<int>(size);
  set.core_size = set.size;
  set.exec_size = set.nonexec_size = 0;
  set.stride = (set.size + 31) / 32 * 32;
  publish(set);
  return &set;
}

extern "C" op_set op_decl_set(idx_l_t size, char const *name) {
  requireRunning("op_decl_set");
  return declareSet(size, name, "op_decl_set");
}

extern "C" op_set_core *op2rt_decl_set(int64_t size, char const *name) {
  startImplicitly();
  return declareSet(size, name, "op2.decl_set");
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

int64_t op2::rt::findOutOfRange(int const *values, int64_t count, int limit) {
  // Almost always everything is in range: look for trouble piece by piece in
  // parallel without a branch per value, and for the place only if there is.
  constexpr int64_t chunk = 1 << 16;
  int64_t chunks = (count + chunk - 1) / chunk;
  int64_t firstBad = chunks;
#pragma omp parallel for schedule(static)                                      \
    reduction(min : firstBad) if (chunks > 4)
  for (int64_t c = 0; c < chunks; ++c) {
    unsigned bad = 0;
    int64_t end = std::min(count, (c + 1) * chunk);
    for (int64_t n = c * chunk; n < end; ++n)
      bad |= static_cast<unsigned>(values[n]) >= static_cast<unsigned>(limit);
    if (bad && c < firstBad)
      firstBad = c;
  }
  if (firstBad == chunks)
    return -1;
  int64_t n = firstBad * chunk;
  while (static_cast<unsigned>(values[n]) < static_cast<unsigned>(limit))
    ++n;
  return n;
}

void op2::rt::checkMapRange(Map &map, char const *where) {
  int64_t count = int64_t(map.from->size) * map.dim;
  int64_t bad = findOutOfRange(map.map, count, map.to->size);
  if (bad >= 0) {
    if (map.to->size == 0)
      op2rt_fatal("%s %s: element %lld, slot %lld is %lld, but set %s is empty",
                  where, map.name, static_cast<long long>(bad / map.dim),
                  static_cast<long long>(bad % map.dim),
                  static_cast<long long>(map.map[bad]) + OP_maps_base_index,
                  map.to->name);
    op2rt_fatal("%s %s: element %lld, slot %lld is %lld; expected %d..%d (set "
                "%s has %d elements)",
                where, map.name, static_cast<long long>(bad / map.dim),
                static_cast<long long>(bad % map.dim),
                static_cast<long long>(map.map[bad]) + OP_maps_base_index,
                OP_maps_base_index, map.to->size - 1 + OP_maps_base_index,
                map.to->name, map.to->size);
  }
  map.inRange = true;
}

static op_map declareMap(op_set from, op_set to, int dim, int const *values,
                         char const *name, char const *where) {
  std::string place = std::string(where) + " " + (name ? name : "");
  requireSet(from, (place + ", from").c_str());
  requireSet(to, (place + ", to").c_str());
  if (dim <= 0)
    op2rt_fatal("%s: dim is %d; expected at least 1", place.c_str(), dim);
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
    checkMapRange(map, where);
  }
  publish(map);
  return &map;
}

extern "C" op_map op_decl_map(op_set from, op_set to, int dim,
                              idx_l_t const *imap, char const *name) {
  requireRunning("op_decl_map");
  return declareMap(from, to, dim, imap, name, "op_decl_map");
}

static void requireCount(char const *where, char const *name, op_set set,
                         int dim, int64_t count) {
  int64_t expected = int64_t(set->size) * dim;
  if (count != expected)
    op2rt_fatal("%s %s: %lld values given; expected %lld (%d elements of set "
                "%s, dim %d)",
                where, name ? name : "", static_cast<long long>(count),
                static_cast<long long>(expected), set->size, set->name, dim);
}

extern "C" op_map_core *op2rt_decl_map(op_set_core *from, op_set_core *to,
                                       int32_t dim, int32_t const *data,
                                       int64_t count, char const *name) {
  startImplicitly();
  requireSet(from, "op2.decl_map, from");
  requireCount("op2.decl_map", name, from, dim, count);
  return declareMap(from, to, dim, data, name, "op2.decl_map");
}

//===----------------------------------------------------------------------===//
// Dats
//===----------------------------------------------------------------------===//

static Dat &makeDat(op_set set, int dim, char const *type, int size,
                    char const *name, char const *where) {
  std::string place = std::string(where) + " " + (name ? name : "");
  requireSet(set, place.c_str());
  if (dim <= 0)
    op2rt_fatal("%s: dim is %d; expected at least 1", place.c_str(), dim);
  int elementType = parseType(type);
  if (elementType < 0)
    op2rt_fatal("%s: unknown type string \"%s\"; expected one of %s",
                place.c_str(), type ? type : "(NULL)", allTypeNames().c_str());
  if (size < typeSize(elementType))
    op2rt_fatal("%s: a component has %d bytes; %s needs %d", place.c_str(),
                size, type, typeSize(elementType));
  if (int64_t(size) * dim > INT_MAX)
    op2rt_fatal("%s: %d components of %d bytes; expected an element of at most "
                "%d bytes",
                place.c_str(), dim, size, INT_MAX);
  Dat &dat = newDat(name);
  dat.set = set;
  dat.dim = dim;
  // Not dim times the type's size: programs declare "int" dats that hold
  // doubles and never let OP2 look inside.
  dat.size = size * dim;
  dat.elementType = elementType;
  dat.ownType = type;
  dat.type = dat.ownType.c_str();
  dat.bytes = int64_t(set->size) * dat.size;
  return dat;
}

static op_dat declareDat(op_set set, int dim, char const *type, int size,
                         void const *data, char const *name,
                         char const *where) {
  Dat &dat = makeDat(set, dim, type, size, name, where);
  std::string what = "dat " + dat.ownName;
  if (data && !OP_realloc) {
    dat.data = static_cast<char *>(const_cast<void *>(data));
    dat.user_managed = 1;
  } else if (data) {
    dat.data = allocateCopy(data, set->size, dat.size, what);
  } else {
    dat.data = allocateZeroed(set->size, dat.size, what);
  }
  publish(dat);
  return &dat;
}

extern "C" op_dat op_decl_dat_char(op_set set, int dim, char const *type,
                                   int size, char *data, char const *name) {
  requireRunning("op_decl_dat");
  return declareDat(set, dim, type, size, data, name, "op_decl_dat");
}

extern "C" op_dat op_decl_dat_temp_char(op_set set, int dim, char const *type,
                                        int size, char const *name) {
  requireRunning("op_decl_dat_temp");
  for (Dat const *dat : registry().dats)
    if (dat->set == set && dat->dim == dim && dat->size == dim * size &&
        dat->ownType == (type ? type : "") && name && dat->ownName == name)
      op2rt_fatal("op_decl_dat_temp %s: there is already such a dat on set %s "
                  "(dim %d, type %s); free it with op_free_dat_temp first",
                  name, set->name, dim, type);
  return declareDat(set, dim, type, size, nullptr, name, "op_decl_dat_temp");
}

extern "C" int op_free_dat_temp(op_dat dat) {
  Dat *found = findDat(dat);
  if (!found)
    return -1;
  freeDat(*found);
  return 1;
}

extern "C" op_dat_core *op2rt_decl_dat(op_set_core *set, int32_t dim,
                                       int32_t type, void const *data,
                                       int64_t count, char const *name) {
  startImplicitly();
  requireSet(set, "op2.decl_dat");
  if (data)
    requireCount("op2.decl_dat", name, set, dim, count);
  // The caller's buffer is not promised to outlive the call.
  int saved = OP_realloc;
  OP_realloc = 1;
  op_dat dat = declareDat(set, dim, typeName(type), typeSize(type), data, name,
                          "op2.decl_dat");
  OP_realloc = saved;
  return dat;
}

extern "C" void op2rt_fetch(op_dat_core *dat, int32_t type, void *data,
                            int64_t count) {
  Dat &from = requireDat(dat, "op2.fetch");
  if (from.elementType != type)
    op2rt_fatal("op2.fetch %s: the dat holds %s, the buffer %s", dat->name,
                typeName(from.elementType), typeName(type));
  requireCount("op2.fetch", dat->name, dat->set, dat->dim, count);
  makeHostCurrent(from);
  std::memcpy(data, dat->data, static_cast<size_t>(from.bytes));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void declareConst(int dim, char const *type, void const *data,
                         char const *name, char const *where) {
  if (dim <= 0)
    op2rt_fatal("%s %s: dim is %d; expected at least 1", where, name, dim);
  if (parseType(type) < 0)
    op2rt_fatal("%s %s: unknown type string \"%s\"; expected one of %s", where,
                name, type ? type : "(NULL)", allTypeNames().c_str());
  if (!data)
    op2rt_fatal("%s %s: the data pointer is NULL", where, name);
  // Declared again after a change: still one constant.
  for (Const &known : registry().consts)
    if (known.data == data) {
      known = {name, type, dim, data};
      return;
    }
  registry().consts.push_back({name, type, dim, data});
}

extern "C" void op_decl_const_char(int dim, char const *type, int, char *data,
                                   char const *name) {
  requireRunning("op_decl_const");
  declareConst(dim, type, data, name ? name : "", "op_decl_const");
}

extern "C" void op2rt_decl_const(int32_t dim, int32_t type, void const *data,
                                 int64_t count, char const *name) {
  startImplicitly();
  if (count != dim)
    op2rt_fatal("op2.decl_const %s: %lld values given; expected %d",
                name ? name : "", static_cast<long long>(count), dim);
  declareConst(dim, typeName(type), data, name ? name : "", "op2.decl_const");
}
