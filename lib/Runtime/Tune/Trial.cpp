//===- Trial.cpp - The fastest of several ways ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include <algorithm>

using namespace op2::rt;

static Trial const *turn = nullptr;
static int64_t runs = 0; ///< of those that had the turn

bool op2::rt::takeTurn(Trial const &trial) {
  constexpr int kPatience = 16;
  if (turn && turn != &trial) {
    if (trial.askedSince != runs)
      trial.asked = 0;
    trial.askedSince = runs;
    if (++trial.asked <= kPatience)
      return false;
  }
  turn = &trial;
  ++runs;
  return true;
}

bool op2::rt::hasTurn(Trial const &trial) { return turn == &trial; }

void Trial::endTurn() {
  if (turn == this)
    turn = nullptr;
}

void Trial::book(double seconds) {
  if (settled || ++inRow == 1)
    return;
  Way &way = ways[now];
  way.least = way.least == 0 ? seconds : std::min(way.least, seconds);
  if (inRow < kInRow)
    return;
  ++way.rounds;
  if (now != 0 && way.least > kHopeless * ways[0].least)
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
  endTurn();
}

void Trial::goOn() {
  inRow = 0;
  if (isClear())
    return settle(fastest());
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
    double limit = best == 0 ? gain * ways[0].least : ways[best].least;
    if (!ways[way].dropped && ways[way].least < limit)
      best = way;
  }
  return best;
}

bool Trial::isClear() const {
  double best = 0; // of other ways
  for (Way const &way : ways) {
    if (way.dropped)
      continue;
    if (way.rounds != ways[0].rounds || way.rounds < kRounds)
      return false;
    if (&way != &ways[0])
      best = best == 0 ? way.least : std::min(best, way.least);
  }
  return best > 0 &&
         (best < kClear * ways[0].least || ways[0].least < kClear * best);
}
