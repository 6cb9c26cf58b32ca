// What loops do besides their increments through maps, where rows have owners:
// sums of globals count an element once, and rows that an element writes, or
// adds to, directly are its owner's. All values have the bits of the
// sequential oracle, for any number of threads, in tiles and loop after loop.
//
// Kernels with UBSan's checks are not raised, and have no owners.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OMP_NUM_THREADS=1 OP2_CHECK_PLAN=1 OP2_OWNER=always %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 OP2_OWNER=always %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=5 OP2_CHECK_PLAN=1 OP2_OWNER=always OP2_CHAIN=never %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=8 OP2_CHECK_PLAN=1 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=500 %t | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=200 %t | diff %t.seq -
// RUN: grep grid %t.seq > %t.grid && env OMP_NUM_THREADS=4 OP2_CHECK_PLAN=1 %t | grep grid | diff %t.grid -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always %t diags | FileCheck %s
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=openmp --op2-vector-bits=256 %s -o %t.groups
// RUN: env OMP_NUM_THREADS=4 OP2_CHECK_PLAN=1 OP2_OWNER=always %t.groups | diff %t.seq -
// RUN: env OMP_NUM_THREADS=7 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=700 %t.groups | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=800 %t diags | FileCheck %s --check-prefix=TILES
//
// TILES: op2: chain push, relax2, push{{.*}}: {{[0-9]+}} tiles, {{[0-9]+}} elements twice or more
// CHECK: op2: plan for loop flow over edges ({{[0-9]+}} elements): 3 parts in {{[0-9]+}} pieces, {{[0-9]+}} elements twice or more
// CHECK-DAG: loop flow: ran {{[0-9]+}} times on openmp (ownership)
// CHECK-DAG: loop count: ran {{[0-9]+}} times on openmp (ownership)
// CHECK-DAG: loop both: ran {{[0-9]+}} times on openmp (block colours)
// CHECK-DAG: loop move: ran {{[0-9]+}} times on openmp (ownership)
// CHECK-DAG: loop large: ran {{[0-9]+}} times on openmp (ownership)
// CHECK-DAG: loop again: ran {{[0-9]+}} times on openmp (block colours)

#include "Inputs/grid.h"
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

// `flux` is written, read again, and written several times.
static void flow(const double *a, const double *b, double *ra, double *rb,
                 double *flux, double *work, double *total) {
  flux[0] = (a[0] - b[1]) * 0.3;
  for (int i = 0; i < 2; ++i)
    flux[0] += a[1] / b[0];
  flux[1] = flux[0] / 3;
  for (int i = 0; i < 3; ++i) {
    ra[i] += flux[0] * (i + 1);
    rb[i] -= flux[1] / (i + 3);
  }
  work[0] += flux[0] * 1e-3;
  total[0] += flux[0] * flux[0];
  total[1] += flux[1] / 7;
}

// In tiles: without a sum.
static void push(const double *a, const double *b, double *ra, double *rb,
                 double *flux) {
  for (int i = 0; i < 2; ++i)
    flux[i] = 0;
  for (int i = 0; i < 2; ++i)
    flux[i] += (a[i] - b[1 - i]) * 0.4;
  ra[0] += flux[0] / 7;
  rb[2] -= flux[1] / 5;
}

// Looks at what the loop before has written, on both sides of borders.
static void relax(const double *flux, const double *work, double *value) {
  value[0] += flux[0] * work[0] * 1e-4;
  value[1] -= flux[1] * 1e-5;
}

// A sum, and increments that may be off.
static void count(const double *flux, double **r, double *maybe,
                  const int *is, float *total) {
  r[0][0] += flux[0] / 9;
  r[1][2] -= flux[1] / 11;
  if (*is)
    maybe[0] += flux[0] / 13;
  total[0] += float(flux[0]);
}

// Reads what it changes directly: not by owners.
static void both(double *work, double *ra, double *rb) {
  work[0] = work[0] * 0.5 + 1;
  ra[0] += work[0];
  rb[1] += work[0];
}

// The same through two handles, which only the running program knows.
static void again(const double *old, double *work, double *ra, double *rb) {
  double half = old[0] / 2;
  work[0] += half;
  ra[0] += half;
  rb[1] -= half;
}

// One row through maps: each element has one owner, and may read what it
// changes.
static void move(double *work, const double *flux, double *row, int *far,
                 int *most) {
  work[0] = work[0] * 0.75 + flux[0] / 3;
  row[1] = row[1] * 0.9 + work[0] / 7;
  if (work[0] > 0.5)
    far[1] += 1;
  if (int(row[1]) > most[0])
    most[0] = int(row[1]);
}

// An integer that counts elements with several owners.
static void large(const double *flux, double *ra, double *rb, int *counts) {
  ra[2] += flux[0] / 17;
  rb[2] -= flux[1] / 19;
  for (int i = 0; i < 20; ++i)
    counts[i] += flux[0] > 0.1 * i ? i + 1 : 0;
}

static unsigned long long bits(const void *values, std::size_t bytes) {
  unsigned long long hash = 1469598103934665603ull;
  for (std::size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char *>(values)[i]) *
           1099511628211ull;
  return hash;
}

