// Where the host waits for what a loop on a device reduces: before whatever
// might look at it, behind the loops of OP2 that come first; at the loop's end
// if none does. test/Integration/cpp/deferred-readback.cpp runs such programs.
//
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-target=openmp,emulator -c %s -o %t.o 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: %op2cxx -O2 --op2-target=cuda --op2-no-fuse --op2-gpu-format=ptx -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll
// RUN: FileCheck %s --check-prefix=SITE < %t.ll
//
// Where no loop runs on a device, and where a debugger is to see everything,
// nothing stands there.
// RUN: %op2cxx -O2 --op2-target=openmp,seq -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %op2cxx -O0 --op2-target=emulator -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// HOST-NOT: ptr @__op2_loop_{{[a-z0-9_]+}} }
// NONE-NOT: op2rt_flush

#include "op_seq.h"

static void bump(double *q) { q[0] += 1; }
static void sum(const double *q, double *total) { *total += q[0]; }
static void count(const double *q, int *n) { *n += q[0] > 0; }

op_set cells;
op_dat q;
double shared;
void look();
void see(const double *value);

#define BUMP op_par_loop(bump, "bump", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define SUM(name, total)                                                       \
  op_par_loop(sum, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))

// As in Airfoil: the sum of one stage is on its way while the next one's loops
// are launched. What nobody has looked at need not arrive.
// CHECK-DAG: loop 'stages': on devices, its results are waited for where memory is read (deferred-readback.cpp:[[#@LINE+25]])
//
// LLVM-LABEL: define{{.*}} double @stages(
// LLVM:       for.body:
// LLVM:         %[[PENDING:.*]] = load i32, ptr @op2rt_pending
// LLVM-NEXT:    %[[IDLE:.*]] = icmp eq i32 %[[PENDING]], 0
// LLVM-NEXT:    br i1 %[[IDLE]],
// LLVM:         call void @op2rt_drop(ptr nonnull %total, i64 8)
// LLVM:         store double 0.0{{.*}}, ptr %total
// LLVM-NOT:     op2rt_flush
// LLVM:         store i32 1, ptr @op2rt_may_enqueue
// LLVM:         call void @op2rt_flush(ptr nonnull @__op2_loop_[[#]]_sum)
// LLVM:         load double, ptr %total
// LLVM:         ret double
//
// The runtime knows the loop by its site.
// SITE: @__op2_loop_desc.__op2_run_[[#]]_sum__cuda = internal global {{.*}}, ptr @__op2_loop_[[#]]_sum }
extern "C" double stages() {
  double total = 0;
  for (int i = 0; i < 2; ++i) {
    BUMP;
    total = 0;
    SUM("stages", &total);
  }
  BUMP;
  return total;
}

// What looks at once gains nothing.
// CHECK-DAG: loop 'at once': on devices, its results are waited for at its end: memory is read (deferred-readback.cpp:[[#@LINE+7]]) before another loop
// LLVM-LABEL: define{{.*}} double @at_once(
// LLVM-NOT:     op2rt_flush
// LLVM:       ret double
extern "C" double at_once() {
  double total = 0;
  SUM("at once", &total);
  if (total > 1)
    BUMP;
  return total;
}

// The function may return without another loop, but another path has one.
// CHECK-DAG: loop 'sometimes': {{.*}} waited for where memory is read (deferred-readback.cpp:[[#@LINE+6]])
double sometimes(bool more) {
  double total = 0;
  SUM("sometimes", &total);
  if (more)
    BUMP;
  return total;
}

// Others may know the variable.
// CHECK-DAG: loop 'global': {{.*}} waited for where 'look' is called (deferred-readback.cpp:[[#@LINE+4]])
void global() {
  SUM("global", &shared);
  BUMP;
  look();
}

// CHECK-DAG: loop 'pointer': {{.*}} waited for where memory is written (deferred-readback.cpp:[[#@LINE+4]])
void pointer(double *total, double *other) {
  SUM("pointer", total);
  BUMP;
  *other = 1;
  see(total);
}

// A value of another type, and a variable that no argument knows, do not
// matter.
// CHECK-DAG: loop 'types': {{.*}} waited for where memory is read (deferred-readback.cpp:[[#@LINE+7]])
double types(int *limit, int *n) {
  double total = 0, mine = 1;
  SUM("types", &total);
  BUMP;
  if (*limit > 3)
    mine += 2;
  return total + mine + *n;
}

// Not again and again in a loop that computes on the host, but before it.
// LLVM-LABEL: define{{.*}} @computes(
// LLVM:         call void @op2rt_loop_end(
// LLVM:         call void @op2rt_flush(
// LLVM:       vector.body:
// LLVM-NOT:     op2rt
// LLVM:         br i1 %{{.*}}, label %middle.block, label %vector.body
extern "C" void computes(double *total, double *values, int n) {
  SUM("computes", total);
  BUMP;
  for (int i = 0; i < n; ++i)
    values[i] = 2;
}

// Two loops on their way: who looks at one waits for that one only.
// LLVM-LABEL: define{{.*}} @two(
// LLVM:         call void @op2rt_flush(ptr nonnull @[[SUM:.*_sum]])
// LLVM:         load double, ptr %total
// LLVM:         call void @op2rt_flush(ptr nonnull @[[COUNT:.*_count]])
// LLVM:         load i32, ptr %n
extern "C" double two() {
  double total = 0;
  int n = 0;
  SUM("first of two", &total);
  op_par_loop(count, "second of two", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&n, 1, "int", OP_INC));
  BUMP;
  return total + n;
}
