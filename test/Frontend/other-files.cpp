// Loops that wait where a file calls another one: which functions others may
// enter, and which calls ask for that.
// test/Integration/cpp/other-files.cpp runs such a program.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx -O2 --op2-report -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll
// RUN: grep -c 'op2\.[0-9]* = ' %t.ll | FileCheck %s --check-prefix=RECORDS
// RUN: %op2cxx %unoptimized -O1 -g -fPIC -c %s -o %t.o
// RUN: %op2cxx -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %op2cxx %unoptimized -O2 --op2-no-delay -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: op2.{{[0-9]+}} =
//
// Only these, two of which are of this file:
// RECORDS: {{^}}4{{$}}
// LLVM-DAG: @step.op2.[[$V:[0-9]+]] = hidden {{.*}}constant { ptr, ptr } { ptr @step.code, ptr @step.waits }
// LLVM-DAG: @marked.op2.[[$V]] = hidden {{.*}}constant { ptr, ptr } { ptr @marked.code, ptr @marked.entered }
// LLVM-DAG: @elsewhere.op2.[[$V]] = weak hidden {{.*}}constant { ptr, ptr } zeroinitializer
// LLVM-DAG: @called.op2.[[$V]] = weak hidden {{.*}}constant { ptr, ptr } zeroinitializer
// LLVM-DAG: @step.code = weak hidden alias void (), ptr @step

#include "Inputs/other-files.h"
#include <cmath>
#include <cstdlib>
#include <cstring>

static void bump(double *q) { q[0] += 1; }
static void sum(const double *q, double *total) { *total += q[0]; }
static void mark(int *mark) { mark[0] += 1; }

#define BUMP(name) op_par_loop(bump, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define MARK(name) op_par_loop(mark, name, cells, op_arg_dat(marks, -1, OP_ID, 1, "int", OP_RW))
#define SUM(name, total)                                                       \
  op_par_loop(sum, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))

// CHECK-DAG: loop 'in a step' may be delayed; pending loops are flushed where 'step' returns to a caller that is not followed
// LLVM-LABEL: define internal void @step.waits()
// LLVM-NOT:     op2rt_flush
// LLVM:       {{^}}}
extern "C" [[gnu::noinline]] void step() { BUMP("in a step"); }

// Integers do not wait in other files, which may look at integers.
// CHECK-DAG: loop 'marks' may be delayed; pending loops are flushed where the function ends (other-files.cpp:[[#@LINE+9]]), 'marked' returns to a caller that is not followed
// LLVM-LABEL: define internal void @marked.entered()
// LLVM:         call {{.*}}void @marked.waits()
// LLVM:         call void @op2rt_flush(ptr
// LLVM-NEXT:    br
extern "C" [[gnu::noinline]] void marked() { MARK("marks"); }
void callsMarked() {
  marked();
  marked();
}

// Nothing is left pending, and what is has run where it begins.
// CHECK-DAG: loop 'looked at' is not delayed: memory is read (other-files.cpp:[[#@LINE+5]]) before another loop could join
// LLVM-NOT: looked.op2
extern "C" void looked() {
  static double seen = *reinterpret_cast<double *>(q->data);
  BUMP("looked at");
  seen += *reinterpret_cast<double *>(q->data);
}
extern "C" void replaced() { BUMP("replaced"); }

// In no header: of this file alone.
void only() { BUMP("only"); }
void unknown();

// CHECK-DAG: loop 'before' may be delayed; pending loops are flushed where 'unknown' is called (other-files.cpp:[[#@LINE+23]]), 'elsewhere' is called (other-files.cpp:[[#@LINE+18]]) unless op2c++ compiles it, 'called' is called (other-files.cpp:[[#@LINE+22]]) unless op2c++ compiles it{{$}}
// LLVM-LABEL: define dso_local void @calls()
// LLVM:         call i32 @op2rt_enqueue(
// LLVM-NOT:     op2rt_flush
// LLVM:         %[[SELF:.*]] = load ptr, ptr @elsewhere.op2.[[$V]]
// LLVM-NEXT:    %[[SAME:.*]] = icmp eq ptr %[[SELF]], @elsewhere
// LLVM:         br i1 %[[SAME]], label %[[ENTERS:.*]], label %[[OTHERS:[0-9]+]]
// LLVM:       [[ENTERS]]:
// LLVM:         %[[ENTRY:.*]] = load ptr
// LLVM-NEXT:    call void %[[ENTRY]]()
// LLVM:       [[OTHERS]]:
// LLVM-NEXT:    load atomic i32, ptr @op2rt_pending unordered
// LLVM:         call void @op2rt_flush(ptr null)
// LLVM:         call void @elsewhere()
extern "C" void calls() {
  double total = 0;
  BUMP("before");
  SUM("a result", &total);
  elsewhere();
  // CHECK-DAG: loop 'another type' may be delayed; pending loops are flushed where 'called' is called (other-files.cpp:[[#@LINE+3]]){{$}}
  MARK("another type");
  BUMP("between");
  called(3);
  unknown();
}

// None of these runs loops that could wait.
// CHECK-DAG: loop 'others' may be delayed; pending loops are flushed where the function ends (other-files.cpp:[[#@LINE+11]]), 'pure' is called (other-files.cpp:[[#@LINE+9]]), 'stops' is called (other-files.cpp:[[#@LINE+7]]), 'variadic' is called (other-files.cpp:[[#@LINE+5]]){{$}}
void others(int n) {
  for (int i = 0; i < n; ++i) {
    BUMP("others");
    if (i == 5)
      variadic(3);
    if (i == 6)
      stops();
    if (i == 7)
      n = pure();
  }
}

// Nothing waits, and nothing can join.
// LLVM-LABEL: define dso_local void @hostOnly(
// LLVM:         call double @host(
extern "C" void hostOnly(double *values) {
  for (int i = 0; i < 9; ++i)
    values[i] = host(values[i]);
}

// What system headers declare, and what is built in.
extern "C" double library(const char *text, double x) {
  elsewhere();
  char *copy = strdup(text);
  elsewhere();
  double y = tgamma(x) + __builtin_popcount(strlen(copy));
  elsewhere();
  free(copy);
  return y;
}
