// What kernels do to their arguments against what the loops declare, seen
// through helpers and local pointers.
//
// RUN: not %op2cxx %unoptimized -O2 -c %s -I%S/Inputs -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -O0 -g -c %s -I%S/Inputs -o %t.o 2>&1 | FileCheck %s
//
// What sanitizers put into the code is not the kernel's doing.
// RUN: not %op2cxx -O1 -fsanitize=undefined -c %s -I%S/Inputs -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SANITIZED
// Nor are sums others that may trap, or are rounded otherwise.
// RUN: not %op2cxx %unoptimized -O1 -ffp-model=strict -c %s -I%S/Inputs -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=SANITIZED,STRICT-FP
// SANITIZED-NOT: kernel '{{fine|loop|pointer|counts|direct}}
// STRICT-FP: error: kernel 'usesSum' uses the value of parameter 'y'
// SANITIZED: kernel 'assigns' assigns to parameter 'y'
// SANITIZED-NOT: kernel '{{fine|loop|pointer|counts|direct}}
//
// Each check can be turned down.
// RUN: %op2cxx %unoptimized -O1 -c %s -I%S/Inputs -o %t.o -Wno-error=op2-read \
// RUN:   -Wno-error=op2-write -Wno-error=op2-inc -Wno-error=op2-min-max 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARN
// RUN: %op2cxx %unoptimized -O1 -c %s -I%S/Inputs -o %t.o -Wno-op2-read \
// RUN:   -Wno-op2-write -Wno-op2-inc -Wno-op2-min-max 2>&1 | count 0
// RUN: %op2cxx %unoptimized -O1 -c %s -I%S/Inputs -o %t.o -Wno-op2 2>&1 | count 0
// RUN: %op2cxx %unoptimized -O1 -c %s -I%S/Inputs -o %t.o -Wno-error=op2 -w 2>&1 | count 0
// RUN: not %op2cxx %unoptimized -O1 -c %s -I%S/Inputs -o %t.o -Wno-error=op2-read -Werror \
// RUN:   2>&1 | FileCheck %s --check-prefix=WERROR
// WERROR: warning: kernel 'throughHelpers' writes {{.*}} [-Wop2-read]
// WERROR: error: kernel 'clears' sets {{.*}} [-Wop2-inc]
// RUN: not %op2cxx -c %s -Wno-op2-loud 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: unknown warning option '-Wno-op2-loud'
#include "access-helpers.h"
#include "op_seq.h"

#include <algorithm>
#include <cstring>

// CHECK: access-helpers.h:6:{{.*}}error: kernel 'throughHelpers' writes to parameter 'x', which this loop declares OP_READ
// CHECK: access-helpers.h:9:{{.*}}note: called from here
// CHECK: access-checks.cpp:[[#@LINE+5]]:{{.*}}note: called from here
// CHECK: note: access declared here; did you mean OP_RW or OP_INC?
// WARN: warning: kernel 'throughHelpers' writes to parameter 'x', which this loop declares OP_READ
static void throughHelpers(const double *x, double *y) {
  double *p = const_cast<double *>(x);
  scaleAll(p, *y);
}

// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'readsFirst' reads parameter 'y', which this loop declares OP_WRITE, before it has written there
// WARN: warning: kernel 'readsFirst' reads parameter 'y', which this loop declares OP_WRITE, before
static void readsFirst(const double *x, double *y) {
  y[0] = x[0] + y[1];
  y[1] = x[1];
}

// CHECK: [[#@LINE+5]]:{{.*}}error: kernel 'usesSum' uses the value of parameter 'y', which this loop declares OP_INC, otherwise than to add to it
// CHECK: note: access declared here: only the sequential target has the value; sum up in a local variable, or declare OP_RW
// WARN: warning: kernel 'usesSum' uses the value of parameter 'y', which this loop declares OP_INC
static void usesSum(const double *x, double *y) {
  y[0] += x[0];
  y[1] += y[0] * x[1];
}

// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'assigns' assigns to parameter 'y', which this loop declares OP_INC, instead of adding to it
// WARN: warning: kernel 'assigns' assigns to parameter 'y', which this loop declares OP_INC
static void assigns(const double *x, double *y) {
  y[1] = total(x);
}

// CHECK: [[#@LINE+3]]:{{.*}}warning: kernel 'clears' sets parameter 'y', which this loop declares OP_INC, to zero instead of adding to it
// CHECK: note: access declared here: some targets lose the value, others keep it; did you mean OP_WRITE?
// WARN: warning: kernel 'clears' sets parameter 'y'
static void clears(const double *, double *y) { y[0] = 0; }
// CHECK: [[#@LINE+3]]:{{.*}}warning: kernel 'clearsAll' sets parameter 'y', which this loop declares OP_INC, to zero
// WARN: warning: kernel 'clearsAll' sets parameter 'y'
static void clearsAll(const double *, double *y) {
  std::memset(y, 0, 2 * sizeof(double));
}

// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'negates' uses the value of parameter 'y'
// WARN: warning: kernel 'negates' uses the value of parameter 'y'
static void negates(const double *x, double *y) {
  y[0] = x[0] - y[0];
}

