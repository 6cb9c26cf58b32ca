// Kernels of two files read the constants of one header: each file's device code
// has its own.
//
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=openmp,emulator -c -DSECOND %s -o %t.o
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=openmp,emulator %s %t.o -o %t
// RUN: env OP2_TARGET=openmp %t | FileCheck %s
// RUN: env OP2_TARGET=emulator %t | FileCheck %s
// CHECK: 222 444 666

#include "op_seq.h"
#include <cstdio>

inline constexpr double ones[3] = {1, 2, 3};
template <class T> struct Tables {
  static constexpr T tens[3] = {10, 20, 30};
};
inline double hundred(int i) {
  static const double hundreds[3] = {100, 200, 300};
  return hundreds[i];
}
inline void look(const int *i, double *q) {
  *q += ones[*i] + Tables<double>::tens[*i] + hundred(*i);
}

void runSecond(op_set set, op_dat i, op_dat q);

#ifdef SECOND
void runSecond(op_set set, op_dat i, op_dat q) {
  op_par_loop(look, "second", set, op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
#else
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int numbers[] = {0, 1, 2};
  double zero[3] = {};
  op_set set = op_decl_set(3, "set");
  op_dat i = op_decl_dat(set, 1, "int", numbers, "i");
  op_dat q = op_decl_dat(set, 1, "double", zero, "q");
  op_par_loop(look, "first", set, op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  runSecond(set, i, q);
  op_fetch_data(q, zero);
  std::printf("%g %g %g\n", zero[0], zero[1], zero[2]);
  op_exit();
}
#endif
