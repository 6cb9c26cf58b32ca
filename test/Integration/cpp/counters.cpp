// OP_kernels says how often loops have run, also through a pointer that was saved:
// loops that wait run before somebody looks.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | FileCheck %s
// RUN: %op2cxx -O2 -Werror=op2-sequential %s -o %t && %t | FileCheck %s
// CHECK: 1 1
// CHECK-NEXT: 1 1
// CHECK-NEXT: 1 1
#include "op_seq.h"

#include <cstring>
#include <vector>

static void add(double *q) { q[0] += 1; }
static void twice(double *q) { q[0] *= 2; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<double> z(100, 1.0);
  op_set cells = op_decl_set(100, "cells");
  op_dat q = op_decl_dat(cells, 1, "double", z.data(), "q");
  int *count = nullptr;
  for (int i = 0; i < 4; ++i) {
    int before = count ? *count : 0;
    op_par_loop(add, "add", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    int between = count ? *count : 0;
    op_par_loop(twice, "twice", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    int after = count ? *count : 0;
    if (count)
      op_printf("%d %d\n", between - before, after - before);
    for (int k = 0; k < OP_kern_max; ++k)
      if (OP_kernels[k].name && !std::strcmp(OP_kernels[k].name, "add"))
        count = &OP_kernels[k].count;
  }
  op_exit();
}
