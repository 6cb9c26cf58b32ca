// Ranks that free different subsets, also of one name, or of which one frees and
// others declare: an error at once. Files have what those of one process have.
//
// REQUIRES: mpi, hdf5
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi %s -o %t
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t | FileCheck %s
// CHECK: sum 1760
// RUN: env OP2_RANKS=whole not %mpirun -n 3 %t others 2>&1 | FileCheck %s --check-prefix=OTHERS
// OTHERS: ranks do different things: rank 0 runs op_free_subset (set 1) wet, its message number {{[0-9]+}}, and rank {{[12]}} op_free_subset (set 2) wet
// RUN: env OP2_RANKS=whole not %mpirun -n 2 %t keeps 2>&1 | FileCheck %s --check-prefix=KEEPS
// KEEPS: ranks do different things: rank 0 runs op_decl_subset wet, its message number {{[0-9]+}}, and rank 1 op_free_subset (set 1) wet
// RUN: env OP2_RANKS=whole %t %t.one.h5 && env OP2_RANKS=whole %mpirun -n 2 %t %t.two.h5
// RUN: h5dump -n 1 %t.one.h5 | tail -n +2 > %t.one.txt && h5dump -n 1 %t.two.h5 | tail -n +2 | diff %t.one.txt -
// RUN: h5diff %t.one.h5 %t.two.h5

#include "op_seq.h"
#include "op_hdf5.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void add(double *x, double *sum) {
  *x += 1;
  *sum += *x;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *word) { return argc > 1 && !std::strcmp(argv[1], word); };
  const int n = 40;
  std::vector<int> next(n), some, other;
  for (int i = 0; i < n; ++i) {
    next[i] = (i + 3) % n;
    (i % 3 ? some : other).push_back(i);
  }
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  op_set cells = op_decl_set(n, "cells");
  op_map to = op_decl_map(cells, cells, 1, next.data(), "to");
  op_dat x = op_decl_dat(cells, 1, "double", values.data(), "x");
  double sum = 0;
  op_par_loop(add, "add", cells, op_arg_dat(x, 0, to, 1, "double", OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
  op_subset wet = op_decl_subset(cells, int(some.size()), some.data(), "wet");
  op_subset dry = op_decl_subset(cells, int(other.size()), other.data(), "wet");
  if (is("others"))
    op_free_subset(op_is_root() ? wet : dry);
  if (is("keeps") && !op_is_root())
    op_free_subset(wet);
  if (is("keeps"))
    op_decl_subset(cells, int(some.size()), some.data(), "wet");
  sum = 0;
  op_par_loop(add, "add", wet, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
  op_par_loop(add, "add", dry, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
  op_free_subset(wet);
  op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&sum, 1, "double", OP_INC));
  op_printf("sum %g\n", sum);
  // No map that nobody asked for.
  if (argc > 1)
    op_dump_to_hdf5(argv[1]);
  op_exit();
}
