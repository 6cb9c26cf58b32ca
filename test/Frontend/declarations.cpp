// A loop's dim and type against the declaration of the dat, where the file
// shows that there is only one.
// RUN: not %op2cxx -fsyntax-only %s 2>&1 | FileCheck %s
#include "op_seq.h"

static void one(double *x) { *x = 0; }
static void single(float *x) { *x = 0; }

static op_dat global = nullptr;

void run(op_set set, double *data, bool flag) {
  op_dat q = op_decl_dat(set, 4, "double", data, "q");
  global = op_decl_dat(set, 3, "double", data, "global");
  op_dat either = op_decl_dat(set, 4, "double", data, "either");
  if (flag)
    either = op_decl_dat(set, 1, "double", data, "other");

  // CHECK: [[#@LINE+1]]:{{.*}}error: dim 2 does not match the declaration of 'q', which has dim 4
  op_par_loop(one, "dim", set, op_arg_dat(q, -1, OP_ID, 2, "double", OP_WRITE));
  // CHECK: [[#@LINE-8]]:{{.*}}note: dat declared here
  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'float' does not match the declaration of 'q', which has 'double'
  op_par_loop(single, "type", set, op_arg_dat(q, -1, OP_ID, 4, "float", OP_WRITE));
  // CHECK: [[#@LINE+1]]:{{.*}}error: dim 4 does not match the declaration of 'global', which has dim 3
  op_par_loop(one, "dim", set, op_arg_dat(global, -1, OP_ID, 4, "double", OP_WRITE));
  // CHECK-NOT: error:
  op_par_loop(one, "dim", set, op_arg_dat(either, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(q, -1, OP_ID, 4, "double", OP_WRITE));
}
