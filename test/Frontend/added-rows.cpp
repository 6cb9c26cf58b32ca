// Rows that are OP_RW though the kernel only adds to them: a remark. Not where
// it does something else with what is there.
//
// RUN: %op2cxx -O1 -c %s -o /dev/null --op2-report 2>&1 | FileCheck %s --implicit-check-not="only adds"
#include "op_seq.h"

inline void adds(const double *x, double *a, double *b, double *c) {
  double f = *x * 2;
  *a += f;
  b[0] = b[0] - f;
  if (f > 1)
    b[1] += f;
  *c += 1;
}
inline void others(double *set, double *scaled, double *looked, double *read,
                   double *cleared, double *passed) {
  *set = 1;
  *scaled = *scaled * 2 + 1;
  if (*looked < 3)
    *looked += 1;
  *cleared = 0;
  extern void pass(double *);
  pass(passed);
  (void)*read;
}

void run(op_set edges, op_map map, op_dat x, op_dat a, op_dat b) {
  // CHECK: [[#@LINE+1]]:3: remark: loop 'adds': the kernel only adds to parameter 'a' and 1 more, declared OP_RW through a map; declared OP_INC, its rows could be owned, and elements run in vectors
  op_par_loop(adds, "adds", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(b, 1, map, 2, "double", OP_RW),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(others, "others", edges,
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(a, 0, map, 1, "double", OP_RW),
              op_arg_dat(a, 0, map, 1, "double", OP_RW));
}
