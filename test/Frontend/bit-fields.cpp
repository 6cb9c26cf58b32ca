// A bit-field is stored by loading what lies beside it: no read of a row that is
// written, if all of it is.
//
// RUN: not %op2cxx -O0 -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %op2cxx -O2 -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
#include "op_seq.h"
struct Flags {
  unsigned kind : 3, level : 13, count : 16;
};
struct Padded {
  unsigned kind : 3, level : 9;
  unsigned other;
};
static void all(Flags *f) { f->kind = 1, f->level = 2, f->count = 3; }
// CHECK: [[#@LINE+1]]:{{.*}}warning: kernel 'some' possibly reads parameter 'f', which this loop declares OP_WRITE
static void some(Flags *f) { f->kind = 1, f->count = 2; }
// CHECK: [[#@LINE+1]]:{{.*}}warning: kernel 'padded' possibly reads parameter 'f', which this loop declares OP_WRITE
static void padded(Padded *f) { f->kind = 1, f->level = 2, f->other = 1; }
// CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'use' reads parameter 'f', which this loop declares OP_WRITE
static void use(Flags *f) { f->kind = f->level, f->count = 7, f->level = 3; }
void run(op_set s, op_dat d, op_dat e) {
  op_par_loop(all, "all", s, op_arg_dat(d, -1, OP_ID, 1, "uint", OP_WRITE));
  op_par_loop(some, "some", s, op_arg_dat(d, -1, OP_ID, 1, "uint", OP_WRITE));
  op_par_loop(padded, "padded", s, op_arg_dat(e, -1, OP_ID, 2, "uint", OP_WRITE));
  op_par_loop(use, "use", s, op_arg_dat(d, -1, OP_ID, 1, "uint", OP_WRITE));
}
