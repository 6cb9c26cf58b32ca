// Which calls of loops may be delayed, and where pending loops are
// run: before whatever might look at it, or change what it uses.
// test/Integration/cpp/chains.cpp runs such programs.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx -O2 --op2-report --op2-no-fuse -fno-discard-value-names -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll
// RUN: FileCheck %s --check-prefix=SITE < %t.ll
// RUN: %op2cxx %unoptimized -O2 --op2-report -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: %op2cxx %unoptimized -O1 --op2-report --op2-split=always -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-no-fuse -fno-strict-aliasing -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=ALIASING
//
// Not asked for, for a debugger, on other targets.
// RUN: %op2cxx %unoptimized -O1 --op2-report --op2-no-delay -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=NONE < %t.ll && FileCheck %s --check-prefix=QUIET < %t.report
// RUN: %op2cxx -O0 --op2-report -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=NONE < %t.ll && FileCheck %s --check-prefix=QUIET < %t.report
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-target=seq,emulator --op2-no-fuse -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=NONE < %t.ll && FileCheck %s --check-prefix=QUIET < %t.report
// NONE-NOT: call i32 @op2rt_enqueue
// QUIET-NOT: pending loops
// QUIET-NOT: is not delayed
//
// A GPU's code beside it: its waits are in nobody's way.
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-no-fuse --op2-target=openmp,emulator -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s < %t.report

#include "op_seq.h"
#include <limits>
#include <stdexcept>

static void bump(double *q) { q[0] += 1; }
static void twice(const double *q, double *p) { p[0] = 2 * q[0]; }
static void sum(const double *q, double *total) { *total += q[0]; }
static void sums(const double *q, double *totals) {
  totals[0] += q[0];
  totals[1] += 1;
}
static void scale(const double *factor, double *q) { q[0] *= *factor; }
static void says(double *q) { op_printf("%g\n", q[0]); }
static void mark(const double *q, int *found) {
  if (q[0] > 9)
    *found = 1;
}
static void where(const double *q, double *most, int *cell, const int *n) {
  if (q[0] > *most) {
    *most = q[0];
    *cell = *n;
  }
}
double offset = 1, shared;
static void shift(double *q) { q[0] += offset; }

op_set cells;
op_map pair;
op_dat q, p;
int count;
void look();

#define BUMP(name) op_par_loop(bump, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define TWICE(name)                                                            \
  op_par_loop(twice, name, cells, op_arg_dat(q, 0, pair, 1, "double", OP_READ), \
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE))
#define SUM(name, total)                                                       \
  op_par_loop(sum, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))
#define SCALE(name, factor)                                                    \
  op_par_loop(scale, name, cells, op_arg_gbl(factor, 1, "double", OP_READ),    \
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))

// The call's handles and the values of its globals are kept; pending loops are run
// where the function ends.
// CHECK-DAG: chains.cpp:[[#@LINE+8]]:{{.*}}remark: loop 'two first' may be delayed; pending loops are flushed where the function ends (chains.cpp:[[#@LINE+16]])
// LLVM-LABEL: define{{.*}} @two(
// LLVM:         store i32 1, ptr @op2rt_may_enqueue
// LLVM:         %[[RUNS:.*]] = call i32 @op2rt_enqueue(ptr nonnull @__op2_loop_desc.__op2_run_[[#]]_bump__openmp, ptr nonnull %{{.*}})
// LLVM-NEXT:    icmp eq i32 %[[RUNS]], 0
// LLVM:         call void @{{op2rt_loop_end|__op2_run_of.__op2_run_[0-9]+_bump__openmp}}(
// LLVM:         store i32 0, ptr @op2rt_may_enqueue
extern "C" void two() {
  BUMP("two first");
  TWICE("two second");
  // LLVM:         call i32 @op2rt_enqueue(
  // LLVM:         %[[WAITING:.*]] = load i32, ptr @op2rt_pending
  // LLVM-NEXT:    %[[IDLE:.*]] = icmp eq i32 %[[WAITING]], 0
  // LLVM-NEXT:    br i1 %[[IDLE]],
  // LLVM:         call void @op2rt_flush(
  // LLVM:         ret void
}

