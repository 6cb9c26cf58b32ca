// Memory of globals and constants that is shorter than the dim says, as far as
// the file shows how long it is.
// RUN: %op2cxx -O1 -Wno-error=op2-bounds -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -O1 -Werror=op2-bounds -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %op2cxx -O1 -Wno-op2-bounds -c %s -o %t.o 2>&1 | count 0
// ERROR: error: dim 5 is more than the 4 values of type 'double' that are there [-Wop2-bounds]
#include "op_seq.h"
#include <vector>

static void add(const double *x, double *sum) {
  sum[0] += *x;
  sum[1] += *x;
  sum[2] += *x;
}

struct Box {
  double x, y, z, sizes[2];
};
double table[4], number, *pointer;
extern double others[];
Box box;

template <class T, int n> static void declare(T (&values)[n]) { op_decl_const(n, "double", values); }

void constants() {
  op_decl_const(4, "double", table);
  // CHECK: [[#@LINE+1]]:17: warning: dim 5 is more than the 4 values of type 'double' that are there [-Wop2-bounds]
  op_decl_const(5, "double", table);
  // CHECK: [[#@LINE+1]]:17: warning: dim 3 is more than the 1 values of type 'double' that are there
  op_decl_const(3, "double", &number);
  op_decl_const(2, "double", &table[2]);
  // CHECK: [[#@LINE+1]]:17: warning: dim 3 is more than the 2 values of type 'double' that are there
  op_decl_const(3, "double", table + 2);
  // Members that follow each other.
  op_decl_const(3, "double", &box.x);
  // CHECK: [[#@LINE+1]]:17: warning: dim 6 is more than the 5 values of type 'double' that are there
  op_decl_const(6, "double", &box.x);
  // Nobody knows.
  op_decl_const(9, "double", pointer);
  op_decl_const(9, "double", others);
  declare(table);
}

void globals(op_set set, op_dat x, int isThere) {
  double two[2] = {}, one = 0, three[3] = {};
  std::vector<double> some(2);
  // CHECK: [[#@LINE+2]]:{{.*}}warning: dim 3 is more than the 2 values of type 'double' that are there
  op_par_loop(add, "two", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(two, 3, "double", OP_INC));
  // CHECK: [[#@LINE+2]]:{{.*}}warning: dim 3 is more than the 1 values of type 'double' that are there
  op_par_loop(add, "one", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&one, 3, "double", OP_INC));
  // CHECK-NOT: warning:
  op_par_loop(add, "three", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(three, 3, "double", OP_INC));
  op_par_loop(add, "some", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(some.data(), 3, "double", OP_INC));
  // It may be off.
  op_par_loop(add, "perhaps", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_opt_arg_gbl(isThere, &one, 3, "double", OP_INC));
}
