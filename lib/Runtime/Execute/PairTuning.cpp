//===- PairTuning.cpp - Two loops: fused, or one after the other *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairTuning.h"
#include "Core/MapShape.h"
#include "Loop.h"
#include "Tune/Tuner.h"

#include <cstdio>

using namespace op2::rt;

namespace {
/// The loops that are waited for.
struct Expected {
  PairTuning *pair = nullptr;
  int loops = 0;
  bool isLearning = false;
  double seconds = 0;
};
} // namespace

static Expected expected;

static void expect(Expected const &loops) {
  expected = loops;
  setPending(kPair, loops.pair != nullptr);
}

void op2::rt::abandonPair() {
  if (expected.pair)
    expected.pair->trial.settle(0);
  expect({});
}

void op2::rt::learnPair(PairTuning &pair, op_set_core const &set,
                        op2rt_use const *uses, int32_t count) {
  std::vector<op_map_core const *> maps;
  for (int32_t n = 0; n < count; ++n)
    maps.push_back(uses[n].map);
  pair.key.first().setSize = set.size;
  if (keepsChoices())
    pair.key.first().maps = describeMaps(maps);
  expect({&pair, 2, /*isLearning=*/true, 0});
}

bool op2::rt::choosePair(PairTuning &pair) {
  if (pair.trial.isSettled())
    return pair.isFused();
  if (!takeTurn(pair.trial))
    return true;
  expect({&pair, pair.isFused() ? 1 : 2, /*isLearning=*/false, 0});
  return pair.isFused();
}

/// A loop that has run by itself is the first or the second one of its pair.
static void addName(PairTuning &pair, op2rt_loop const &loop, bool isLast) {
  LoopKey &both = pair.key.first();
  both.name += (both.name.empty() ? "" : "+") + loop.state->name;
  both.location = loop.state->location;
  if (!isLast || !keepsChoices())
    return;
  if (TuneRecord const *record = findChoice(pair.key))
    pair.trial.settle(record->fused ? 0 : 1);
}

static void report(PairTuning &pair) {
  if (OP_diags < 2)
    return;
  LoopKey const &both = pair.key.first();
  op_printf("op2: tuned loops %s (%lld elements): %s; fused: %.1f us, apart: "
            "%.1f us\n",
            both.name.c_str(), static_cast<long long>(both.setSize),
            pair.isFused() ? "fused" : "apart",
            pair.trial.leastSeconds(0) * 1e6, pair.trial.leastSeconds(1) * 1e6);
}

void op2::rt::bookPair(op2rt_loop const &loop, double seconds) {
  if (!expected.pair)
    return;
  PairTuning &pair = *expected.pair;
  expected.seconds += seconds;
  bool isLast = --expected.loops == 0;
  if (expected.isLearning)
    addName(pair, loop, isLast);
  if (!isLast)
    return;
  Expected done = expected;
  expect({});
  if (done.isLearning)
    return;
  pair.trial.book(done.seconds);
  if (!pair.trial.isSettled())
    return;
  report(pair);
  if (keepsChoices())
    noteChoice({pair.key, {}, pair.isFused()});
}
