// Statics of functions, which the first element sets while others wait, and
// which kernels write after that; functions with a state of their own.
// RUN: %op2cxx -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 --op2-target=seq -c %s -o %t.o 2>&1 | FileCheck %s --allow-empty --check-prefix=SEQ
// SEQ-NOT: warning
#include "op_seq.h"

#include <cstdlib>
#include <random>
#include <vector>

double first();
struct Stats {
  double sum;
  Stats() : sum(first()) {}
};
struct Far {
  double sum;
  Far();
  double get() const;
};
static Stats &stats() {
  static Stats the;
  return the;
}

static void singleton(double *x) {
  // CHECK: shared-statics.cpp:[[#@LINE+1]]:15: warning: kernel 'singleton' writes the variable 'stats()::the', which all elements share, and they run at the same time [-Wop2-shared]
  stats().sum += *x;
}
static void counter(double *x) {
  static double calls = first();
  // CHECK: shared-statics.cpp:[[#@LINE+1]]:9: warning: kernel 'counter' writes the variable 'counter(double*)::calls'
  calls += 1;
  *x = calls;
}
static void far(double *x) {
  static Far all;
  // CHECK: shared-statics.cpp:[[#@LINE+1]]:11: warning: kernel 'far' writes the variable 'far(double*)::all'
  all.sum += *x;
}
static void engine(double *x) {
  static std::mt19937 next(1);
  // CHECK: warning: kernel 'engine' writes the variable 'engine(double*)::next'
  *x += double(next() % 7);
}
static void generator(double *x) {
  // CHECK: shared-statics.cpp:[[#@LINE+1]]:9: warning: kernel 'generator' calls 'rand', whose state all elements share, and they run at the same time [-Wop2-shared]
  *x += std::rand() % 7;
}
// CHECK: note: in this loop; give each element a state of its own, in a dat

// What is only set once, and read.
static void table(double *x) {
  static const std::vector<double> values(9, first());
  static const Far all;
  static Stats some;
  static double factor = first();
  *x += values[3] * factor + some.sum + all.get();
}
// CHECK-NOT: 'table'

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set cells = op_decl_set(10, "cells");
  std::vector<double> values(10);
  op_dat x = op_decl_dat(cells, 1, "double", values.data(), "x");
  op_par_loop(singleton, "singleton", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  op_par_loop(counter, "counter", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(far, "far", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(engine, "engine", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(generator, "generator", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(table, "table", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_exit();
}