// A variable that the kernel reads by its name.
// SITE-DAG: @[[NAMES:.*]] = internal constant [1 x { ptr, i64 }] [{ ptr, i64 } { ptr @offset, i64 8 }]
// SITE-DAG: @__op2_loop_desc.__op2_run_[[#]]_shift__openmp = internal global {{.*}}, ptr @[[NAMES]], i64 1, ptr null, i64 0, ptr null, ptr null }
//
// Three parameters: the set, the dat of argument 0, the global of argument 1.
// SITE-DAG: @[[ARGS:.*]] = internal constant [28 x i32] [i32 1, i32 0, i32 -1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 -1, i32 1, i32 2, i32 0, i32 0, i32 -1, i32 2, i32 0, i32 0, i32 0, i32 0, i32 0]
// SITE-DAG: @__op2_loop_desc.__op2_run_[[#]]_sums__openmp = internal global {{.*}}, i32 2, i32 3, ptr @[[ARGS]], ptr null, ptr @__op2_run_of.__op2_run_[[#]]_sums__openmp, ptr null, i64 0, ptr null, i64 0, ptr null, ptr null }
// SITE:     define internal void @__op2_run_of.__op2_run_[[#]]_sums__openmp(
// SITE:       call ptr @op2rt_loop_begin(
double arrays() {
  double totals[2] = {0, 0};
  op_par_loop(sums, "sums", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(totals, 2, "double", OP_INC));
  BUMP("after sums");
  // All of it is overwritten; half of it is not enough.
  // CHECK-DAG: loop 'sums' may be delayed; pending loops are flushed where memory is written (chains.cpp:[[#@LINE+1]])
  totals[0] = totals[1] = 0;
  SUM("half", &totals[0]);
  BUMP("after half");
  totals[0] = 1;
  TWICE("after overwritten half");
  return totals[0];
}

// CHECK-DAG: loop 'alone' is not delayed: 'look' is called (chains.cpp:[[#@LINE+3]]) before another loop could join
void alone() {
  BUMP("alone");
  look();
  // CHECK-DAG: loop 'called' may be delayed; pending loops are flushed where 'look' is called (chains.cpp:[[#@LINE+3]])
  BUMP("called");
  TWICE("called later");
  look();
}

// The result is dropped where the next stage overwrites it, and at its end.
// LLVM-LABEL: define{{.*}} double @stages(
// LLVM:       for.body:
// LLVM:         call i32 @op2rt_enqueue(
// LLVM:         load i32, ptr @op2rt_pending
// LLVM:         call void @op2rt_drop(ptr nonnull %total, i64 8)
// LLVM:         store double 0.0{{.*}}, ptr %total
// LLVM-NOT:     op2rt_flush
// LLVM:         call i32 @op2rt_enqueue(
// CHECK-DAG: loop 'stages' may be delayed; pending loops are flushed where memory is read (chains.cpp:[[#@LINE+8]])
extern "C" double stages() {
  double total = 0;
  for (int i = 0; i < 4; ++i) {
    BUMP("stage");
    total = 0;
    SUM("stages", &total);
  }
  return total;
}

// LLVM-LABEL: define{{.*}} void @ends(
// LLVM:         call void @op2rt_drop(ptr nonnull %total, i64 8)
// LLVM:         call void @llvm.lifetime.end
// LLVM:         call void @op2rt_flush(
extern "C" void ends() {
  for (int i = 0; i < count; ++i) {
    double total = 0;
    SUM("ends", &total);
    BUMP("after the end");
  }
}

// What loops only read may change: they have its value.
// CHECK-DAG: loop 'read' may be delayed; pending loops are flushed where the function ends (chains.cpp:[[#@LINE+7]])
void reads() {
  double factor = 1;
  for (int i = 0; i < count; ++i) {
    SCALE("read", &factor);
    factor += 1;
  }
}

// Not what others may know.
// CHECK-DAG: loop 'known' may be delayed; pending loops are flushed where memory is written (chains.cpp:[[#@LINE+5]])
void known(double *factor) {
  double mine = 1;
  SCALE("known", &mine);
  SCALE("known too", factor);
  *factor = 2;
  // CHECK-DAG: loop 'escaping' may be delayed; pending loops are flushed where memory is read (chains.cpp:[[#@LINE+4]])
  double other = 0, *const view = &other;
  SUM("escaping", &other);
  BUMP("after escaping");
  shared = *view;
}

