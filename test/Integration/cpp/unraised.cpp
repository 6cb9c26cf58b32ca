// Loops whose kernels are not raised have owners, too, where all that they do is
// to change their arguments: kernels that ask whether an argument is there, that
// choose a row at run time, of rows whose dim or place only the run knows, of
// rows that fit on no stack, of columns of layers. Sums that are not exact have
// the bits of the sequential order for any number of threads, in the header as
// well; what an element adds to a row is summed first, also of such rows. They
// may wait, and go in tiles.
//
// REQUIRES: no-sanitizer
// RUN: %clangxx -O1 -march=native -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -march=native -std=c++17 -Werror=op2-sequential --op2-report --op2-target=seq,openmp %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=7 OP2_OWNER=always %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t diags | FileCheck %s
// RUN: %op2cxx %unoptimized -O1 -march=native -std=c++17 --op2-no-raise --op2-target=openmp %s -o %t.plain
// RUN: env OMP_NUM_THREADS=3 %t.plain | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=200 OP2_CHECK_PLAN=1 %t diags > %t.tiles
// RUN: FileCheck %s --check-prefix=TILES < %t.tiles && grep -v '^op2:' %t.tiles | diff %t.expected -
// Colours add in another order.
// RUN: env OMP_NUM_THREADS=2 OP2_OWNER=never %t > %t.colors && not diff %t.expected %t.colors
//
// REPORT-DAG: loop 'asks': {{.*}} by ownership, or
// REPORT-DAG: loop 'asks': kernel not raised: it compares pointers
// REPORT-DAG: loop 'chooses': kernel not raised: it computes which row
// REPORT-DAG: loop 'lengths': kernel not raised: {{.*}}run time only
// REPORT-DAG: loop 'says': {{.*}} by block colours, because its kernel has 'llvm.load', which may not run twice
// CHECK-DAG: op2: loop asks: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop chooses: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop lengths: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop wide: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop columns: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop writes: ran 3 times on openmp (ownership)
// TILES: chain chooses, lengths, wide, columns, writes: {{.*}} tiles
// CHECK-DAG: op2: loop says: ran 3 times on openmp (block colours)

#include "../ranks/Inputs/bits.h"

#include <random>
#include <vector>

// Long, so that little is at borders.
int const kWidth = 12, kLength = 700;
int const kDim = 3, kWide = 4200, kLevels = 12;
volatile int ticks = 0;

