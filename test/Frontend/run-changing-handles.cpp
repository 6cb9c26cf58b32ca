// A handle's variable that changes while the arguments are made: what looks
// the same is not.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref | FileCheck %s
// RUN: %op2cxx -O2 -Werror=op2-sequential %s -o %t && %t | FileCheck %s
#include "op_seq.h"
#include <cstdio>

static double one = 1;
static double *change(op_dat *p, op_dat to) {
  *p = to;
  return &one;
}
inline void add(const double *a, const double *g, double *b) { *b += *a * *g; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double x[] = {1, 1}, y[] = {10, 10};
  op_set set = op_decl_set(2, "set");
  op_dat a = op_decl_dat(set, 1, "double", x, "a"), b = op_decl_dat(set, 1, "double", y, "b");
  op_dat d = a;
  op_par_loop(add, "pointer", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(change(&d, b), 1, "double", OP_READ), op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(a, x);
  op_fetch_data(b, y);
  // CHECK: 1 11
  std::printf("%g %g\n", x[0], y[0]);
  op_dat e = a;
  auto assign = [&e, b] {
    e = b;
    return &one;
  };
  op_par_loop(add, "lambda", set, op_arg_dat(e, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(assign(), 1, "double", OP_READ), op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(a, x);
  op_fetch_data(b, y);
  // CHECK: 1 12
  std::printf("%g %g\n", x[0], y[0]);
  op_exit();
}