static void print(const char *name, op_dat dat, int values) {
  std::vector<double> all(values);
  op_fetch_data(dat, all.data());
  std::printf("%s %s %016llx\n", name, dat->name,
              bits(all.data(), all.size() * sizeof(double)));
}

static void run(const char *name, int width, int height,
                const std::vector<int> &number) {
  std::vector<int> table = gridEdges(width, height, number), self;
  int nodes = width * height, edges = int(table.size() / 2);
  std::vector<double> values = gridValues(number);
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_set edgeSet = op_decl_set(edges, "edges");
  op_map ends = op_decl_map(edgeSet, nodeSet, 2, table.data(), "ends");
  for (int n = 0; n < nodes; ++n)
    self.push_back(n * 2 < edges ? n * 2 : edges - 1);
  op_map edge = op_decl_map(nodeSet, edgeSet, 1, self.data(), "edge");
  std::vector<double> zeros(3 * edges);
  op_dat value = op_decl_dat(nodeSet, 2, "double", values.data(), "value");
  op_dat sum = op_decl_dat(nodeSet, 3, "double", zeros.data(), "sum");
  // Colours add in an order of their own: never looked at.
  op_dat loose = op_decl_dat(nodeSet, 3, "double", zeros.data(), "loose");
  op_dat maybe = op_decl_dat(nodeSet, 1, "double", zeros.data(), "maybe");
  op_dat flux = op_decl_dat(edgeSet, 2, "double", zeros.data(), "flux");
  op_dat work = op_decl_dat(edgeSet, 1, "double", zeros.data(), "work");
  op_dat other = op_decl_dat_overlay(edgeSet, work);
  for (int i = 0; i < 4; ++i) {
    double total[2] = {0.1 * i, 1};
    float small[1] = {0.5f};
    int is = i % 2, counts[20] = {}, most = 0;
    for (int twice = 0; twice < 2; ++twice) {
      op_par_loop(flow, "flow", edgeSet,
                  op_arg_dat(value, 0, ends, 2, "double", OP_READ),
                  op_arg_dat(value, 1, ends, 2, "double", OP_READ),
                  op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                  op_arg_dat(sum, 1, ends, 3, "double", OP_INC),
                  op_arg_dat(flux, -1, OP_ID, 2, "double", OP_WRITE),
                  op_arg_dat(work, -1, OP_ID, 1, "double", OP_INC),
                  op_arg_gbl(total, 2, "double", OP_INC));
      op_par_loop(relax, "relax", nodeSet,
                  op_arg_dat(flux, 0, edge, 2, "double", OP_READ),
                  op_arg_dat(work, 0, edge, 1, "double", OP_READ),
                  op_arg_dat(value, -1, OP_ID, 2, "double", OP_INC));
    }
    for (int again = 0; again < 16; ++again) {
      op_par_loop(push, "push", edgeSet,
                  op_arg_dat(value, 0, ends, 2, "double", OP_READ),
                  op_arg_dat(value, 1, ends, 2, "double", OP_READ),
                  op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                  op_arg_dat(sum, 1, ends, 3, "double", OP_INC),
                  op_arg_dat(flux, -1, OP_ID, 2, "double", OP_WRITE));
      op_par_loop(relax, "relax2", nodeSet,
                  op_arg_dat(flux, 0, edge, 2, "double", OP_READ),
                  op_arg_dat(work, 0, edge, 1, "double", OP_READ),
                  op_arg_dat(value, -1, OP_ID, 2, "double", OP_INC));
    }
    op_par_loop(count, "count", edgeSet,
                op_arg_dat(flux, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(sum, -2, ends, 3, "double", OP_INC),
                op_opt_arg_dat(is, maybe, 1, ends, 1, "double", OP_INC),
                op_arg_gbl(&is, 1, "int", OP_READ),
                op_arg_gbl(small, 1, "float", OP_INC));
    op_par_loop(both, "both", edgeSet,
                op_arg_dat(work, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(loose, 0, ends, 3, "double", OP_INC),
                op_arg_dat(loose, 1, ends, 3, "double", OP_INC));
    op_par_loop(again, "again", edgeSet,
                op_arg_dat(other, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(work, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(loose, 0, ends, 3, "double", OP_INC),
                op_arg_dat(loose, 1, ends, 3, "double", OP_INC));
    op_par_loop(move, "move", edgeSet,
                op_arg_dat(work, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(flux, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(sum, 1, ends, 3, "double", OP_RW),
                op_arg_gbl(counts, 2, "int", OP_INC),
                op_arg_gbl(&most, 1, "int", OP_MAX));
    op_par_loop(large, "large", edgeSet,
                op_arg_dat(flux, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(sum, 0, ends, 3, "double", OP_INC),
                op_arg_dat(sum, 1, ends, 3, "double", OP_INC),
                op_arg_gbl(counts, 20, "int", OP_INC));
    std::printf("%s %016llx %d\n", name, bits(counts, sizeof counts), most);
    std::printf("%s %016llx %016llx\n", name, bits(total, sizeof total),
                bits(small, sizeof small));
    print(name, sum, 3 * nodes);
    print(name, flux, 2 * edges);
    print(name, work, edges);
    print(name, value, 2 * nodes);
    print(name, maybe, nodes);
  }
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  onGrids(24 * 1500, [](const char *name, const std::vector<int> &number) {
    run(name, 24, 1500, number);
  });
  op_exit();
}
