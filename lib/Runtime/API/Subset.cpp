//===- Subset.cpp - Subsets and composed maps -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subset is a set with a map to the set that its elements are from; a loop
// over it reaches through that map what a loop over the whole set reaches
// directly, and through compositions with it what that one reaches through
// maps.
//
//===----------------------------------------------------------------------===//

#include "Core/Composition.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Hooks.h"
#include "Core/Job.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Declare.h"
#include "Matrix.h"
#include "OP2/API/op_rt_support.h"
#include "Ranks/LateSubset.h"
#include "Renumber/Orders.h"

#include <algorithm>
#include <cstddef>

using namespace op2::rt;

// Generated code reads both.
static_assert(offsetof(op_subset_core, set) == 0 &&
              offsetof(op_subset_core, map) == sizeof(void *));

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Numbers in the order in which the library has the elements, as if they had
/// been there when it renumbered theirs.
static void followOrder(Set &subset, std::vector<int> const &elements,
                        Set const &of) {
  Order order = identityOrder(subset.size);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return of.toInternal[elements[a]] < of.toInternal[elements[b]];
  });
  subset.toInternal = invert(order);
  subset.toUser = std::move(order);
}

/// `elements` have the application's numbers, of all ranks, from 0 on; they are
/// living elements of the rank's block.
static op_subset declareSubset(Set &of, std::vector<int> elements,
                               char const *name, char const *where) {
  if (!std::is_sorted(elements.begin(), elements.end()))
    std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  std::string place = std::string(where) + " " + name;
  std::string mapName = std::string(name) + " in " + of.name;
  Set &set = addSet(static_cast<int64_t>(elements.size()), name, place.c_str());
  if (job.isDistributed)
    return &addSubset(&set, &divideSubset(set, of, elements, mapName.c_str()));
  if (!of.toInternal.empty())
    followOrder(set, elements, of);
  for (int &element : elements)
    element += OP_maps_base_index;
  return &addSubset(
      &set, declareMap(&set, &of, 1, elements.data(), mapName.c_str(), where));
}

static void requireElements(Set const &of, int const *elements, int size,
                            char const *name) {
  int64_t least = of.declaredBegin + OP_maps_base_index;
  int64_t end = least + of.declaredSize;
  for (int n = 0; n < size; ++n) {
    if (elements[n] >= least && elements[n] < end)
      continue;
    if (of.declaredSize == 0)
      fatal(Problem::Subset,
            "op_decl_subset %s: element %lld is %d, but set %s is empty%s",
            name, shown(n), elements[n], of.name,
            job.declaresWhole ? "" : " on this rank");
    fatal(Problem::Subset,
          "op_decl_subset %s: element %lld is %d; expected %lld..%lld (%s "
          "%s has %d elements)",
          name, shown(n), elements[n], static_cast<long long>(least),
          static_cast<long long>(end - 1),
          job.declaresWhole ? "set" : "this rank's block of set", of.name,
          of.declaredSize);
  }
}

extern "C" op_subset op_decl_subset(op_set set, int size, int const *elements,
                                    char const *name) {
  Call const call(__func__);
  requireRunning(__func__);
  name = name ? name : "";
  Set &of = requireSet(set, (std::string("op_decl_subset ") + name).c_str());
  if (size < 0)
    fatal(Problem::Size, "op_decl_subset %s: size is %d; expected at least 0",
          name, size);
  if (!elements && size > 0)
    fatal(Problem::Pointer,
          "op_decl_subset %s: the pointer to its %d elements is NULL", name,
          size);
  requireElements(of, elements, size, name);
  std::vector<int> own(elements, elements + size);
  for (int &element : own)
    element -= OP_maps_base_index;
  return declareSubset(of, std::move(own), name, __func__);
}

