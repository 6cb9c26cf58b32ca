// Prefix sums on ranks: the bits of one process, where each rank declares the
// whole mesh, and where each declares a block, which may be empty.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-mpi --op2-target=openmp,seq,emulator %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_RANKS=mirrored -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t OP_NO_REALLOC | FileCheck %s
// CHECK: ways, the same output
// RUN: env OP2_TARGET=openmp %t > %t.alone
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks %mpirun -n 2 %t 2 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:5 %mpirun -n 5 %t 5 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=emulator OP2_RANKS=blocks OP2_PARTITION=random:2 %mpirun -n 4 %t 4 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=seq OP2_RANKS=blocks OP2_PARTITION=random:3 %mpirun -n 4 %t 4 OP_NO_REALLOC > %t.out && diff %t.alone %t.out
// Of a sum that no other order of additions has:
// RUN: FileCheck %s --check-prefix=SUM < %t.alone
// SUM: the sums as by hand

#include "Inputs/bits.h"

#include <vector>

static void change(double *x, int *k, float *pairs, const double *next) {
  *x = *x * 0.7 + *next / 3;
  *k = *k * 5 % 1009 - 500;
  pairs[0] += float(*next);
  pairs[1] -= float(*x);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int rank, ranks = countBlocks(argc, argv, rank);
  const int n = 1009;
  // The first rank of four or more has no rows, nor has the last but one.
  auto begin = [&](int of) {
    if (ranks < 4 || of == 0 || of == ranks)
      return n * of / ranks;
    return of == 1 ? 0 : n * (of == ranks - 1 ? of - 1 : of) / ranks;
  };
  std::vector<double> x0, sums0, marks0;
  std::vector<int> k0, least0, next;
  std::vector<float> pairs0;
  for (int e = begin(rank); e < begin(rank + 1); ++e) {
    x0.push_back(1.0 / (e % 37 + 1) - 1e-3 * (e % 11));
    k0.push_back(e * 7919 % 1013);
    pairs0.insert(pairs0.end(), {float(e % 13) / 7, float(e % 5) / 3});
    next.push_back((e * 31 + 7) % n);
  }
  sums0.resize(x0.size()), marks0.resize(x0.size()), least0.resize(x0.size());
  op_set cells = op_decl_set(int(x0.size()), "cells");
  op_map to = op_decl_map(cells, cells, 1, next.data(), "to");
  op_dat x = op_decl_dat(cells, 1, "double", x0.data(), "x");
  op_dat sums = op_decl_dat(cells, 1, "double", sums0.data(), "sums");
  op_dat marks = op_decl_dat(cells, 1, "double", marks0.data(), "marks");
  op_dat k = op_decl_dat(cells, 1, "int", k0.data(), "k");
  op_dat least = op_decl_dat(cells, 1, "int", least0.data(), "least");
  op_dat pairs = op_decl_dat(cells, 2, "float", pairs0.data(), "pairs");

  // Also before ranks have their parts.
  for (int step = 0; step < 3; ++step) {
    op_scan(x, sums, "sum");
    op_scan(k, least, step == 1 ? "max" : "min");
    op_scan(pairs, pairs, "sum");
    print("sums", sums);
    print<int>("least", least);
    print<float>("pairs", pairs);
    // By hand.
    std::vector<double> values(n), found(n);
    op_fetch_data_idx(x, values.data(), 0, n - 1);
    op_fetch_data_idx(sums, found.data(), 0, n - 1);
    double sum = values[0];
    bool isSame = true;
    for (int e = 0; e < n; ++e) {
      sum = e > 0 ? sum + values[e] : sum;
      isSame = isSame && found[e] == sum;
    }
    op_printf("the sums %s by hand\n", isSame ? "as" : "not as");
    op_par_loop(change, "change", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(k, -1, OP_ID, 1, "int", OP_RW),
                op_arg_dat(pairs, -1, OP_ID, 2, "float", OP_RW),
                op_arg_dat(sums, 0, to, 1, "double", OP_READ));
    // Also of what is there in an array only.
    op_scan(sums, marks, "max");
    print("marks", marks);
  }
  op_exit();
}
