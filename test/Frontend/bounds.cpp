// Places outside of an argument's values, as far as they are known.
// RUN: not %op2cxx -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O1 -Wno-error=op2-bounds -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %op2cxx -O1 -Wno-op2-bounds -c %s -o %t.o 2>&1 | count 0
// WARN: warning: kernel 'behind' reads or writes outside of the values that parameter 'x' leads to
#include "op_seq.h"
#include <cstring>

struct Pair {
  double first, second;
};

static void behind(double *x) { x[2] = 1; }
static void before(const double *x, double *y) { y[0] = x[-1]; }
static void maybe(const int *flag, double *x) {
  if (*flag > 100)
    x[5] = 1;
}
static void rows(const double **x, double *y) { *y = x[1][3]; }
static void packed(const double (*x)[2], double *y) { *y = x[2][1] + x[3][0]; }
static void layered(const double (*x)[2], double *y) { *y = x[2][0]; }
static void wide(double *sum) { *reinterpret_cast<Pair *>(sum) = {1, 2}; }
static void inside(double *x, const double (*p)[2], const double **r, const int *n, double *sum) {
  x[0] = x[1] + p[2][1] + r[1][1] + *n;
  for (int i = 0; i < 2; ++i)
    x[i] += r[0][i];
  *sum += x[1];
}
// Loops with a number of turns that is known.
static void sixOfThree(const double *x, double *y) {
  for (int i = 0; i < 6; ++i)
    y[0] += x[i]; // six
}
static void nested(double *x) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      x[i * 3 + j] = i + j; // nested
}
static void backwards(double *x) {
  for (int i = 2; i >= -1; --i)
    x[i] = 1; // backwards
}
static void fits(double *x, const int *n) {
  int i = 0;
  while (i < 3)
    x[i++] = 1;
  for (i = 0; i < 6; ++i)
    if (i < *n)
      x[i] = 2;
  for (i = 0; i < 6; ++i) {
    if (i == 3)
      break;
    x[i] += 1;
  }
  for (i = 0; i < *n; ++i)
    x[i] += 1;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3 - a; ++b)
      x[a + b] += 1;
  for (i = 4; i < 4; ++i)
    x[i] = 0;
}
// Whole rows, and rows of a table that it has not.
static void fills(double *x) { std::memset(x, 0, 3 * sizeof(double)); }
static void copies(const double *x, double *y) {
  double both[2];
  std::memcpy(both, x + 1, sizeof both); // both
  *y = both[0];
}
static void slots(const double **x, double *y) { *y = x[2][0]; }
static void allSlots(const double **x, double *y) {
  for (int i = 0; i < 3; ++i)
    *y += x[i][0]; // all
}
static void allFits(const double **x, double *y, double *row) {
  std::memset(row, 0, 2 * sizeof(double));
  std::memcpy(row, x[1], 2 * sizeof(double));
  for (int i = 0; i < 2; ++i)
    *y += x[i][i];
}

void run(op_set set, op_map map, op_layers layers, op_dat x, op_dat y, op_dat f, double *sum) {
  // CHECK-DAG: bounds.cpp:13:{{.*}}error: kernel 'behind' reads or writes outside of the values that parameter 'x' leads to: number 3 of 2 values
  // CHECK-DAG: bounds.cpp:[[#@LINE+1]]:{{.*}}note: argument declared here; its dim says how many values an element has
  op_par_loop(behind, "behind", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_WRITE));
  // CHECK-DAG: bounds.cpp:14:{{.*}}error: kernel 'before' reads or writes outside of the values that parameter 'x' leads to: 1 before the first of 2 values
  op_par_loop(before, "before", set, op_arg_dat(x, 0, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: bounds.cpp:17:{{.*}}warning: kernel 'maybe' possibly reads or writes outside of the values that parameter 'x' leads to
  op_par_loop(maybe, "maybe", set, op_arg_dat(f, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW));
  // CHECK-DAG: bounds.cpp:19:{{.*}}error: kernel 'rows' reads or writes outside of the values that parameter 'x' leads to
  op_par_loop(rows, "rows", set, op_arg_dat(x, -2, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: bounds.cpp:20:{{.*}}error: kernel 'packed' reads or writes outside of the values that parameter 'x' leads to: number 7 of 6 values
  op_par_loop(packed, "packed", set, op_arg_dat(x, -3, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: bounds.cpp:21:{{.*}}error: kernel 'layered' reads or writes outside of the values that parameter 'x' leads to
  op_par_loop(layered, "layered", layers,
              op_arg_dat_layers(x, -2, map, 0, 2, 1, "double", OP_READ),
              op_arg_dat_layers(y, -1, OP_ID, 0, 1, 1, "double", OP_WRITE));
  // CHECK-DAG: bounds.cpp:22:{{.*}}error: kernel 'wide' reads or writes outside of the values that parameter 'sum' leads to: number 2 of 1 value [-Wop2-bounds]
  op_par_loop(wide, "wide", set, op_arg_gbl(sum, 1, "double", OP_WRITE));
  // CHECK-NOT: 'inside'
  op_par_loop(inside, "inside", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW),
              op_arg_dat(x, -3, map, 2, "double", OP_READ),
              op_arg_dat(x, -2, map, 2, "double", OP_READ), op_arg_idx(-1, OP_ID),
              op_arg_gbl(sum, 1, "double", OP_INC));
  // CHECK-DAG: error: kernel 'sixOfThree' reads or writes outside of the values that parameter 'x' leads to: number 6 of 3 values
  // CHECK-DAG: {{ y\[0\] \+= x\[i\]; // six}}
  op_par_loop(sixOfThree, "six", set, op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: error: kernel 'nested' reads or writes outside of the values that parameter 'x' leads to
  // CHECK-DAG: {{ x\[i \* 3 \+ j\] = i \+ j; // nested}}
  op_par_loop(nested, "nested", set, op_arg_dat(x, -1, OP_ID, 5, "double", OP_RW));
  // CHECK-DAG: error: kernel 'backwards' reads or writes outside of the values that parameter 'x' leads to
  // CHECK-DAG: {{ x\[i\] = 1; // backwards}}
  op_par_loop(backwards, "backwards", set, op_arg_dat(x, -1, OP_ID, 3, "double", OP_RW));
  // CHECK-NOT: 'fits'
  op_par_loop(fits, "fits", set, op_arg_dat(x, -1, OP_ID, 3, "double", OP_RW),
              op_arg_idx(-1, OP_ID));
  // CHECK-DAG: error: kernel 'fills' reads or writes outside of the values that parameter 'x' leads to
  op_par_loop(fills, "fills", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW));
  // CHECK-DAG: error: kernel 'copies' reads or writes outside of the values that parameter 'x' leads to
  // CHECK-DAG: {{ std::memcpy\(both, x \+ 1, sizeof both\); // both}}
  op_par_loop(copies, "copies", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: error: kernel 'slots' reads or writes outside of the values that parameter 'x' leads to: number 3 of 2 slots
  op_par_loop(slots, "slots", set, op_arg_dat(x, -2, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: error: kernel 'allSlots' reads or writes outside of the values that parameter 'x' leads to
  // CHECK-DAG: {{ \*y \+= x\[i\]\[0\]; // all}}
  op_par_loop(allSlots, "allSlots", set, op_arg_dat(x, -2, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-NOT: 'allFits'
  op_par_loop(allFits, "allFits", set, op_arg_dat(x, -2, map, 2, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW));
}