// A variable that kernels read by its name, and one that is a result: the
// kernel would read it too early.
// CHECK-DAG: loop 'by name' may be delayed; pending loops are flushed where memory is written (chains.cpp:[[#@LINE+4]])
void by_name() {
  op_par_loop(shift, "by name", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  TWICE("after by name");
  offset = 2;
  // CHECK-DAG: loop 'result' is not delayed: 'reads the result' begins (chains.cpp:[[#@LINE+2]]) before another loop could join
  SUM("result", &offset);
  op_par_loop(shift, "reads the result", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: loop 'other result' may be delayed; pending loops are flushed where the function ends (chains.cpp:[[#@LINE+3]])
  SUM("other result", &shared);
  op_par_loop(shift, "reads no result", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

// Ways to a handler are ways like any other.
// CHECK-DAG: loop 'thrown' may be delayed{{.*}} 'look' is called (chains.cpp:[[#@LINE+5]])
void exceptions() {
  try {
    BUMP("thrown");
    TWICE("thrown later");
    look();
    BUMP("before the handler");
    TWICE("later, before the handler");
  } catch (const std::exception &error) {
    // CHECK-DAG: loop 'in the handler' may be delayed; pending loops are flushed where '__cxa_end_catch' is called
    BUMP("in the handler");
    TWICE("later in the handler");
  }
}

// On some ways only.
// CHECK-DAG: loop 'early' may be delayed; pending loops are flushed where the function ends (chains.cpp:[[#@LINE+9]]), 'look' is called (chains.cpp:[[#@LINE+7]])
void early() {
  for (int i = 0; i < count; ++i) {
    BUMP("early");
    if (i == 3)
      break;
    if (i == 2)
      look();
  }
}

// Not for each element that the host computes, but before.
// LLVM-LABEL: define{{.*}} @computes(
// LLVM:         call void @op2rt_flush(
// LLVM:       vector.body:
// LLVM-NOT:     op2rt
// LLVM:         br i1 %{{.*}}, label %middle.block, label %vector.body
extern "C" void computes(double *values, int n) {
  BUMP("computes");
  TWICE("computes later");
  for (int i = 0; i < n; ++i)
    values[i] = 2;
}

// A function that can be seen to look at nothing.
// CHECK-DAG: loop 'before a function' may be delayed; pending loops are flushed where the function ends (chains.cpp:[[#@LINE+6]])
double functions() {
  BUMP("before a function");
  double least = std::numeric_limits<double>::max();
  op_par_loop(sum, "function", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&least, 1, "double", OP_INC));
  return least;
}

// The objects of lambdas that become kernels begin and end around each loop.
// CHECK-DAG: loop 'lambda' may be delayed; pending loops are flushed where 'look' is called (chains.cpp:[[#@LINE+6]])
// FUSED-DAG: loop 'lambda' fused with 'another'
void lambdas() {
  op_par_loop(+[](double *v) { *v += 1; }, "lambda", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(+[](const double *v, double *w) { *w = *v; }, "another", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
  look();
}

// Loops that run at once; those that wait are run before they begin.
void refused(int flag) {
  double most = 0;
  int cell = 0, found = 0;
  // CHECK-DAG: loop 'before others' is not delayed: 'says' begins (chains.cpp:[[#@LINE+3]]) before another loop could join
  BUMP("before others");
  // CHECK-DAG: loop 'says' is not delayed: its kernel may change more than its arguments, or asks for their addresses
  op_par_loop(says, "says", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: loop 'mark' is not delayed: argument 1 is a global that is written
  op_par_loop(mark, "mark", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&found, 1, "int", OP_WRITE));
  // CHECK-DAG: loop 'where' {{is not delayed: 'optional' begins|may be delayed; pending loops are flushed where}}
  op_par_loop(where, "where", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&most, 1, "double", OP_MAX), op_arg_info(&cell, 1, "int", 1), op_arg_idx(-1, OP_ID));
  // CHECK-DAG: loop 'optional' is not delayed: argument 0 is an optional global
  op_par_loop(scale, "optional", cells, op_opt_arg_gbl(flag, &most, 1, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  look();
}

// Two that are fused wait like all others.
// FUSED-DAG: loop 'one' may be delayed; pending loops are flushed where 'look' is called (chains.cpp:[[#@LINE+8]])
// FUSED-DAG: loop 'third' may be delayed
// FUSED-DAG: loop 'other' may be delayed; pending loops are flushed where 'look' is called
void fused() {
  BUMP("one");
  op_par_loop(twice, "other", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
  TWICE("third");
  look();
}

// SPLIT-DAG: loop 'parts' is not delayed: it is split
static void parts(const double *left, double *a, double *b) {
  a[0] = left[0] * left[0];
  b[0] += left[0] + 1;
}
void split(op_dat r) {
  op_par_loop(parts, "parts", cells, op_arg_dat(r, 0, pair, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(q, 1, pair, 1, "double", OP_INC));
  TWICE("after parts");
}

// Where a load may see anything, also handles may have changed.
// ALIASING-DAG: loop 'two first' is not delayed: memory is read
