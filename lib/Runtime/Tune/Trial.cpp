//===- Trial.cpp - The fastest of several ways ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include <algorithm>

using namespace op2::rt;

void Trial::book(double seconds) {
  if (settled)
    return;
  if (!isWarm) {
    isWarm = true;
    return;
  }
  Way &way = ways[now];
  way.least = way.runs == 0 ? seconds : std::min(way.least, seconds);
  ++way.runs;
  if (now != 0 && way.runs >= kRuns / 2 &&
      way.least > kHopeless * ways[0].least)
    way.dropped = true;
  goOn();
}

void Trial::drop(int way) {
  if (settled || way == 0)
    return;
  ways[way].dropped = true;
  if (way == now)
    goOn();
  else if (std::none_of(ways.begin() + 1, ways.end(),
                        [](Way const &other) { return !other.dropped; }))
    settle(0);
}

void Trial::settle(int way) {
  now = way;
  settled = true;
}

void Trial::goOn() {
  for (int step = 1; step <= numWays(); ++step) {
    int next = (now + step) % numWays();
    if (isWaiting(next)) {
      now = next;
      return;
    }
  }
  settle(fastest());
}

int Trial::fastest() const {
  int best = 0;
  for (int way = 1; way < numWays(); ++way) {
    double limit = best == 0 ? kGain * ways[0].least : ways[best].least;
    if (!ways[way].dropped && ways[way].least < limit)
      best = way;
  }
  return best;
}
