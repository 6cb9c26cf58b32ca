//===- third.cpp - The third of three files ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has no loops.
//
//===----------------------------------------------------------------------===//

#include "files.h"
#include <atomic>
#include <cstdio>
#include <thread>

// Another one of this name is found first where both are dynamic symbols.
#ifdef INTERPOSED
void interposed() {
  scatter(q, p);
  scatter(q, p);
}
#endif

void callsAround(void (*called)(op_dat), op_dat dat) {
  advance(dat);
  scatter(q, p);
  called(dat);
  inlined(dat);
  wrapped(dat);
  weakStep(dat);
  advance(dat);
}

// The table ends with the function.
void throughArgument(Totals totals) {
  table = totals.values;
  throughTable();
  throughTable();
}

// A thread that has nothing to do with loops, and calls two functions of another
// file again and again while loops of the first thread are pending.
static std::thread worker;
static std::atomic<bool> isOver;
static double work() {
  double x = 1;
  while (!isOver) {
    x += hostA(x);
    x = hostB(x);
  }
  return x;
}
void startWork() {
  isOver = false;
  worker = std::thread(work);
}
double endWork() {
  isOver = true;
  worker.join();
  return 0;
}

double noLoops(double x) { return x * 2 + 1; }

void prints(const char *what) {
  advance(q);
  std::fflush(stdout);
  op_printf("%s %.17g\n", what, lookAt(q));
  advance(q);
}
