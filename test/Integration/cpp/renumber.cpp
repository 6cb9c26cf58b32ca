// Sets renumbered inside of the library: by the option, by op_partition and by
// op_renumber, before and between loops. Values are whole numbers, so that every
// order of sums gives the same, and come back in the program's order.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_RENUMBER=rcm %t.dev > %t.out && diff %t.expected %t.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq OP2_RENUMBER=rcm %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_RENUMBER=rcm > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=hilbert %t partition > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=hilbert:where %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp %t renumber > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 OP2_RENUMBER=rcm %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=emulator %t renumber > %t.out && diff %t.expected %t.out
//
// The same bits for any number of threads.
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OMP_NUM_THREADS=1 %t thirds > %t.one
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OMP_NUM_THREADS=5 %t thirds > %t.five && diff %t.one %t.five
//
// RUN: not env OP2_TARGET=seq OP2_RENUMBER=metis %t 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: op2 error: OP2_RENUMBER=metis: expected one of rcm, hilbert, hilbert:<dat>, none
// RUN: env OP2_RENUMBER=none %t.dev index > %t.expected
// RUN: env OP2_RENUMBER=rcm %t.dev index > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm %t index > %t.out 2> %t.err && diff %t.expected %t.out
// RUN: FileCheck %s --check-prefix=INDEX < %t.err
// RUN: env OP2_TARGET=emulator OP2_RENUMBER=rcm %t index > %t.out 2> %t.err && diff %t.expected %t.out
// INDEX: op2 warning: loop number ({{.*}}renumber.cpp:{{[0-9]+}}), argument 0: op_arg_idx brings set cells, which was renumbered, back
//
// CHECK: sum 5050
// CHECK: cell 0:

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

static void spread(const double *w, double *left, double *right) {
  *left += *w;
  *right -= 2 * *w;
}
static void smooth(const double *const *corner, double *cell, double *sum) {
  *cell = *cell + corner[0][0] + 3 * corner[1][0];
  *sum += *cell;
}
static void number(const int *own, int *out) { *out = *own; }
static void third(double *w) { *w /= 3; }

int main(int argc, char **argv) {
  auto has = [&](const char *word) {
    return argc > 1 && std::strcmp(argv[1], word) == 0;
  };
  op_init(argc, argv, 0);
  const int size = 101;
  std::vector<int> place(size), ends;
  std::iota(place.begin(), place.end(), 0);
  std::mt19937 random(1);
  for (int n = size - 1; n > 0; --n)
    std::swap(place[n], place[random() % (n + 1)]);
  for (int n = 0; n + 1 < size; ++n)
    ends.insert(ends.end(), {place[n], place[n + 1]});
  std::vector<double> weight(size - 1), where(size), zero(size);
  std::iota(weight.begin(), weight.end(), 1);
  for (int n = 0; n < size; ++n)
    where[place[n]] = n;

  op_set cells = op_decl_set(size, "cells");
  op_set edges = op_decl_set(size - 1, "edges");
  op_map edge = op_decl_map(edges, cells, 2, ends.data(), "edge");
  op_dat w = op_decl_dat(edges, 1, "double", weight.data(), "w");
  op_dat x = op_decl_dat(cells, 1, "double", zero.data(), "x");
  op_dat y = op_decl_dat(edges, 1, "double", weight.data(), "y");
  op_dat at = op_decl_dat(cells, 1, "double", where.data(), "where");
  if (has("partition"))
    op_partition("PTSCOTCH", "KWAY", edges, edge, at);
  if (has("thirds"))
    op_par_loop(third, "third", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_RW));

  double sum = 0;
  for (int step = 0; step < 3; ++step) {
    op_par_loop(spread, "spread", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(x, 0, edge, 1, "double", OP_INC),
                op_arg_dat(x, 1, edge, 1, "double", OP_INC));
    if (has("renumber"))
      op_renumber(edge);
    op_par_loop(smooth, "smooth", edges,
                op_arg_dat(x, -2, edge, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&sum, 1, "double", OP_INC));
  }
  if (has("index")) {
    op_dat own = op_decl_dat(cells, 1, "int", (int *)nullptr, "own");
    op_par_loop(number, "number", cells, op_arg_idx(-1, OP_ID),
                op_arg_dat(own, -1, OP_ID, 1, "int", OP_WRITE));
    std::vector<int> numbers(size);
    op_fetch_data(own, numbers.data());
    std::printf("numbers %d %d %d\n", numbers[0], numbers[1], numbers[2]);
  }

  std::vector<double> values(size);
  op_fetch_data(w, values.data());
  std::printf("sum %.17g\n",
              std::accumulate(values.begin(), values.begin() + size - 1, 0.0));
  op_fetch_data(x, values.data());
  for (int n = 0; n < size; ++n)
    std::printf("cell %d: %.17g\n", n, values[n]);
  op_fetch_data(y, values.data());
  for (int n = 0; n + 1 < size; ++n)
    std::printf("edge %d: %.17g\n", n, values[n]);
  std::printf("all %.17g\n", sum);
  op_exit();
  return 0;
}
