//===- Fusion.cpp - May fused code run? -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check/CheckMode.h"
#include "Loop.h"

#include <algorithm>

using namespace op2::rt;

// Combinations of handles remembered for each pair of loops.
static constexpr std::size_t kMaxCombinations = 64;

namespace {
/// A living handle: a dead one's successor has another serial number.
struct Handle {
  void const *object;
  uint64_t serial;
  bool operator==(Handle const &other) const {
    return object == other.object && serial == other.serial;
  }
};

using Combination = std::vector<Handle>;

/// What is remembered of a pair of loops; lives as long as the program.
struct FusedState {
  std::vector<Combination> seen;
};

struct Storage {
  char const *data;
  int64_t bytes;
  bool isGlobal;
};
} // namespace

/// The handles of a call; empty if one of them is dead. What is NULL and should
/// not be is an error of the loops when they run by themselves.
static Combination getHandles(op_set_core const *set, op2rt_use const *uses,
                              int32_t count) {
  Set const *owner = findSet(set);
  if (!owner)
    return {};
  Combination handles{{owner, owner->serial}};
  for (int32_t n = 0; n < count; ++n) {
    op2rt_use const &use = uses[n];
    if (use.map) {
      Map const *map = findMap(use.map);
      if (!map)
        return {};
      handles.push_back({map, map->serial});
    }
    if (use.bytes > 0 || !use.data)
      continue;
    Dat const *dat = findDat(static_cast<op_dat>(use.data));
    if (!dat)
      return {};
    handles.push_back({dat, dat->serial});
  }
  return handles;
}

/// Has a call with these handles been here before? It has now.
static bool isKnown(FusedState &state, Combination const &handles) {
  if (std::find(state.seen.begin(), state.seen.end(), handles) !=
      state.seen.end())
    return true;
  if (state.seen.size() == kMaxCombinations)
    state.seen.erase(state.seen.begin());
  state.seen.push_back(handles);
  return false;
}

static Storage getStorage(op2rt_use const &use) {
  if (!use.data || use.bytes > 0)
    return {static_cast<char const *>(use.data), use.bytes, true};
  Dat const &dat =
      storageOf(static_cast<Dat &>(*static_cast<op_dat>(use.data)));
  return {dat.data, dat.bytes, false};
}

/// From the storage as it is now: applications may exchange data pointers.
static bool areSeparate(op2rt_use const &a, op2rt_use const &b) {
  if (a.group == b.group)
    return true;
  Storage first = getStorage(a), second = getStorage(b);
  bool matters = a.changed || b.changed || first.isGlobal != second.isGlobal;
  return !matters ||
         !overlap(first.data, first.bytes, second.data, second.bytes);
}

extern "C" int32_t op2rt_may_fuse(void **state, op_set_core const *set,
                                  op2rt_use const *uses, int32_t count) {
  // Broken promises are reported by the loops' own names.
  if (isChecking())
    return 0;
  Combination handles = getHandles(set, uses, count);
  if (handles.empty())
    return 0;
  if (!*state)
    *state = new FusedState;
  if (!isKnown(*static_cast<FusedState *>(*state), handles))
    return 0;
  for (int32_t n = 0; n < count; ++n) {
    if (uses[n].map && uses[n].map->dim != uses[n].arity)
      return 0;
    for (int32_t m = 0; m < n; ++m)
      if (!areSeparate(uses[m], uses[n]))
        return 0;
  }
  return 1;
}