static void asks(const double *a, const double *b, double *ra, double *rb,
                 double *sum, int *count) {
  double f = (*a - *b) * 0.3;
  *ra += f;
  *ra += *b / 7;
  if (rb)
    *rb -= f * 0.7;
  *sum += f / 3;
  if (count)
    *count += 3;
}
static void chooses(const double *a, const int *which, double **r) {
  for (int i = 0; i < *which; ++i)
    r[(i + *which) & 3][0] += *a / (i + 3);
}
// Two times to one row, of a dim that the compiler does not know.
static void lengths(const double *w, double *ra, double *rb) {
  for (int i = 0; i < kDim; ++i) {
    ra[i] += w[0] / (i + 3);
    rb[i] -= w[0] * w[0];
    ra[i] += w[0] * 0.1;
  }
}
static void wide(const double *w, double *ra, double *rb) {
  for (int i = 0; i < kWide; i += 7) {
    ra[i] += *w * (i + 1);
    ra[i] += *w / (i + 3);
    rb[i] -= *w;
  }
}
static void columns(const double *w, double (*r)[2], double *one) {
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 4; ++i)
      r[i][k] = *w / (i + 3 + k);
    one[k] += *w * 0.3;
  }
}
// What is written directly is read again.
static void writes(const double *w, const int *flag, double *ra, double *rb,
                   double *own) {
  double *to = *flag & 1 ? ra : rb;
  own[0] = *w / 3;
  own[1] = own[0] * own[0];
  if (to == ra)
    own[1] += 1;
  *to += own[1] / 7;
}
// Others could notice how often they run.
static void says(const double *w, double *ra, double *rb) {
  *ra += *w / 3 + ticks;
  *rb -= *w / 7;
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  std::mt19937 next(5);
  int const cells = kWidth * kLength, nodes = (kWidth + 1) * (kLength + 1);
  std::vector<int> corner, which(cells);
  for (int y = 0; y < kLength; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int i : {0, 1, kWidth + 1, kWidth + 2})
        corner.push_back(y * (kWidth + 1) + x + i);
  std::vector<double> a(nodes), w(cells);
  for (double &v : a)
    v = 0.1 + (next() % 1000) / 333.0;
  for (double &v : w)
    v = 0.1 + (next() % 1000) / 333.0;
  for (int &v : which)
    v = next() % 5;
  op_set cellSet = op_decl_set(cells, "cells");
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_map pcorner = op_decl_map(cellSet, nodeSet, 4, corner.data(), "corner");
  op_dat pa = op_decl_dat(nodeSet, 1, "double", a.data(), "a");
  op_dat pw = op_decl_dat(cellSet, 1, "double", w.data(), "w");
  op_dat pwhich = op_decl_dat(cellSet, 1, "int", which.data(), "which");
  auto make = [&](op_set set, int dim, char const *name) {
    std::vector<double> zero(std::size_t(set->size) * std::size_t(dim));
    return op_decl_dat(set, dim, "double", zero.data(), name);
  };
  op_dat r = make(nodeSet, 1, "r"), colored = make(nodeSet, 1, "c"), own = make(cellSet, 2, "own");
  int dim = kDim + (argc > 90), wideDim = kWide;
  op_dat rows = make(nodeSet, dim, "rows");
  std::vector<double> zero(std::size_t(nodes * kLevels));
  op_dat levels = op_decl_dat_layers(nodeSet, kLevels, 1, "double", zero.data(), "levels");
  op_dat other = op_decl_dat_layers(nodeSet, kLevels, 1, "double", zero.data(), "other");
  int const few = 1300; // or wide rows would take 300 MB
  std::vector<int> pairs;
  for (int i = 0; i < few; ++i)
    pairs.insert(pairs.end(), {i, i + 1});
  op_set links = op_decl_set(few, "links"), knots = op_decl_set(few + 1, "knots");
  op_map plinks = op_decl_map(links, knots, 2, pairs.data(), "plinks");
  op_dat pl = op_decl_dat(links, 1, "double", w.data(), "pl");
  op_dat wideRows = make(knots, wideDim, "wide");
  std::vector<int> ranges;
  for (int c = 0; c < cells; ++c)
    ranges.insert(ranges.end(), {c % 3, kLevels - 1 - c % 2});
  op_layers layers = op_decl_layers_varying(cellSet, ranges.data(), "layers");

  double sum = 0;
  int count = 0;
  for (int n = 0; n < 3; ++n) {
    int isThere = n != 1;
    op_par_loop(asks, "asks", cellSet,
                op_arg_dat(pa, 0, pcorner, 1, "double", OP_READ),
                op_arg_dat(pa, 3, pcorner, 1, "double", OP_READ),
                op_arg_dat(r, 1, pcorner, 1, "double", OP_INC),
                op_opt_arg_dat(isThere, r, 2, pcorner, 1, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_opt_arg_gbl(isThere, &count, 1, "int", OP_INC));
    op_par_loop(chooses, "chooses", cellSet,
                op_arg_dat(pa, 0, pcorner, 1, "double", OP_READ),
                op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(r, -4, pcorner, 1, "double", OP_INC));
    op_par_loop(lengths, "lengths", cellSet,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(rows, 0, pcorner, dim, "double", OP_INC),
                op_arg_dat(rows, 3, pcorner, dim, "double", OP_INC));
    op_par_loop(wide, "wide", links,
                op_arg_dat(pl, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(wideRows, 0, plinks, 4200, "double", OP_INC),
                op_arg_dat(wideRows, 1, plinks, 4200, "double", OP_INC));
    op_par_loop(columns, "columns", layers,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat_layers(levels, -4, pcorner, 0, 2, 1, "double", OP_INC),
                op_arg_dat_layers(other, 2, pcorner, 0, 2, 1, "double", OP_INC));
    op_par_loop(writes, "writes", cellSet,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(r, 0, pcorner, 1, "double", OP_INC),
                op_arg_dat(r, 3, pcorner, 1, "double", OP_INC),
                op_arg_dat(own, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(says, "says", cellSet,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(colored, 1, pcorner, 1, "double", OP_INC),
                op_arg_dat(colored, 2, pcorner, 1, "double", OP_INC));
  }
  print("r", r);
  print("own", own);
  print("rows", rows);
  print("wide", wideRows);
  print("levels", levels);
  print("other", other);
  op_printf("sum %.17g, %d\n", sum, count);
  op_exit();
}
