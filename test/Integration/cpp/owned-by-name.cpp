// A kernel that reads, by its name, the program's array in which a dat lies: where
// the loop writes the dat directly, an element must not run again behind its
// owner, so the loop is coloured.
//
// REQUIRES: no-undefined-sanitizer
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t OP_NO_REALLOC > %t.seq
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always %t OP_NO_REALLOC | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always %t OP_NO_REALLOC diags | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always %t diags | FileCheck %s --check-prefix=APART
//
// CHECK: loop relax: ran 4 times on openmp (block colours)
// APART: loop relax: ran 4 times on openmp (ownership)

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kEdges = 40000;
static double stored[kEdges];

static void relax(const int *n, double *row, double *ra, double *rb) {
  double old = stored[*n];
  row[0] = old / 2 + 1;
  ra[0] += old;
  rb[0] -= old * 0.5;
}

int main(int argc, char **argv) {
  bool tells = !std::strcmp(argv[argc - 1], "diags");
  op_init(argc, argv, tells ? 2 : 0);
  std::vector<int> table(2 * kEdges);
  for (int n = 0; n < kEdges; ++n) {
    table[2 * n] = n * 7 % kEdges;
    table[2 * n + 1] = (n * 7 + 1) % kEdges;
    stored[n] = n % 16;
  }
  std::vector<double> zeros(kEdges);
  op_set edges = op_decl_set(kEdges, "edges"), nodes = op_decl_set(kEdges, "nodes");
  op_map ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
  op_dat row = op_decl_dat(edges, 1, "double", stored, "row");
  op_dat sum = op_decl_dat(nodes, 1, "double", zeros.data(), "sum");
  for (int i = 0; i < 4; ++i)
    op_par_loop(relax, "relax", edges, op_arg_idx(-1, OP_ID),
                op_arg_dat(row, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(sum, 0, ends, 1, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 1, "double", OP_INC));
  std::vector<double> all(kEdges);
  op_fetch_data(sum, all.data());
  for (int n = 0; n < kEdges; n += 97)
    std::printf("%g %g\n", all[n], stored[n]);
  op_exit();
}
