//===- Trial.cpp - The fastest of several ways ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include <algorithm>

using namespace op2::rt;

// Questions of others after which a turn is over.
static constexpr int kPatience = 200;

static Trial const *turn = nullptr;
static int questions = 0;

bool op2::rt::takeTurn(Trial const &trial) {
  if (!turn || ++questions > kPatience)
    turn = &trial;
  if (turn == &trial)
    questions = 0;
  return turn == &trial;
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