// CHECK: [[#@LINE+3]]:{{.*}}warning: kernel 'clearsFirst' sets parameter 'y'
// WARN: warning: kernel 'clearsFirst' sets parameter 'y'
static void clearsFirst(const double *x, double *y) {
  y[0] = 0;
  y[0] += x[1];
}

// CHECK: [[#@LINE+3]]:{{.*}}error: kernel 'last' assigns to parameter 'm', which this loop declares OP_MIN or OP_MAX, without comparing with what is there [-Wop2-min-max]
// CHECK: note: access declared here: the result depends on which elements a thread runs last
// WARN: warning: kernel 'last' assigns to parameter 'm'
static void last(const double *x, double *m) { *m = x[0]; }
// CHECK: [[#@LINE+6]]:{{.*}}warning: kernel 'sometimes' possibly assigns to parameter 'm'
// CHECK: warning: kernel 'lambda' possibly assigns to parameter 'm'
// WARN: warning: kernel 'sometimes' possibly assigns to parameter 'm'
// WARN: warning: kernel 'lambda' possibly assigns to parameter 'm'
static void sometimes(const double *x, double *m) {
  if (x[0] > 1)
    *m = x[1];
}

// CHECK: [[#@LINE+4]]:{{.*}}error: kernel 'row' assigns to parameter 'y'
// WARN: warning: kernel 'row' assigns to parameter 'y'
static void row(const double *x, double **y) {
  for (int i = 0; i < 2; ++i)
    y[i][0] = x[i];
}

// Nothing to say of these.
// CHECK-NOT: {{error|warning}}:
// WARN-NOT: warning:
static void fineIncrements(const double *x, double *y) {
  double t = x[0];
  for (int n = 0; n < 2; ++n) {
    y[n] += t * x[n];
    y[n] -= 2;
  }
  if (x[1] > 0)
    add(y[1], t);
  y[0] = y[0] + total(x);
  y[0] = t + y[0];
}
static void fineMinimum(const double *x, double *m) {
  if (x[0] < *m)
    *m = x[0];
  *m = std::min(x[1], *m);
  *m = *m < x[1] ? *m : x[1];
}
static void fineFlag(const double *x, double *m) {
  if (x[0] > 1)
    *m = 1;
}
static void fineRows(const double *x, double **y) {
  y[0][1] += x[0];
  y[1][0] -= x[1];
}
static void fineWrites(const double *x, double *y) {
  y[0] = x[0];
  y[1] = y[0] * x[1];
  if (x[0] > 1)
    setFirst(y, y[1]);
}
static void pointerWrites(const double *x, double *y) {
  double *out = y;
  for (const double *p = x; p != x + 2; ++p)
    *out++ = *p;
  y[1] += 1;
}
static void loopWrites(const double *x, double *y) {
  for (int n = 0; n < 2; ++n)
    y[n] = x[n];
  for (int n = 1; n < 2; ++n)
    y[n] += y[n - 1];
}
static void countsUp(const double *x, int *n) { *n += x[0] > 0 ? 2 : 1; }
// Bits that are set are no sum, but LLVM may add so where none can be set.
// CHECK: [[#@LINE+2]]:{{.*}}error: kernel 'flags' uses the value of parameter 'n', which this loop declares OP_INC, otherwise than to add to it
// WARN: warning: kernel 'flags' uses the value of parameter 'n'
static void flags(const double *x, int *n) { *n |= x[0] > 0 ? 2 : 1; }
static void countsBits(const double *x, int *n) {
  int bits = ((int)x[0] << 1) + (x[1] > 0);
  *n += bits;
}
// A row that nobody else has.
static void directIncrement(const double *x, double *y) {
  y[0] += x[0] * y[0];
  y[1] = 0;
}

#define LOOP(kernel, access)                                                   \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),                  \
              op_arg_dat(e, 0, map, 2, "double", access))

void run(op_set set, op_map map, op_dat d, op_dat e) {
  int count = 0;
  op_par_loop(countsUp, "countsUp", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  op_par_loop(countsBits, "countsBits", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  LOOP(throughHelpers, OP_READ);
  LOOP(readsFirst, OP_WRITE);
  LOOP(usesSum, OP_INC);
  LOOP(assigns, OP_INC);
  LOOP(clears, OP_INC);
  LOOP(clearsAll, OP_INC);
  LOOP(negates, OP_INC);
  LOOP(clearsFirst, OP_INC);
  LOOP(last, OP_MIN);
  LOOP(sometimes, OP_MAX);
  op_par_loop(+[](const double *x, double *m) {
    if (x[0] > 1)
      *m = x[1]; },
              "lambda", set, op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(e, 0, map, 2, "double", OP_MAX));
  op_par_loop(row, "row", set, op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(e, -2, map, 2, "double", OP_INC));
  op_par_loop(flags, "flags", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&count, 1, "int", OP_INC));
  LOOP(fineIncrements, OP_INC);
  LOOP(fineMinimum, OP_MIN);
  LOOP(fineFlag, OP_MAX);
  op_par_loop(fineRows, "fineRows", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(e, -2, map, 2, "double", OP_INC));
  LOOP(fineWrites, OP_WRITE);
  op_par_loop(directIncrement, "directIncrement", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(e, -1, OP_ID, 2, "double", OP_INC));
  LOOP(loopWrites, OP_WRITE);
  LOOP(pointerWrites, OP_WRITE);
}
