//===- Fusion.cpp - May fused code run? -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Pending.h"
#include "Core/Threads.h"
#include "Execute/Loop.h"
#include "Execute/PairTuning.h"
#include "Tune/Tuner.h"

#include <memory>
#include <utility>

using namespace op2::rt;

// Combinations of handles remembered for each pair of loops.
static constexpr std::size_t kMaxCombinations = 64;

namespace {
/// A handle and its serial number: a dead one's successor has another.
struct Handle {
  void const *object;
  uint64_t serial;
};

/// Handles that a pair of loops was called with.
struct Combination {
  std::vector<Handle> handles;
  PairTuning tuning;
};

/// What is remembered of a pair of loops; lives as long as the program.
struct FusedState {
  std::vector<std::unique_ptr<Combination>> seen;
};

struct Storage {
  char const *data;
  int64_t bytes;
  bool isGlobal;
};
} // namespace

static bool isDat(op2rt_use const &use) { return use.data && use.bytes == 0; }

static Dat &datOf(op2rt_use const &use) {
  return static_cast<Dat &>(*static_cast<op_dat>(use.data));
}

/// The handles of a call; empty if one of them is dead. What is NULL and should
/// not be is an error of the loops when they run by themselves.
static std::vector<Handle> getHandles(op_set_core const *set,
                                      op2rt_use const *uses, int32_t count) {
  Set const *owner = findSet(set);
  if (!owner)
    return {};
  std::vector<Handle> handles{{owner, owner->serial}};
  for (op2rt_use const *use = uses; use < uses + count; ++use) {
    Map const *map = use->map ? findMap(use->map) : nullptr;
    Dat const *dat = isDat(*use) ? findDat(&datOf(*use)) : nullptr;
    if ((use->map && !map) || (isDat(*use) && !dat))
      return {};
    if (map)
      handles.push_back({map, map->serial});
    if (dat)
      handles.push_back({dat, dat->serial});
  }
  return handles;
}

namespace {
/// Compares handles with remembered ones. One that equals a remembered one
/// points to a record, so looking at its serial number is safe even if the
/// object is dead.
class Comparison {
public:
  explicit Comparison(std::vector<Handle> const &known) : known(known) {}

  template <class Record> void add(Record const *record) {
    same = same && next < known.size() && known[next].object == record &&
           known[next].serial == record->serial;
    ++next;
  }
  bool isSame() const { return same && next == known.size(); }

private:
  std::vector<Handle> const &known;
  std::size_t next = 0;
  bool same = true;
};
} // namespace

static bool matches(std::vector<Handle> const &known, op_set_core const *set,
                    op2rt_use const *uses, int32_t count) {
  Comparison comparison(known);
  comparison.add(static_cast<Set const *>(set));
  for (op2rt_use const *use = uses; use < uses + count; ++use) {
    if (use->map)
      comparison.add(static_cast<Map const *>(use->map));
    if (isDat(*use))
      comparison.add(&datOf(*use));
  }
  return comparison.isSame();
}

/// NULL if no call with these handles has been here before.
static Combination *findKnown(FusedState &state, op_set_core const *set,
                              op2rt_use const *uses, int32_t count) {
  for (std::size_t c = 0; c < state.seen.size(); ++c)
    if (matches(state.seen[c]->handles, set, uses, count)) {
      std::swap(state.seen[c], state.seen[0]);
      return state.seen[0].get();
    }
  return nullptr;
}

static void remember(FusedState &state, op_set_core const *set,
                     op2rt_use const *uses, int32_t count, bool isTuned) {
  std::vector<Handle> handles = getHandles(set, uses, count);
  if (handles.empty())
    return;
  if (state.seen.size() == kMaxCombinations)
    state.seen.pop_back();
  auto known = std::make_unique<Combination>();
  known->handles = std::move(handles);
  if (isTuned)
    learnPair(known->tuning, *set, uses, count);
  state.seen.insert(state.seen.begin(), std::move(known));
}

static Storage getStorage(op2rt_use const &use) {
  if (!use.data || use.bytes > 0)
    return {static_cast<char const *>(use.data), use.bytes, true};
  Dat const &dat = storageOf(datOf(use));
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

static bool areAllSeparate(op2rt_use const *uses, int32_t count) {
  for (int32_t n = 0; n < count; ++n) {
    if (uses[n].map && uses[n].map->dim != uses[n].arity)
      return false;
    for (int32_t m = 0; m < n; ++m)
      if (!areSeparate(uses[m], uses[n]))
        return false;
  }
  return true;
}

/// New; the program keeps it as long as it runs, and so do we.
static FusedState *makeState() {
  static auto *states = new std::vector<std::unique_ptr<FusedState>>;
  states->push_back(std::make_unique<FusedState>());
  return states->back().get();
}

extern "C" int32_t op2rt_may_fuse(void **state, op_set_core const *set,
                                  op2rt_use const *uses, int32_t count,
                                  int32_t exact) {
  Turn const turn(__func__);
  // Broken promises are reported by the loops' own names.
  if (isChecking())
    return 0;
  abandonPair();
  if (!*state)
    *state = makeState();
  auto &known = *static_cast<FusedState *>(*state);
  bool isTuned = exact && askedTuning() == Tuning::On;
  Combination *call = findKnown(known, set, uses, count);
  // The next loops to run are to be those of the pair.
  if (isTuned && !(call && call->tuning.trial.isSettled()))
    flush();
  if (!call) {
    remember(known, set, uses, count, isTuned);
    return 0;
  }
  if (!areAllSeparate(uses, count))
    return 0;
  return !isTuned || choosePair(call->tuning);
}
