//===- files.h - A program of three files -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ../../other-files.cpp, second.cpp and third.cpp know of each other.
//
//===----------------------------------------------------------------------===//

#ifndef FILES_H
#define FILES_H

#include "op_seq.h"
#include <vector>

extern op_set cells;
extern op_map ends;
extern op_dat q, p, flags;
extern double offset, everybodysTotal;
extern const double *table;

struct Totals {
  double values[5];
  op_dat dat;
};

// In second.cpp.
void advance(op_dat dat);
void scatter(op_dat from, op_dat to);
void flag(int value);
double total();
void forNothing(double start);
void totalTo(double &result);
double &keptTotal();
double lookAt(op_dat dat);
double looksAfter(op_dat dat);
double readsFirst(const double &value);
void writesFirst(double &value);
double addsStorage(const double *values, int count);
void setsStorage(double *values, int count);
int readsFlag(const int *values);
int countFlags();
void shiftAll();
void setOffset(double value);
void totalToOffset();
void totalForAll();
void throughTable();
void throughOwnTable();
double takes(Totals totals);
Totals makes(op_dat dat);
void fails(int when);
double down(int depth);
double timed();
double queries();
extern "C" void wrapped(op_dat dat);
void weakStep(op_dat dat);
double hostA(double x);
double hostB(double x);
struct Base {
  virtual ~Base() = default;
  virtual double run(double &seen);
  double always(double start);
};
inline void inlined(op_dat dat) { advance(dat); }
template <class Function> void twice(Function function) {
  function();
  function();
}

// In third.cpp.
void interposed();
void callsAround(void (*called)(op_dat), op_dat dat);
void throughArgument(Totals totals);
double noLoops(double x);
void startWork();
double endWork();
void prints(const char *what);

// In other-files.cpp.
double up(int depth);

/// Values stay small, and whole.
inline void bound(double *q) {
  if (q[0] > 1e6)
    q[0] -= 1e6 * int(q[0] / 1e6);
}

#endif // FILES_H
