//===- second.cpp - The second of three files -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "files.h"
#include <stdexcept>

double offset = 1, everybodysTotal;
const double *table;
#include "../chain-loops.h"

static void bump(double *q) {
  q[0] += 1;
  bound(q);
}
static void mark(const int *value, int *flag) { flag[0] = flag[0] % 1000 + *value; }
static void countMarks(const int *flag, int *count) { *count += flag[0] % 3; }
static void look(double *q) {
  q[0] += table[int(q[0]) % 3];
  bound(q);
}

void advance(op_dat dat) { BUMP(dat); }
void scatter(op_dat from, op_dat to) { ADD(from, to); }

// Of another type: no other file may find it pending.
void flag(int value) {
  op_par_loop(mark, "mark", cells, op_arg_gbl(&value, 1, "int", OP_READ),
              op_arg_dat(flags, -1, OP_ID, 1, "int", OP_RW));
}
int readsFlag(const int *values) {
  int seen = values[5];
  advance(q);
  return seen;
}
int countFlags() {
  int count = 0;
  advance(p);
  op_par_loop(countMarks, "count", cells, op_arg_dat(flags, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  return count;
}

// Results.
double total() {
  double result = 0;
  SUM(&result);
  advance(q);
  return result;
}
void forNothing(double start) {
  scatter(p, q);
  advance(q);
  SUM(&start);
}
void totalTo(double &result) {
  SUM(&result);
  advance(q);
}
double &keptTotal() {
  static double kept = 0;
  SUM(&kept);
  advance(p);
  return kept;
}
void totalForAll() {
  everybodysTotal = 1;
  SUM(&everybodysTotal);
  advance(q);
}

// What is pending is looked at, or written over, where the function begins and
// where it ends.
double lookAt(op_dat dat) { return valuesOf(dat)[5]; }
double looksAfter(op_dat dat) {
  scatter(q, p);
  advance(dat);
  return valuesOf(dat)[7];
}
double readsFirst(const double &value) {
  double seen = value;
  advance(q);
  return seen;
}
void writesFirst(double &value) {
  value = 7;
  advance(q);
}
double addsStorage(const double *values, int count) {
  double seen = 0;
  for (int i = 0; i < count; ++i)
    seen += values[i] * (i % 5);
  advance(p);
  return seen;
}
void setsStorage(double *values, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = i % 3;
  advance(q);
}

// What kernels read by name, and what pointers lead to.
void shiftAll() {
  op_par_loop(shift, "shift", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
void setOffset(double value) {
  offset = value;
  advance(p);
}
void totalToOffset() {
  offset = 0;
  SUM(&offset);
  offset = int(offset) % 7;
}
void throughTable() {
  op_par_loop(look, "look", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
void throughOwnTable() {
  double own[3] = {5, 6, 7};
  const double *saved = table;
  table = own;
  throughTable();
  table = saved;
}

double takes(Totals totals) {
  double before = totals.values[1];
  advance(totals.dat);
  SUM(&totals.values[1]);
  advance(totals.dat);
  return before + totals.values[1];
}
Totals makes(op_dat dat) {
  Totals totals = {{1, 2, 3, 4, 5}, dat};
  SUM(&totals.values[1]);
  advance(dat);
  return totals;
}

void fails(int when) {
  advance(q);
  scatter(q, p);
  if (when % 3 == 2)
    throw std::runtime_error("between");
  advance(p);
}

// Both files in turn.
double down(int depth) {
  double mine = depth;
  advance(q);
  SUM(&mine);
  double result = up(depth);
  scatter(q, p);
  return result + mine;
}

double timed() {
  double cpu, start, end;
  op_timers(&cpu, &start);
  advance(q);
  scatter(q, p);
  op_timers(&cpu, &end);
  return end >= start;
}
double queries() {
  double seen = 0;
  for (int i = 0; i < 3; ++i) {
    seen += op_get_size(cells);
    if (op_is_root())
      op_printf("queries\n");
    advance(q);
  }
  return seen;
}

// Called by another thread, and by kernels.
double hostA(double x) { return x / 2 + 1; }
double hostB(double x) { return int(x) % 5; }

extern "C" void wrapped(op_dat dat) { advance(dat); }
[[gnu::weak]] void weakStep(op_dat dat) { scatter(dat, dat == p ? q : p); }
double Base::run(double &seen) {
  advance(q);
  SUM(&seen);
  return 1;
}
double Base::always(double start) {
  scatter(q, p);
  SUM(&start);
  return 2;
}
