// Memory that all elements share, behind pointers and in containers; what
// threads have of their own, and what locks guard.
// RUN: %op2cxx -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "op_seq.h"

#include <map>
#include <mutex>
#include <vector>

extern "C" int omp_get_thread_num(void);

static std::vector<int> bins(10);
static std::vector<std::vector<double>> grid;
static std::map<int, double> sums;
struct Counts {
  int *places;
};
static Counts *counts;
struct Object {
  double value;
};
static Object *objects[1000];

static void container(const double *x) {
  // CHECK: shared-pointers.cpp:[[#@LINE+1]]:17: warning: kernel 'container' writes the memory that the variable 'bins' leads to, which all elements share, and they run at the same time [-Wop2-shared]
  bins[int(*x)] += 1;
}
static void nested(const double *x) {
  // CHECK: shared-pointers.cpp:[[#@LINE+1]]:20: warning: kernel 'nested' writes the memory that the variable 'grid' leads to
  grid[int(*x)][1] += 1;
}
static void tree(const double *x) {
  // CHECK: warning: kernel 'tree' writes the variable 'sums'
  sums[int(*x)] += 1;
}
static void member(const double *x) {
  // CHECK: shared-pointers.cpp:[[#@LINE+1]]:27: warning: kernel 'member' writes the memory that the variable 'counts' leads to
  counts->places[int(*x)] += 1;
}
static void table(const double *x) {
  // CHECK: shared-pointers.cpp:[[#@LINE+1]]:27: warning: kernel 'table' writes the memory that the variable 'objects' leads to, {{.*}} [-Wop2-shared]
  objects[int(*x)]->value += 1;
}

static std::vector<double> scratch;
static double work[64];
static std::mutex guard;
static double locked;

// CHECK-NOT: -Wop2-shared
static void perThread(const double *x) {
  scratch[omp_get_thread_num()] += *x;
  work[omp_get_thread_num()] += *x;
}
static void behindLock(const double *x) {
  std::lock_guard<std::mutex> lock(guard);
  locked += *x;
  bins[int(*x)] += 1;
}
static void local(double *x) {
  static const std::vector<double> values{1, 2, 3};
  std::vector<double> own(10);
  own[int(*x)] = 1;
  std::map<int, double> ownSums;
  ownSums[int(*x)] = 2;
  *x = ownSums[3] + own[2] + values[int(*x)];
}

void run(op_set set, op_dat x) {
#define LOOP(kernel, access)                                                   \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(x, -1, OP_ID, 1, "double", access))
  LOOP(container, OP_READ);
  LOOP(nested, OP_READ);
  LOOP(tree, OP_READ);
  LOOP(member, OP_READ);
  LOOP(table, OP_READ);
  LOOP(perThread, OP_READ);
  LOOP(behindLock, OP_READ);
  LOOP(local, OP_RW);
}
