// Loops over subsets on ranks: the bits of one process, with every access, where
// each rank declares the whole mesh; and where each declares a block. Subsets are
// declared before the mesh is divided, and others when it is.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O2 -march=native -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_CHECK_PLAN=1 -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_RANKS=mirrored -- %t | FileCheck %s
// RUN: %clangxx -std=c++17 -O0 -ffp-contract=off %op2api %s -o %t.header \
// RUN:   -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" -- %t.header | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_CHECK_PLAN=1 -- %t key | FileCheck %s
// CHECK: ways, the same output
// RUN: %t.header > %t.alone
// RUN: env OP2_TARGET=openmp %t > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks %mpirun -n 2 %t 2 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:5 OP2_CHECK_PLAN=1 %mpirun -n 4 %t 4 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:3 %mpirun -n 3 %t 3 OP_NO_REALLOC > %t.out && diff %t.alone %t.out
// RUN: env OP2_RANKS=blocks OP2_PARTITION=random:2 %mpirun -n 3 %t.header 3 > %t.out && diff %t.alone %t.out
//
// RUN: env OP2_RANKS=blocks not %mpirun -n 2 %t 2 far 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: op_decl_subset far: element 0 is 0; expected 256..511 (this rank's block of set cells has 256 elements)
// RUN: env OP2_RANKS=blocks not %mpirun -n 2 %t 2 next 2>&1 | FileCheck %s --check-prefix=NEXT
// NEXT: op_compose_map: element 240, slot 0 of map next is element 256 of set cells, which another rank declares; expected elements of the own block, 0..255
// RUN: env OP2_RANKS=blocks not %mpirun -n 2 %t 2 far-late 2>&1 | FileCheck %s --check-prefix=FARLATE
// FARLATE: op_decl_subset late: element 0 is 0; expected 256..511 (this rank's block of set cells has 256 elements)
// RUN: env OP2_RANKS=whole not %mpirun -n 2 %t others 2>&1 | FileCheck %s --check-prefix=OTHERS
// OTHERS: subset others: rank 1 chooses other elements of set cells than rank 0; expected the same on each (OP2_RANKS=whole)
// RUN: env OP2_RANKS=whole not %mpirun -n 2 %t compose 2>&1 | FileCheck %s --check-prefix=COMPOSE
// COMPOSE: op_compose_map: ranks already have their parts of the mesh; expected maps next and next to be composed by op_compose_map before op_partition and the first loop

#include "Inputs/bits.h"

#include <cstring>
#include <string>
#include <vector>

