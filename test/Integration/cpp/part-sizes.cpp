// OP_part_size changes while chains run in tiles: loops that threads divided by
// ownership run in coloured blocks from then on, and the other way round, with
// the bits that they have without chains.
//
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,seq %s -o %t
// RUN: env OP2_CHAIN=never OP2_OWNER=always OMP_NUM_THREADS=2 %t > %t.apart
// RUN: env OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=300 OP2_CHECK_PLAN=1 OMP_NUM_THREADS=2 %t | diff %t.apart -
// RUN: env OP2_CHAIN=auto OP2_OWNER=always OP2_TILE_SIZE=300 OMP_NUM_THREADS=3 %t | diff %t.apart -
// RUN: env OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=300 OMP_NUM_THREADS=2 %t diags | FileCheck %s
// CHECK: loop spread: ran 160 times {{.*}} in chains

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void spread(const double *a, const double *b, double *ra, double *rb) {
  double f = 0.1 * (*a - *b) + 1e-3;
  *ra -= f;
  *rb += f;
}
static void take(const double *r, double *q) { *q += 0.3 * *r; }
static void scale(double *r) { *r *= 0.5; }

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  const int n = 3000, m = 9000;
  std::vector<int> ends(2 * m);
  std::vector<double> values(n), zeros(n);
  for (int i = 0; i < m; ++i) {
    ends[2 * i] = i / 3;
    ends[2 * i + 1] = (i / 3 + 1 + i * 7 % 41) % n;
  }
  for (int i = 0; i < n; ++i)
    values[i] = 1.0 / (1 + i * 13 % 1000);
  op_set nodes = op_decl_set(n, "nodes"), edges = op_decl_set(m, "edges");
  op_map node = op_decl_map(edges, nodes, 2, ends.data(), "node");
  op_dat q = op_decl_dat(nodes, 1, "double", values.data(), "q");
  op_dat r = op_decl_dat(nodes, 1, "double", zeros.data(), "r");
  for (int step = 0; step < 160; ++step) {
    if (step % 40 == 30)
      OP_part_size = step % 80 == 30 ? 128 : 0;
    if (step == 140)
      OP_part_size = 37;
    op_par_loop(spread, "spread", edges,
                op_arg_dat(q, 0, node, 1, "double", OP_READ),
                op_arg_dat(q, 1, node, 1, "double", OP_READ),
                op_arg_dat(r, 0, node, 1, "double", OP_INC),
                op_arg_dat(r, 1, node, 1, "double", OP_INC));
    op_par_loop(take, "take", nodes,
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(scale, "scale", nodes,
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW));
    if (step % 10 == 9) {
      op_fetch_data(q, values.data());
      double sum = 0;
      for (double value : values)
        sum = sum * 1.000123 + value;
      std::printf("%.17g\n", sum);
    }
  }
  op_exit();
}
