// Increments through maps have the order of the elements, whatever the number of
// threads: with ownership all targets have the sums of the sequential oracle,
// bit by bit. A grid, which is divided without being told to; the same shuffled,
// which only is if it must; two maps into two sets, vector arguments, vectors of
// elements and single ones.
//
//
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 OP2_CHECK_PLAN=1 %t > %t.1
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t > %t.2
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=5 OP2_CHECK_PLAN=1 %t > %t.5
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=8 OP2_CHECK_PLAN=1 OP2_OWNER=always %t > %t.8
// RUN: diff %t.seq %t.8
// RUN: diff %t.1 %t.2
// RUN: diff %t.1 %t.5
// RUN: grep grid %t.seq > %t.seq.grid && grep grid %t.5 | diff %t.seq.grid -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t diags | FileCheck %s
// RUN: %op2cxx %unoptimized -O2 -std=c++17 -Werror=op2-sequential --op2-target=openmp --op2-vector-bits=0 %s -o %t.scalar
// RUN: env OMP_NUM_THREADS=4 OP2_OWNER=always %t.scalar | diff %t.seq -
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=openmp --op2-vector-bits=256 %s -o %t.groups
// RUN: env OMP_NUM_THREADS=4 OP2_OWNER=always OP2_CHECK_PLAN=1 %t.groups | diff %t.seq -
// RUN: env OMP_NUM_THREADS=8 OP2_OWNER=always %t.groups | diff %t.seq -
// RUN: %op2cxx %unoptimized -O2 -std=c++17 --op2-target=openmp --op2-strategy=two-level %s -o %t.colors
// RUN: env OMP_NUM_THREADS=3 %t.colors diags | FileCheck %s --check-prefix=COLORS
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=never %t diags | FileCheck %s --check-prefix=NEVER
// RUN: not env OP2_OWNER=perhaps %t 2>&1 | FileCheck %s --check-prefix=PERHAPS
//
// CHECK: op2: plan for loop spread over edges ({{[0-9]+}} elements): 3 parts in {{[0-9]+}} pieces, {{[0-9]+}} elements twice or more
// CHECK: op2: plan for loop spread over edges ({{[0-9]+}} elements): {{[0-9]+}} blocks of {{[0-9]+}}, {{[0-9]+}} colours
// CHECK: loop spread: compiled for seq (sequential), openmp (ownership)
// CHECK: loop spread: ran 6 times on openmp (block colours)
// COLORS-NOT: parts in
// COLORS: loop spread: ran {{[0-9]+}} times on openmp (block colours)
// NEVER-NOT: parts in
// PERHAPS: op2 error: OP2_OWNER=perhaps: expected one of auto, always, never

#include "Inputs/grid.h"
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void spread(const double *a, const double *b, double *ra, double *rb,
                   double *half) {
  double flux = (a[0] - b[1]) * 0.3 + a[1] / b[0];
  for (int i = 0; i < 3; ++i) {
    ra[i] += flux * (i + 1);
    rb[i] -= flux / (i + 3);
  }
  half[0] += flux * flux;
}

static void rows(double **r, const double *a) {
  r[0][0] += a[0] / 7;
  r[1][2] += a[1] / 3;
}

static unsigned long long bits(const std::vector<double> &values) {
  unsigned long long hash = 1469598103934665603ull;
  for (double value : values) {
    unsigned long long word;
    std::memcpy(&word, &value, sizeof word);
    hash = (hash ^ word) * 1099511628211ull;
  }
  return hash;
}

/// Sums over a grid of width * height nodes, numbered as `number` says.
static void run(const char *name, int width, int height,
                const std::vector<int> &number) {
  std::vector<int> table = gridEdges(width, height, number), halves;
  int nodes = width * height, edges = int(table.size() / 2);
  for (int n = 0; n < edges; ++n)
    halves.push_back(table[2 * n] / 2);
  std::vector<double> values = gridValues(number);
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_set edgeSet = op_decl_set(edges, "edges");
  op_set halfSet = op_decl_set(nodes / 2, "halves");
  op_map ends = op_decl_map(edgeSet, nodeSet, 2, table.data(), "ends");
  op_map toHalf = op_decl_map(edgeSet, halfSet, 1, halves.data(), "to_half");
  std::vector<double> zeros(3 * nodes);
  op_dat value = op_decl_dat(nodeSet, 2, "double", values.data(), "value");
  op_dat sum = op_decl_dat(nodeSet, 3, "double", zeros.data(), "sum");
  op_dat half = op_decl_dat(halfSet, 1, "double", zeros.data(), "half");
  for (int i = 0; i < 3; ++i) {
    op_par_loop(spread, "spread", edgeSet,
                op_arg_dat(value, 0, ends, 2, "double", OP_READ),
                op_arg_dat(value, 1, ends, 2, "double", OP_READ),
                op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 3, "double", OP_INC),
                op_arg_dat(half, 0, toHalf, 1, "double", OP_INC));
    op_par_loop(rows, "rows", edgeSet,
                op_arg_dat(sum, -2, ends, 3, "double", OP_INC),
                op_arg_dat(value, 1, ends, 2, "double", OP_READ));
  }
  std::vector<double> sums(3 * nodes), halfSums(nodes / 2);
  op_fetch_data(sum, sums.data());
  op_fetch_data(half, halfSums.data());
  std::printf("%s %016llx %016llx\n", name, bits(sums), bits(halfSums));
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  onGrids(24 * 1500, [](const char *name, const std::vector<int> &number) {
    run(name, 24, 1500, number);
  });
  op_exit();
}
