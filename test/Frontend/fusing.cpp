// Which loops are fused, and why others are not: what stands between them, and
// what they use. test/Integration/cpp/fusing.cpp runs such loops.
//
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-vector-bits=512 -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: grep 'fused with' %t.report | count 17
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-no-fuse -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=OFF < %t.report
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-no-raise -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=OFF < %t.report
// RUN: %op2cxx -O0 --op2-report -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s --check-prefix=UNRAISED --implicit-check-not='fused with' < %t.report
// RUN: %op2cxx -O2 --op2-emit=loops %s | FileCheck %s --check-prefix=OP2
// RUN: %op2cxx -O2 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll
//
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-target=emulator -S -emit-llvm %s -o %t.device.ll 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE-DAG: remark: loop 'bump' fused with 'twice'
// DEVICE-DAG: remark: loop 'through' fused with 'through again'
//
// Which of both ways is faster is a matter of trial if they give the same bits.
// RUN: FileCheck %s --check-prefix=EXACT < %t.ll
// RUN: %op2cxx -O2 -ffp-contract=fast -S -emit-llvm %s -o - | FileCheck %s --check-prefix=INEXACT
// RUN: %op2cxx -O2 --op2-veclib=libmvec -S -emit-llvm %s -o - | FileCheck %s --check-prefix=INEXACT
// Which parameters are one: both loops' set, and q.
// EXACT: @[[PLACES:.*]] = internal constant [5 x i32] [i32 0, i32 1, i32 0, i32 1, i32 2]
// EXACT: internal constant { ptr, ptr, ptr, i64, i64, ptr } { ptr @__op2_loop_desc.__op2_run_1_twice__openmp, ptr @__op2_loop_desc.__op2_run_0_bump.and.1_twice__openmp, ptr @[[PLACES]], i64 8, i64 1, ptr null }
// EXACT-NOT: { ptr, ptr, ptr, i64, i64, ptr } {{.*}}, i64 0, ptr
// INEXACT: { ptr, ptr, ptr, i64, i64, ptr } {{.*}}, i64 0, ptr null }
//
// OFF-NOT: fused
// UNRAISED-NOT: : loop '{{.*}}' fused with

#include "op_seq.h"
#include <limits>

static void bump(double *q) { q[0] += 1; }
static void twice(const double *q, double *p) { p[0] = 2 * q[0]; }
static void sum(const double *q, double *total) { *total += q[0]; }
static void says(double *q) { op_printf("%g\n", q[0]); }

op_set cells, edges;
op_map pair;
op_dat q, p, e;
int count;
double shared;
void look();

#define BUMP op_par_loop(bump, "bump", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define TWICE                                                                  \
  op_par_loop(twice, "twice", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE))

// In the fused form q has one argument; the loops alone are there as well.
// OP2-LABEL: func.func @__op2_run_0_bump.and.1_twice(
// OP2-NEXT:    op2.par_loop @{{.*}}bump{{.*}}.op2.raised.{{.*}}twice{{.*}}.op2.raised over %arg0 args(
// OP2-NEXT:      rw %arg1 : !op2.dat<1xf64>,
// OP2-NEXT:      write %arg2 : !op2.dat<1xf64>) {loop_name = "bump+twice"}

// Both are offered to the runtime, which makes one of them.
// LLVM-LABEL: define{{.*}} @neighbors(
// LLVM:         call i32 @op2rt_enqueue(
// LLVM:         call i32 @op2rt_enqueue(
// LLVM:         call void @op2rt_flush(
// LLVM:       ret void
extern "C" void neighbors() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' fused with 'twice' (fusing.cpp:[[@LINE+2]]): saves 8 bytes for each element
  BUMP;
  TWICE;
}

// A variable of the program that no loop changes may be looked at.
void harmless() {
  for (int i = 0; i < count; ++i) {
    // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' fused with 'twice' (fusing.cpp:[[@LINE+2]])
    BUMP;
    TWICE;
    // CHECK-DAG: fusing.cpp:[[@LINE-1]]:{{.*}}remark: loop 'twice' not fused with 'bump' (fusing.cpp:[[@LINE-2]]): one of them is fused with another loop
  }
}

void called() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'twice' (fusing.cpp:[[@LINE+3]]): 'look' is called (fusing.cpp:[[@LINE+2]]) between them
  BUMP;
  look();
  TWICE;
}

void printed() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'twice' (fusing.cpp:[[@LINE+3]]): 'op_exit' is called
  BUMP;
  op_exit();
  TWICE;
}

void fetched(double *values) {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'twice' (fusing.cpp:[[@LINE+3]]): 'op_fetch_data' is called
  BUMP;
  op_fetch_data(q, values);
  TWICE;
}

double reduced() {
  double total = 0;
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'sum' not fused with 'twice' (fusing.cpp:[[@LINE+5]]): memory is read (fusing.cpp:[[@LINE+3]]) between them
  op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&total, 1, "double", OP_INC));
  if (total > 1)
    return 0;
  TWICE;
  return total;
}

// An alternative way need not pass by: the first loop waits where it may.
void sometimes() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' fused with 'twice' (fusing.cpp:[[@LINE+4]])
  BUMP;
  if (count)
    look();
  TWICE;
}

// A double that is not the loop's own might lie in a dat.
void written() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'twice' (fusing.cpp:[[@LINE+3]]): memory is written
  BUMP;
  shared = 1;
  TWICE;
}

void other_sets() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'bump2' (fusing.cpp:[[@LINE+2]]): they run over different sets
  BUMP;
  op_par_loop(bump, "bump2", edges, op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
}

void neighbor_data() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'gather' {{.*}}: [F3] argument 0 of 'bump' and argument 0 of 'gather' are one dat
  BUMP;
  op_par_loop(twice, "gather", cells, op_arg_dat(q, 0, pair, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
}

// The second kernel would read the result before it is there.
static void shift(double *q) { q[0] += shared; }
void by_name() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'result' not fused with 'shift' (fusing.cpp:[[@LINE+3]]): kernel 'shift' reads a variable of the program by its name that may be a result of the first loop
  op_par_loop(sum, "result", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&shared, 1, "double", OP_INC));
  op_par_loop(shift, "shift", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

// A function that can be seen to look at nothing may be called between them.
void seen_through() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'before' fused with 'behind' (fusing.cpp:[[@LINE+3]])
  op_par_loop(bump, "before", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  double least = std::numeric_limits<double>::max();
  op_par_loop(sum, "behind", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&least, 1, "double", OP_INC));
}

void groups() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'says' {{.*}}: [F1] kernel 'says' is not raised
  BUMP;
  op_par_loop(says, "says", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

void optional(int flag) {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'optional' {{.*}}: [F2] argument 0 of 'optional' is optional
  BUMP;
  op_par_loop(bump, "optional", cells, op_opt_arg_dat(flag, q, -1, OP_ID, 1, "double", OP_RW));
}

void nothing_shared() {
  // CHECK-DAG: fusing.cpp:[[@LINE+1]]:{{.*}}remark: loop 'bump' not fused with 'other' {{.*}}: it would save no memory traffic
  BUMP;
  op_par_loop(bump, "other", cells, op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
}

// CHECK-DAG: remark: loop 'through' fused with 'through again'
void through() {
  op_par_loop(twice, "through", cells, op_arg_dat(q, 0, pair, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(twice, "through again", cells, op_arg_dat(q, 0, pair, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
}
