// Kernels that follow pointers in variables of the program may wait, and run as
// one loop with others, unless what they read may change before they run: by
// loops that wait as well, by the program, or by its end.
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq > %t.expected
// RUN: %t.seq OP_NO_REALLOC > %t.own
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report --op2-target=openmp %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: not grep 'dbg' %t.report
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t OP_NO_REALLOC | diff %t.own -
// RUN: env OP2_CHAIN=never OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t OP_NO_REALLOC | diff %t.own -
// RUN: %op2cxx -O2 --op2-no-raise --op2-target=openmp %s -o %t.plain
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t.plain | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t.plain OP_NO_REALLOC | diff %t.own -
// RUN: %op2cxx -O0 --op2-target=openmp %s -o %t.0
// RUN: env OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=2 %t.0 | diff %t.expected -
//
// Those of the time step do wait, and run in tiles.
// RUN: env OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=2 OP2_TRACE=%t.json %t > /dev/null
// RUN: %if no-undefined-sanitizer %{ FileCheck %s --check-prefix=TRACE < %t.json %}
//
// CHECK-DAG: loop 'gather' may be delayed
// CHECK-DAG: loop 'apply' may be delayed
// CHECK-DAG: loop 'combine' may be delayed
// CHECK-DAG: loop 'apply' fused with 'combine'
// CHECK-DAG: loop 'add one' not fused with 'by two pointers' (by-pointer.cpp:{{[0-9]+}}): [F1] kernel 'byTwo' reads through a pointer of the program
// CHECK-DAG: loop 'add packed' may be delayed
// CHECK-DAG: loop 'add nowhere' is not delayed: its kernel reads through a pointer that is in no variable
// CHECK-DAG: loop 'by two pointers' is not delayed: its kernel reads through a pointer that is in no variable
// TRACE: gather, apply+combine, gather, {{.*}}"cat":"chain in tiles"
#include "op_seq.h"
#include <cstdio>
#include <cstdlib>

constexpr int kSize = 1000;
static double values[kSize], sums[kSize];
static double buffer[40];
double *table, *ending;
static struct {
  int n;
  double *weights;
} settings;
double **tables;
double *const fixed = buffer + 8;
// No aligned pointer, and a variable that is not there.
static struct __attribute__((packed)) {
  char c;
  double *weights;
} packed;
extern double *nowhere __attribute__((weak));
bool isSomewhere;

inline void gather(const double *a, const double *b, double *s) {
  for (int i = 0; i < 3; ++i)
    *s += table[i] * *a - settings.weights[i] * *b;
}
inline void apply(const double *s, double *v) {
  double sum = 0;
  for (int i = 0; i < settings.n; ++i)
    sum += table[i] * *s + settings.weights[i];
  *v = *v * 0.5 + sum;
}
inline void combine(double *v, double *s) {
  *v += 1e-4 * table[4] * *s;
  *s *= 0.25;
}
inline void reset(const int *n, double *v, double *s) {
  *v = *n % 13;
  *s = *n % 5;
}
inline void addOne(double *v) { *v += 1; }
inline void addNext(const int *n, double *s) { *s += table[(*n + 1) % kSize]; }
inline void addLast(const int *n, double *s) { *s += ending[-1 - *n]; }
inline void addFixed(const int *n, double *s) { *s += fixed[*n % 8]; }
inline void sumUp(const double *s, double *t) { *t += *s; }
inline void least(const double *s, double *t) {
  if (*s < *t)
    *t = *s;
}
inline void addPacked(const int *n, double *s) { *s += packed.weights[*n % 4]; }
inline void addNowhere(const int *n, double *s) { *s += isSomewhere ? nowhere[*n % 4] : 1; }
inline void byTwo(const int *n, double *s) { *s += tables[*n % 2][*n % 3]; }

op_set set;
op_map next;
op_dat v, s;

static void print(char const *what) {
  static double data[kSize];
  for (op_dat dat : {v, s}) {
    op_fetch_data(dat, data);
    double sum = 0;
    for (int n = 0; n < kSize; ++n)
      sum += data[n] * (n % 17);
    std::printf("%s %s %.17g %.17g\n", what, dat->name, sum, data[kSize - 1]);
  }
}

