// Variables that all elements share, handed to functions whose code is not here.
// RUN: %op2cxx -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 --op2-target=seq -c %s -o %t.o 2>&1 | FileCheck %s --allow-empty --check-prefix=SEQ
// SEQ-NOT: warning
#include "op_seq.h"

#include <cstdio>
#include <iostream>
#include <mutex>

struct Finder {
  int find(int) const;
  int add(int);
};
double scratch[9], table[9], rows[4][3], *buffer;
std::mutex lock;
static int seed;
Finder finder;
extern "C" void solve(double *, double *, int);
extern "C" void cblas_dcopy(int, const double *, int, double *, int);
extern "C" void count(const double *, int, ...);
void look(const double *, double *);
void walk(const double (&)[9], const double (*)[3], double *);
struct Pair {
  double a, b;
};
struct Empty {};
void take(const double *, Pair);
void take(Empty, const double *);
std::FILE *logFile;
const char *title;
namespace library {
void lookAt(double &, const double *const &);
}

static void writes(double *x) {
  // CHECK: shared-passed.cpp:[[#@LINE+1]]:3: warning: kernel 'writes' passes the variable 'scratch', which all elements share, and they run at the same time, to 'solve', whose code is not here and may write it [-Wop2-shared]
  solve(scratch, x, 3);
  // CHECK: shared-passed.cpp:[[#@LINE+1]]:3: warning: kernel 'writes' passes the memory that the variable 'buffer' leads to, which all elements share, and they run at the same time, to 'solve'
  solve(buffer, x, 3);
}
// CHECK: note: in this loop; declare the function's parameter const if it only reads it, or pass the variable to the loop by op_arg_gbl
static void reads(double *x) {
  look(table, x);
  library::lookAt(*x, table);
  count(table, 1, table);
  walk(table, rows, x);
  take(table, Pair{*x, *x});
  take(Empty(), table);
  std::fprintf(logFile, "%s\n", title);
  op_printf("%s\n", title);
  cblas_dcopy(1, table, 1, x, 1);
  *x += finder.find(2);
  std::lock_guard<std::mutex> guard(lock);
  std::printf("%d\n", seed);
  std::fprintf(stderr, "%s %d %d\n", "some", 1, seed);
  std::cout << *x;
}
// CHECK-NOT: 'reads'
static void changes(double *x) {
  // CHECK: shared-passed.cpp:[[#@LINE+1]]:16: warning: kernel 'changes' passes the variable 'finder', which all elements share, and they run at the same time, to 'Finder::add'
  *x += finder.add(2);
  // CHECK: shared-passed.cpp:[[#@LINE+1]]:3: warning: kernel 'changes' passes the variable 'table', which all elements share, and they run at the same time, to 'cblas_dcopy'
  cblas_dcopy(1, x, 1, table, 1);
}

void run(op_set set, op_dat x) {
#define LOOP(kernel)                                                           \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW))
  LOOP(writes);
  LOOP(reads);
  LOOP(changes);
}
