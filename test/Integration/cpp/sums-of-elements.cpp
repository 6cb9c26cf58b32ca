// What an element adds is rounded alike whether it runs in a group of elements
// or is left over, and whether its row is a thread's own: divided among any
// number of threads, every bit stays. Here products are added, of which the
// first could be rounded together with the row that it is added to.

// RUN: %op2cxx -O3 -march=x86-64-v3 -Werror=op2-sequential %s -o %t
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=1 %t > %t.1
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=2 %t > %t.2 && diff %t.1 %t.2
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=3 %t > %t.3 && diff %t.1 %t.3
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=5 %t > %t.5 && diff %t.1 %t.5
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=8 %t > %t.8 && diff %t.1 %t.8
// RUN: FileCheck %s < %t.1
// CHECK: 1009 cells, 1008 edges

#include "op_seq.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static inline void products(const double *a, const double *b, double *left,
                            double *right) {
  left[0] += *a * *b;
  left[0] += *a * 0.7;
  left[1] -= *b * *b;
  right[0] -= *a * *b;
  right[1] += *b * 1.1;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int ncell = 1009, nedge = ncell - 1;
  std::vector<int> ends;
  for (int n = 0; n < nedge; ++n)
    ends.insert(ends.end(), {n, n % 3 ? n + 1 : n}); // some have one end twice
  std::vector<double> a, sums(size_t(2) * ncell, 0.1);
  for (int n = 0; n < ncell; ++n)
    a.push_back(1.0 / (3 + n));
  op_set cells = op_decl_set(ncell, "cells");
  op_set edges = op_decl_set(nedge, "edges");
  op_map map = op_decl_map(edges, cells, 2, ends.data(), "map");
  op_dat x = op_decl_dat(cells, 1, "double", a.data(), "x");
  op_dat sum = op_decl_dat(cells, 2, "double", sums.data(), "sum");
  for (int round = 0; round < 3; ++round)
    op_par_loop(products, "products", edges,
                op_arg_dat(x, 0, map, 1, "double", OP_READ),
                op_arg_dat(x, 1, map, 1, "double", OP_READ),
                op_arg_dat(sum, 0, map, 2, "double", OP_INC),
                op_arg_dat(sum, 1, map, 2, "double", OP_INC));
  std::printf("%d cells, %d edges\n", ncell, nedge);
  op_fetch_data(sum, sums.data());
  for (double value : sums) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::printf("%016llx\n", static_cast<unsigned long long>(bits));
  }
  op_exit();
}
