// The other file of run-kernels.cpp: kernels of the same names, other bodies.
#include "op_seq.h"

static double factor = 10;
static double scaled(double x) { return factor * x; }
static void update(double *x) { *x = scaled(*x) + 1; }

// A template of the same name with external linkage would be the same function.
template <class T> static void fill(T *x) { *x = T(7); }

namespace {
struct Solver {
  static void step(double *x) { *x += 3; }
};
} // namespace

void runSecond(op_set set, op_dat x, double newFactor) {
  factor = newFactor;
  op_par_loop(fill<double>, "fill", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(update, "update", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(Solver::step, "step", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