extern "C" op_subset op_decl_subset_where(op_set set, op_dat flag,
                                          char const *name) {
  Call const call(__func__);
  requireRunning(__func__);
  name = name ? name : "";
  std::string place = std::string("op_decl_subset_where ") + name;
  Set &of = requireSet(set, place.c_str());
  Dat &dat = requireDat(flag, place.c_str());
  if (dat.set != set)
    fatal(Problem::SetMismatch,
          "%s: dat %s lives on set %s; expected a dat on set %s", place.c_str(),
          dat.name, dat.set->name, set->name);
  if (dat.dim != 1)
    fatal(Problem::Dim, "%s: dat %s has dim %d; expected 1", place.c_str(),
          dat.name, dat.dim);
  if (dat.elementType != OP2RT_BOOL && !isIntegerType(dat.elementType))
    fatal(Problem::ValueType,
          "%s: dat %s holds %s; expected a type of integers or bool",
          place.c_str(), dat.name, typeName(dat.elementType));
  makeHostCurrent(storageOf(dat));
  std::vector<char> const flags = declaredValues(dat);
  std::vector<int> elements;
  for (int e = 0; e < of.declaredSize; ++e) {
    char const *value = &flags[std::size_t(e) * std::size_t(dat.size)];
    if (std::any_of(value, value + dat.size,
                    [](char byte) { return byte != 0; }))
      elements.push_back(static_cast<int>(of.declaredBegin) + e);
  }
  return declareSubset(of, std::move(elements), name, __func__);
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

/// All that the library has made: they go from the subset's set.
static std::vector<Map *> mapsOf(Subset const &subset) {
  std::vector<Map *> maps = {static_cast<Map *>(subset.map)};
  for (std::size_t n = 0; n < maps.size(); ++n)
    for (auto const &composition : maps[n]->compositions)
      maps.push_back(composition.second);
  return maps;
}

/// What refers to the subset's set beside these maps, or "".
static std::string findUser(op_set_core const *set,
                            std::vector<Map *> const &maps) {
  for (Layers const *layers : registry().layers)
    if (layers->set == set)
      return std::string("layers ") + layers->name + " stand there";
  for (Dat const *dat : registry().dats)
    if (dat->set == set)
      return std::string("dat ") + dat->name + " lives there";
  for (Subset const *other : registry().subsets)
    if (other->map->to == set)
      return std::string("subset ") + other->set->name + " has elements of it";
  for (op_map map : registry().maps)
    if (map->to == set ||
        (map->from == set && std::find(maps.begin(), maps.end(),
                                       static_cast<Map *>(map)) == maps.end()))
      return std::string("map ") + map->name + " goes " +
             (map->to == set ? "to" : "from") + " its elements";
  if (op_sparsity_core const *sparsity = findSparsityFrom(set))
    return "sparsity " + sparsity->name + " is of a map from there";
  return "";
}

extern "C" void op_free_subset(op_subset handle) {
  Call const call(__func__);
  requireRunning(__func__);
  Subset &subset = requireSubset(handle, __func__);
  Set &set = static_cast<Set &>(*subset.set);
  std::vector<Map *> const maps = mapsOf(subset);
  if (std::string user = findUser(&set, maps); !user.empty())
    fatal(
        Problem::Subset,
        "op_free_subset %s: %s; expected a subset that nothing else refers to",
        set.name, user.c_str());
  hooks.forgetHandles(&set);
  if (hasRanks())
    hooks.withdrawSet(set);
  removeSubset(subset, maps);
}

//===----------------------------------------------------------------------===//
// Composed maps
//===----------------------------------------------------------------------===//

extern "C" op_map op_compose_map(op_map after, op_map first) {
  Call const call(__func__);
  requireRunning(__func__);
  Map &last = requireMap(after, "op_compose_map, after");
  return &compose(last, requireMap(first, "op_compose_map, first"), __func__);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

extern "C" op_set_core *op2rt_subset_set(op_subset_core *subset,
                                         char const *loop) {
  Turn const turn(__func__);
  if (!findSubset(subset))
    requireSubset(subset, (std::string("loop ") + loop).c_str());
  return subset->set;
}

// What is no map from the set is for the loop's own checks.
extern "C" op_map_core *op2rt_subset_map(op_subset_core *subset,
                                         op_map_core *map, char const *loop) {
  Turn const turn(__func__);
  if (!findMap(map) || map->from != subset->map->to)
    return map;
  return &compose(static_cast<Map &>(*map), static_cast<Map &>(*subset->map),
                  loop);
}

extern "C" op_set op_seq_subset(char const *name, op_subset subset, int nargs,
                                op_arg *args) {
  name = name ? name : "(no name)";
  op_set set = op2rt_subset_set(subset, name);
  for (op_arg *arg = args; arg != args + nargs; ++arg) {
    if (!arg->opt || (arg->argtype != OP_ARG_DAT && arg->argtype != OP_ARG_IDX))
      continue;
    if (arg->idx == -1 && !arg->map) {
      arg->idx = 0;
      arg->map = subset->map;
    } else {
      arg->map = op2rt_subset_map(subset, arg->map, name);
    }
  }
  return set;
}
