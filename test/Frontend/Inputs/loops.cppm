// A module with loops, for modules.cpp.
module;
#include "op_seq.h"
export module loops;
inline void fill(double *q) { *q = 7; }
export void runFill(op_set set, op_dat d) {
  op_par_loop(fill, "fill", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}
export template <class T> void runAdd(op_set set, op_dat d) {
  op_par_loop(+[](T *q) { *q += 1; }, "add", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
}
export inline void runInline(op_set set, op_dat d) {
  op_par_loop(+[](double *q) { *q *= 2; }, "double", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
}
