//===- third.cpp - The third of three files ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has no loops.
//
//===----------------------------------------------------------------------===//

#include "files.h"
#include <cstdio>

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

double noLoops(double x) { return x * 2 + 1; }

void prints(const char *what) {
  advance(q);
  std::fflush(stdout);
  op_printf("%s %.17g\n", what, lookAt(q));
  advance(q);
}