static void wall(const double *w, double *q, double *written,
                 const double *const *corner, double *x, double **xs,
                 const int *cell, const int *node, double *sum, double *most,
                 int *where) {
  *q = *q * 0.7 + *w + corner[0][0] - corner[2][0];
  *written = *w / 3 + *cell + 0.1 * *node;
  *x += *w / 7;
  for (int i = 0; i < 4; ++i)
    xs[i][0] += *q / (i + 3);
  *sum += *w / 3;
  if (*w * *cell > *most) {
    *most = *w * *cell;
    *where = *cell;
  }
}
static void pass(const double *w, double *own, double *next) {
  *own += *w / 3;
  *next += *w / 11;
}
static void swap_in(double *q, const double *w) { *q = *q * 0.5 + *w; }
static void mark(int *flag, const double *q, const int *cell) {
  *flag = *q > 2.5 && *cell % 7;
}
static void third(int *flag, const int *cell) { *flag = *cell % 3 == 0; }
static void inside(double *own, const double *q, double *const *x, const int *cell) {
  *own += *q / 3 + *cell;
  for (int i = 0; i < 4; ++i)
    x[i][0] += *q / (i + 7);
}
static void weigh(double *weight, const double *q) { *weight += *q / 3; }
static void all(double *q, double *own) {
  *q += 1;
  *own *= 1.25;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *word) {
    return argc > 1 && !std::strcmp(argv[argc - 1], word);
  };
  int rank, ranks = countBlocks(argc, argv, rank);
  const int n = 16, ncell = 2 * n * n, nnode = (2 * n + 1) * (n + 1);
  auto begin = [&](int size, int of) { return size * of / ranks; };
  int cell0 = begin(ncell, rank), cell1 = begin(ncell, rank + 1);
  int node0 = begin(nnode, rank), node1 = begin(nnode, rank + 1);
  std::vector<int> corner, next, some, half;
  std::vector<double> w0, q0, x0;
  std::vector<int> flags;
  for (int c = cell0; c < cell1; ++c) {
    int i = c / n, j = c % n, at = i * (n + 1) + j;
    corner.insert(corner.end(), {at, at + 1, at + n + 2, at + n + 1});
    next.push_back((c + n) % ncell);
    if (c % 5 == 0 || i == 0)
      some.push_back(c);
    flags.push_back(j == 0 || j == n - 1);
    w0.push_back(1.0 + c * 37 % 101 / 7.0);
    q0.push_back(c % 13 / 3.0);
  }
  for (int p = node0; p < node1; ++p)
    x0.push_back(p % 17 / 11.0);
  // With OP_NO_REALLOC these are the dats' own.
  std::vector<double> written0 = q0, mixed0 = q0, v0 = x0;
  op_set cells = op_decl_set(cell1 - cell0, "cells");
  op_set nodes = op_decl_set(node1 - node0, "nodes");
  op_map pcell = op_decl_map(cells, nodes, 4, corner.data(), "pcell");
  op_map pnext = op_decl_map(cells, cells, 1, next.data(), "next");
  op_dat w = op_decl_dat(cells, 1, "double", w0.data(), "w");
  op_dat q = op_decl_dat(cells, 1, "double", q0.data(), "q");
  op_dat written = op_decl_dat(cells, 1, "double", written0.data(), "written");
  op_dat mixed = op_decl_dat(cells, 1, "double", mixed0.data(), "mixed");
  op_dat x = op_decl_dat(nodes, 1, "double", x0.data(), "x");
  op_dat v = op_decl_dat(nodes, 1, "double", v0.data(), "v");
  op_dat flag = op_decl_dat(cells, 1, "int", flags.data(), "flag");
  if (is("far")) {
    int zero = 0;
    op_decl_subset(cells, 1, &zero, "far");
  }
  if (is("next"))
    op_compose_map(pnext, pnext);
  op_subset a = op_decl_subset(cells, int(some.size()), some.data(), "some");
  op_subset b = op_decl_subset_where(cells, flag, "sides");
  if (is("key"))
    op_renumber_by(cells, flag);
  op_subset none = op_decl_subset(cells, 0, nullptr, "none");
  double sum = 0.5, most = -1;
  int where = -1;
  op_subset inner = nullptr;
  op_map corners = nullptr;
  op_dat own = nullptr, weight = nullptr;
  std::vector<double> weights;
  for (int c : some)
    weights.push_back(c % 11 / 7.0);
  for (int step = 0; step < 3; ++step) {
    if (step == 1) {
      // What loops have found, and what the program knows; of a subset, too.
      op_par_loop(mark, "mark", cells,
                  op_arg_dat(flag, -1, OP_ID, 1, "int", OP_WRITE),
                  op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_idx(-1, OP_ID));
      b = op_decl_subset_where(cells, flag, "marked");
      a = op_decl_subset(cells, int(some.size()), some.data(), "late");
      none = op_decl_subset(cells, 0, nullptr, "nothing");
      weight = op_decl_dat(a->set, 1, "double", weights.data(), "weight");
      op_dat ofThree = op_decl_dat(b->set, 1, "int", (int *)nullptr, "ofThree");
      op_par_loop(third, "third", b->set,
                  op_arg_dat(ofThree, -1, OP_ID, 1, "int", OP_WRITE),
                  op_arg_idx(0, b->map));
      inner = op_decl_subset_where(b->set, ofThree, "inner");
      corners = op_compose_map(pcell, b->map);
      own = op_decl_dat(b->set, 1, "double", (double *)nullptr, "own");
      op_printf("%lld marked, %lld of them inside\n", op_get_size(b->set),
                op_get_size(inner->set));
    }
    if (step > 0) {
      op_par_loop(weigh, "weigh", a->set,
                  op_arg_dat(weight, -1, OP_ID, 1, "double", OP_RW),
                  op_arg_dat(q, 0, a->map, 1, "double", OP_READ));
      op_par_loop(inside, "inside", inner,
                  op_arg_dat(own, -1, OP_ID, 1, "double", OP_INC),
                  op_arg_dat(q, 0, b->map, 1, "double", OP_READ),
                  op_arg_dat(x, -4, corners, 1, "double", OP_INC),
                  op_arg_idx(-1, OP_ID));
    }
    for (op_subset over : {a, b, none}) {
      op_par_loop(wall, "wall", over,
                  op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                  op_arg_dat(written, -1, OP_ID, 1, "double", OP_WRITE),
                  op_arg_dat(v, -4, pcell, 1, "double", OP_READ),
                  op_arg_dat(x, 1, pcell, 1, "double", OP_INC),
                  op_arg_dat(x, -4, pcell, 1, "double", OP_INC),
                  op_arg_idx(-1, OP_ID), op_arg_idx(2, pcell),
                  op_arg_gbl(&sum, 1, "double", OP_INC),
                  op_arg_gbl(&most, 1, "double", OP_MAX),
                  op_arg_info(&where, 1, "int", 9));
      op_par_loop(pass, "pass", over,
                  op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(mixed, -1, OP_ID, 1, "double", OP_INC),
                  op_arg_dat(mixed, 0, pnext, 1, "double", OP_INC));
      op_par_loop(swap_in, "swap_in", over,
                  op_arg_dat(mixed, 0, pnext, 1, "double", OP_RW),
                  op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
      op_par_loop(all, "all", cells,
                  op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                  op_arg_dat(mixed, -1, OP_ID, 1, "double", OP_RW));
    }
  }
  if (is("far-late")) {
    int zero = 0;
    op_decl_subset(cells, 1, &zero, "late");
  }
  if (is("others")) {
    op_rank(&rank);
    op_decl_subset(cells, 1, &rank, "others");
  }
  if (is("compose"))
    op_compose_map(pnext, pnext);
  print("q", q);
  print("written", written);
  print("mixed", mixed);
  print("x", x);
  print("own", own);
  print("weight", weight);
  op_printf("%a %a %d\n", sum, most, where);
  op_exit();
  return 0;
}
