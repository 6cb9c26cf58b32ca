// Constants that change after their declaration: the new value counts, declared
// again or not, whatever the type, in helpers and in loops of another function.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator %t > %t.out && diff %t.dev.out %t.out
//
// CHECK: first 1 2 3 4 5 6 7 1 sum 12800
// CHECK-NEXT: changed 2 4 6 8 10 12 14 0 sum 5600
// CHECK-NEXT: declared again 3 6 9 12 15 18 21 1 sum 18400
// CHECK-NEXT: from another function 45200
// CHECK-NEXT: pointer 46800

#include "op_seq.h"

#include <cstdio>
#include <vector>

double scalar;
float table[2];
int whole;
unsigned natural;
long long large;
static unsigned long long hidden;
bool flag;
struct Settings {
  double value;
} settings;

static double helper(double x) { return x * scalar + table[0]; }
static double deeper(double x) { return helper(x) + table[1]; }

static void use(const double *x, double *y) {
  *y = deeper(*x) + whole + natural + double(large) + double(hidden) +
       (flag ? 100 : 0);
}
static void useSettings(const double *x, double *y) {
  *y = *x * settings.value + scalar;
}

static const int n = 100;

static double total(op_set set, op_dat x, op_dat y) {
  op_par_loop(use, "use", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> values(n);
  op_fetch_data(y, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum;
}

static double other(op_set set, op_dat x, op_dat y) {
  settings.value = 450;
  scalar = 2;
  op_par_loop(useSettings, "useSettings", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> values(n);
  op_fetch_data(y, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum;
}

static void set(int factor) {
  scalar = factor;
  table[0] = float(2 * factor);
  table[1] = float(3 * factor);
  whole = 4 * factor;
  natural = unsigned(5 * factor);
  large = 6 * factor;
  hidden = unsigned(7 * factor);
  flag = factor % 2 == 1;
}

static void declare() {
  op_decl_const(1, "double", &scalar);
  op_decl_const(2, "float", table);
  op_decl_const(1, "int", &whole);
  op_decl_const(1, "uint", &natural);
  op_decl_const(1, "ll", &large);
  op_decl_const(1, "ull", &hidden);
  op_decl_const(1, "bool", &flag);
}

static void report(const char *what, double sum) {
  std::printf("%s %g %g %g %d %u %lld %llu %d sum %g\n", what, scalar,
              double(table[0]), double(table[1]), whole, natural, large, hidden,
              flag, sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<double> ones(n, 1.0);
  op_set cells = op_decl_set(n, "cells");
  op_dat x = op_decl_dat(cells, 1, "double", ones.data(), "x"),
         y = op_decl_dat(cells, 1, "double", (double *)NULL, "y");
  set(1);
  declare();
  report("first", total(cells, x, y));
  set(2);
  report("changed", total(cells, x, y));
  set(3);
  declare();
  report("declared again", total(cells, x, y));
  std::printf("from another function %g\n", other(cells, x, y));
  double *alias = &settings.value;
  *alias += 16;
  scalar = 2;
  op_par_loop(useSettings, "again", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_fetch_data(y, ones.data());
  std::printf("pointer %g\n", ones[0] * n);
  op_exit();
}
