// Rows as structs: their fields are values of the declared type, or nothing is
// concluded from it.
// RUN: not %op2cxx -fsyntax-only %s 2>&1 | FileCheck %s
#include "op_seq.h"
#include <complex>

struct Mixed {
  float s;
  int n;
};
struct Base {
  float x;
};
struct Nested : Base {
  struct {
    float y[2];
  } rest;
};
union Both {
  float f;
  int i;
};

static void complexNumbers(std::complex<float> *c) { *c += 1; }
static void mixed(Mixed *m) { m->s += 1; }
static void nested(Nested *n) { n->x += 1; }
static void both(Both *b) { b->f += 1; }

void run(op_set set, op_dat d, op_map map, float *g) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_INC combines values of type 'float', but kernel parameter 'm' of type 'Mixed *' has fields of other types
  op_par_loop(mixed, "mixed", set, op_arg_dat(d, 0, map, 2, "float", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_MIN combines values of type 'float', but kernel parameter 'm' of type 'Mixed *' has fields of other types
  op_par_loop(mixed, "mixed", set, op_arg_gbl(g, 2, "float", OP_MIN));
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_INC combines values of type 'float', but kernel parameter 'b' of type 'Both *' has fields of other types
  op_par_loop(both, "both", set, op_arg_dat(d, 0, map, 1, "float", OP_INC));
  // CHECK-NOT: error:
  op_par_loop(mixed, "mixed", set, op_arg_dat(d, -1, OP_ID, 2, "float", OP_RW));
  op_par_loop(complexNumbers, "complex", set, op_arg_dat(d, 0, map, 2, "float", OP_INC));
  op_par_loop(nested, "nested", set, op_arg_dat(d, 0, map, 3, "float", OP_INC));
}
