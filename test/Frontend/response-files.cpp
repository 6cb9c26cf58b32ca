// Options of a response file are as those of the command line: ours, and those
// that say what is done.
//
// RUN: printf -- '-c -O1 "--op2-target=seq,openmp"\n %s' > %t.inner
// RUN: printf -- '-Werror @%t.inner -o '"'%t a.o'" > %t.rsp
// RUN: %op2cxx @%t.rsp --op2-print-command | FileCheck %s
// RUN: %op2cxx @%t.rsp && ls '%t a.o'
// CHECK: clang++{{.*}}target=seq,openmp{{.*}} -c
// CHECK-NOT: -lop2
//
// More than the arguments of a process may have together.
// RUN: python3 -c "q, b = chr(34), chr(92); print(*(f'{q}-DNAME{i}=a {b}{q} {b}{b} b' + 1000 * 'b' + q for i in range(3000)))" > %t.long
// RUN: printf -- '"-DKERNEL=static void k(double *q) { *q += 1; }"' >> %t.long
// RUN: %op2cxx @%t.long -c %s -o %t.o
//
// RUN: printf -- '@%t.self' > %t.self
// RUN: not %op2cxx @%t.self 2>&1 | FileCheck %s --check-prefix=SELF
// SELF: op2c++: error: response files contain each other: @
// RUN: %op2cxx @%S -c %s --op2-print-command | FileCheck %s --check-prefix=FOLDER
// FOLDER: @{{.*}}Frontend
// RUN: not %op2cxx @%t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: no such file or directory: '@{{.*}}absent'

#include "op_seq.h"

#ifndef KERNEL
#define KERNEL static void k(double *q) { *q += 1; }
#endif
KERNEL
void run(op_set set, op_dat q) {
  op_par_loop(k, "k", set, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
