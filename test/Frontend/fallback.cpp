// Loops that cannot be compiled stay sequential and say why; -Werror=op2-sequential makes
// that an error.
// RUN: %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,WARN
// RUN: not %op2cxx -c %s -o %t.o -Werror=op2-sequential 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// RUN: %op2cxx -c %s -o %t.o -Xclang -disable-llvm-passes 2>&1 | FileCheck %s --check-prefix=NOPASS
#include "op_seq.h"

extern void elsewhere(double *x);
static void one(double *x) { *x = 0; }
static void two(double *x, double *y) { *x = *y = 0; }

// WARN-NOT: error:
// STRICT-NOT: warning:
void run(op_set set, op_map map, op_dat d, void (*any)(double *), int index,
         op_access access, char const *type, op_arg arg, int dim, double *g) {
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'pointer' is not compiled and runs sequentially: the kernel is not a function known at compile time
  op_par_loop(any, "pointer", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'arg' is not compiled and runs sequentially: argument 0 is not a call of op_arg_dat, op_arg_gbl or op_arg_idx in place
  op_par_loop(one, "arg", set, arg);
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'index' {{.*}}: the map index is not a constant
  op_par_loop(one, "index", set, op_arg_dat(d, index, map, 1, "double", OP_RW));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'access' {{.*}}: the access mode is not a constant
  op_par_loop(one, "access", set, op_arg_dat(d, -1, OP_ID, 1, "double", access));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'no access' {{.*}}: unknown access mode 9
  op_par_loop(one, "no access", set, op_arg_dat(d, -1, OP_ID, 1, "double", 9));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'type' {{.*}}: the type string is not a constant
  op_par_loop(one, "type", set, op_arg_dat(d, -1, OP_ID, 1, type, OP_RW));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'unknown type' {{.*}}: unknown type string 'complex'
  op_par_loop(one, "unknown type", set, op_arg_dat(d, -1, OP_ID, 1, "complex", OP_RW));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'dim' {{.*}}: the dim of a global is not a constant
  op_par_loop(one, "dim", set, op_arg_gbl(g, dim, "double", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'info' {{.*}}: the number of the argument that op_arg_info follows is not a constant
  op_par_loop(two, "info", set, op_arg_gbl(g, 1, "double", OP_MAX), op_arg_info(g + 1, 1, "double", index));
  // CHECK: [[#@LINE+1]]:{{.*}} loop 'elsewhere' {{.*}}: the body of kernel 'elsewhere' is not in this file
  op_par_loop(elsewhere, "elsewhere", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
  // NOPASS: [[#@LINE+1]]:{{.*}} loop 'fine' {{.*}}: LLVM's passes do not run in this step (-save-temps?)
  op_par_loop(one, "fine", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}
