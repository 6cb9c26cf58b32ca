// Handles may lie in containers: reading one there looks at nothing that a loop
// changes.
// RUN: %op2cxx %unoptimized -std=c++17 -O2 --op2-report -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-DAG: loop 'vector 1' fused with 'vector 2'
// CHECK-DAG: loop 'pair 1' fused with 'pair 2'
// CHECK-DAG: loop 'box 1' fused with 'box 2'
// What changes is looked at.
// CHECK-DAG: loop 'data 1' not fused with 'data 2' {{.*}}between them
#include "op_seq.h"
#include <utility>
#include <vector>

static void bump(double *q) { q[0] += 1; }
static void twice(const double *q, double *p) { p[0] = 2 * q[0]; }

template <class T> struct Box {
  T first, second;
};

#define BOTH(name, q, p, between)                                                                                      \
  op_par_loop(bump, name " 1", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));                                   \
  between;                                                                                                             \
  op_par_loop(twice, name " 2", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),                                 \
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE))

void run(op_set cells, const std::vector<op_dat> &dats, const std::pair<op_dat, op_dat> &pair,
         const Box<op_dat> &box, char **seen) {
  BOTH("vector", dats[0], dats[1], );
  op_exit();
  BOTH("pair", pair.first, pair.second, );
  op_exit();
  BOTH("box", box.first, box.second, );
  op_exit();
  BOTH("data", pair.first, pair.second, *seen = dats[0]->data);
}