#define STEP                                                                   \
  op_par_loop(gather, "gather", set,                                           \
              op_arg_dat(v, 0, next, 1, "double", OP_READ),                    \
              op_arg_dat(v, 1, next, 1, "double", OP_READ),                    \
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));                  \
  op_par_loop(apply, "apply", set,                                             \
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),                  \
              op_arg_dat(v, -1, OP_ID, 1, "double", OP_RW));                   \
  op_par_loop(combine, "combine", set,                                         \
              op_arg_dat(v, -1, OP_ID, 1, "double", OP_RW),                    \
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_RW));
#define RESET                                                                  \
  op_par_loop(reset, "reset", set, op_arg_idx(-1, OP_ID),                      \
              op_arg_dat(v, -1, OP_ID, 1, "double", OP_WRITE),                 \
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_WRITE));
#define ADD_ONE(dat)                                                           \
  op_par_loop(addOne, "add one", set,                                          \
              op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
#define BY_INDEX(kernel, name)                                                 \
  op_par_loop(kernel, name, set, op_arg_idx(-1, OP_ID),                        \
              op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));

static void timeSteps() {
  for (int step = 0; step < 20; ++step) {
    STEP
  }
  print("steps");
}

// The pointer changes, then the table.
static void changes() {
  for (int step = 0; step < 9; ++step) {
    STEP
    table = buffer + step % 3;
    STEP
    buffer[5] += 0.125;
    STEP
    settings.weights = &buffer[step];
    settings.n = 1 + step % 3;
  }
  print("changes");
}

// A table that ends before its loop has run: with the function, ...
__attribute__((noinline)) static void localTable(int step) {
  double local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = 0.01 * (step + i);
  table = local;
  STEP
}
// ... with a copy for the callee, ...
struct Copied {
  double values[8];
};
__attribute__((noinline)) static void copiedTable(Copied copied) {
  table = copied.values;
  STEP
}
// ... with its scope, or with free.
static void ends() {
  Copied copied;
  for (int step = 0; step < 9; ++step) {
    RESET
    localTable(step);
    for (double &value : copied.values)
      value = step * 0.001;
    copiedTable(copied);
    table = buffer;
    {
      double scoped[8] = {1, 0.5, 0.25, double(step)};
      table = scoped;
      STEP
    }
    {
      double scoped[8] = {0, 1, 2, 3, double(step)};
      table = scoped;
      STEP
    }
    auto *heap = static_cast<double *>(std::calloc(8, sizeof(double)));
    table = heap;
    heap[1] = step;
    STEP
    heap[1] = -1;
    std::free(heap);
    table = buffer;
  }
  print("ends");
}

// Storage of a dat, from its beginning and from its end.
static void storage() {
  RESET
  for (int step = 0; step < 9; ++step) {
    table = reinterpret_cast<double *>(v->data);
    ending = table + kSize;
    ADD_ONE(v)
    BY_INDEX(addNext, "add next")
    ADD_ONE(v)
    BY_INDEX(addLast, "add last")
    ADD_ONE(v)
    table = buffer;
  }
  print("storage");
}

// Results in what the table is a part of.
static void results() {
  for (int step = 0; step < 9; ++step) {
    RESET
    table = buffer;
    buffer[4] = 0;
    op_par_loop(sumUp, "sum up", set,
                op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(buffer + 4, 1, "double", OP_INC));
    STEP
    op_par_loop(least, "least", set,
                op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(buffer + 4, 1, "double", OP_MIN));
    BY_INDEX(addFixed, "add fixed")
    buffer[4] = 1e-3;
    STEP
    op_par_loop(sumUp, "sum up", set,
                op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(buffer + 2, 1, "double", OP_INC));
    buffer[2] *= 1e-6;
    ADD_ONE(s)
  }
  print("results");
}

static void twoPointers() {
  double *two[2] = {buffer, buffer + 7};
  tables = two;
  packed.weights = buffer + 2;
  for (int step = 0; step < 9; ++step) {
    ADD_ONE(s)
    BY_INDEX(byTwo, "by two pointers")
    ADD_ONE(s)
    BY_INDEX(addPacked, "add packed")
    BY_INDEX(addNowhere, "add nowhere")
    two[step % 2] = &buffer[step];
  }
  print("two pointers");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  static int places[2 * kSize];
  for (int n = 0; n < kSize; ++n) {
    values[n] = n % 13, sums[n] = n % 5;
    places[2 * n] = (n + 1) % kSize, places[2 * n + 1] = n;
  }
  for (int i = 0; i < 40; ++i)
    buffer[i] = 0.02 * (i % 7);
  set = op_decl_set(kSize, "set");
  next = op_decl_map(set, set, 2, places, "next");
  v = op_decl_dat(set, 1, "double", values, "v");
  s = op_decl_dat(set, 1, "double", sums, "s");
  table = buffer;
  settings = {2, buffer + 3};
  timeSteps();
  changes();
  ends();
  storage();
  results();
  twoPointers();
  op_exit();
}
