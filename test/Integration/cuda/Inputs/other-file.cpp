// The same names as in files.cpp, with other values.
#include "op_seq.h"

extern double shared;
static double factor = 30;
static void scale(double *x) { *x *= factor + shared; }

void runOther(op_set set, op_dat x) {
  factor = 40;
  op_par_loop(scale, "scale", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
