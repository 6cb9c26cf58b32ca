// All elements write one variable of the program.
#include "op_seq.h"

static volatile double latest;
static void last(const double *x, double *y) {
  latest = *x;
  *y = *x;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(100000, "set");
  op_dat x = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "x");
  op_dat y = op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), "y");
  for (int step = 0; step < 10; ++step)
    op_par_loop(last, "last", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_printf("%g\n", latest);
  op_exit();
}
