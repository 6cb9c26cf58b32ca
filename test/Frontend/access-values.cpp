// What becomes of the old value of a sum, a minimum or a maximum, and of a
// global that is written.
//
// RUN: not %op2cxx %unoptimized -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx %unoptimized -O1 -fsanitize=undefined -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: not %op2cxx %unoptimized -O1 -ffp-model=strict -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FINE
// FINE-NOT: fine
// FINE: error: kernel 'doubles'
// FINE-NOT: fine
#include "op_seq.h"
#include <algorithm>
#include <cmath>

// CHECK-NOT: fine
// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'doubles' uses the value of parameter 'y', which this loop declares OP_INC, otherwise than to add to it
static void doubles(const double *x, double *y) {
  *y += *x;
  *y += *y;
}
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'cuts' uses the value of parameter 'y'
static void cuts(const double *x, double *y) { *y = int(*y + *x); }
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'rounds' uses the value of parameter 'y'
static void rounds(const double *x, double *y) { *y = float(*y) + *x; }
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'adds' keeps in parameter 'm' something else than the smaller value (OP_MIN) or the larger one (OP_MAX), as this loop declares [-Wop2-min-max]
static void adds(const double *x, double *m) { *m += *x; }
// CHECK: note: access declared here: targets that run elements at the same time keep the smaller (larger) of their values
// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'larger' keeps in parameter 'm' something else
static void larger(const double *x, double *m) {
  if (*x > *m)
    *m = *x;
}
// CHECK: error: kernel 'larger' keeps in parameter 'm' something else
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'largest' keeps in parameter 'm' something else
static void largest(const double *x, double *m) { *m = std::max(*m, *x); }
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'others' assigns to parameter 'm', which this loop declares OP_MIN or OP_MAX, without comparing with what is there
static void others(const double *x, double *m) { *m = std::max(x[0], x[1]); }
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'counts' reads parameter 'm', which this loop declares OP_WRITE, before it has written there
static void counts(const double *x, double *m) { *m += *x; }

// Nothing to say of these.
// CHECK-NOT: {{error|warning}}:
static void fineCount(const double *x, int *n) { *n += 0.5 * *x; }
static void fineFloat(const double *x, float *y) { *y += *x; }
static void fineLong(const double *x, long long *n) { *n += int(*x); }
static void fineByte(const double *x, signed char *n) { *n += int(*x); }
static void fineTwice(const double *x, double *y) {
  *y += *x;
  *y -= x[1];
}
static void fineRows(const double *x, double **y) {
  y[0][0] += *x;
  y[1][0] += *x + x[1];
}
static void fineLeast(const double *x, double *m) {
  if (!(*x >= *m))
    *m = *x;
}
static void fineLeastOf(const double *x, double *m) {
  *m = std::min(*m, x[0] < x[1] ? x[0] : x[1]);
}
static void fineClamped(const double *x, double *m) {
  *m = std::min(*m, *x);
  if (*m < -1)
    *m = -1;
}
static void fineByBits(const int *x, int *m) {
  *m = *m ^ ((*x ^ *m) & -(*x < *m));
}
static void fineFlags(const int *x, int *m) { *m |= *x > 0; }
static void fineAll(const int *x, int *m) { *m *= *x > 0; }
static void fineHalf(const double *x, double *m) {
  *m = 0.5 * (*m + *x + std::fabs(*m - *x));
}
static void fineNegated(const double *x, double *m) {
  *m = -std::max(-*m, *x);
}
static void fineFound(const double *x, double *m) {
  if (*x > 1)
    *m = *x;
}
// A copy of the kernel's own.
static void finePacked(double (*x)[2], double *y) {
  x[0][0] += x[1][1];
  *y = x[0][0];
}

void run(op_set set, op_map map, op_dat d, op_dat e, op_dat i, op_dat f) {
  double sum = 0, least = 0;
  int count = 0;
  float single = 0;
  long long many = 0;
  signed char few = 0;
#define LOOP(kernel, ...)                                                      \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ), __VA_ARGS__)
#define INTS(kernel, access)                                                   \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),                     \
              op_arg_gbl(&count, 1, "int", access))
  LOOP(doubles, op_arg_dat(e, 0, map, 1, "double", OP_INC));
  LOOP(cuts, op_arg_gbl(&sum, 1, "double", OP_INC));
  LOOP(rounds, op_arg_dat(e, 0, map, 1, "double", OP_INC));
  LOOP(adds, op_arg_gbl(&sum, 1, "double", OP_MAX));
  LOOP(larger, op_arg_gbl(&sum, 1, "double", OP_MIN));
  LOOP(larger, op_arg_dat(e, 0, map, 1, "double", OP_MIN));
  LOOP(largest, op_arg_gbl(&sum, 1, "double", OP_MIN));
  LOOP(others, op_arg_gbl(&sum, 1, "double", OP_MAX));
  LOOP(counts, op_arg_gbl(&sum, 1, "double", OP_WRITE));

  LOOP(fineCount, op_arg_gbl(&count, 1, "int", OP_INC));
  LOOP(fineFloat, op_arg_gbl(&single, 1, "float", OP_INC));
  LOOP(fineLong, op_arg_gbl(&many, 1, "ll", OP_INC));
  LOOP(fineByte, op_arg_gbl(&few, 1, "char", OP_INC));
  LOOP(fineTwice, op_arg_dat(e, 0, map, 1, "double", OP_INC));
  LOOP(fineRows, op_arg_dat(e, -2, map, 1, "double", OP_INC));
  LOOP(fineLeast, op_arg_gbl(&least, 1, "double", OP_MIN));
  LOOP(fineLeastOf, op_arg_gbl(&least, 1, "double", OP_MIN));
  LOOP(fineClamped, op_arg_gbl(&least, 1, "double", OP_MIN));
  INTS(fineByBits, OP_MIN);
  INTS(fineFlags, OP_MAX);
  INTS(fineAll, OP_MIN);
  LOOP(fineHalf, op_arg_gbl(&least, 1, "double", OP_MAX));
  LOOP(fineNegated, op_arg_gbl(&least, 1, "double", OP_MIN));
  op_par_loop(finePacked, "finePacked", set,
              op_arg_dat(e, -2, map, 2, "double", OP_READ),
              op_arg_dat(f, -1, OP_ID, 1, "double", OP_WRITE));
}
// What may be is a warning.
// RUN: %op2cxx %unoptimized -O2 -DMAYBE -Wno-error=op2 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MAYBE
#ifdef MAYBE
// MAYBE: warning: kernel 'fineFound' possibly assigns to parameter 'm'
void find(op_set set, op_dat d, double *largest) {
  LOOP(fineFound, op_arg_gbl(largest, 1, "double", OP_MAX));
}
#endif
