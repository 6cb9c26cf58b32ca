//===- multigrid_ranks.cpp - V-cycles, for OP2's MPI, too -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of the multigrid example in the way of programs that are written
// for OP2's MPI: each rank declares a block of each set, and the slots of a map
// are arguments of their own, as OP2's vectorizing translator wants it. So both
// compilers take it, and `ranks.py --peer` has the lines that it looks for.
//
// Before OP2's translator, each kernel in kernels.h, restrict_four and
// prolong_four go to headers of their names.
//
//===----------------------------------------------------------------------===//

#include "../examples/multigrid/grid.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <vector>

#include "op_lib_mpi.h"
#include "op_seq.h"

double damping = 0.8;

#include "../examples/multigrid/kernels.h"

inline void restrict_four(const double *weight, const double *r, double *f1,
                          double *f2, double *f3, double *f4) {
  *f1 += weight[0] * *r;
  *f2 += weight[1] * *r;
  *f3 += weight[2] * *r;
  *f4 += weight[3] * *r;
}

inline void prolong_four(const double *weight, const double *c1,
                         const double *c2, const double *c3, const double *c4,
                         double *u) {
  *u += weight[0] * *c1;
  *u += weight[1] * *c2;
  *u += weight[2] * *c3;
  *u += weight[3] * *c4;
}

static constexpr int maxLevels = 12;
static op_set nodes[maxLevels], edges[maxLevels];
static op_map ends[maxLevels], parent[maxLevels];
static op_dat p_x[maxLevels], p_u[maxLevels], p_f[maxLevels], p_r[maxLevels],
    p_sum[maxLevels], p_inverse_diagonal[maxLevels], p_weight[maxLevels];

/// Of `n` elements, those that this rank declares.
struct Block {
  long begin, end;
  explicit Block(long n) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    begin = n * rank / size;
    end = n * (rank + 1) / size;
  }
  int size() const { return int(end - begin); }
  /// Of [element][dim].
  template <class T> T *of(std::vector<T> &all, int dim) const {
    return all.data() + begin * dim;
  }
};

static void declareLevel(int l) {
  multigrid::Grid grid = multigrid::makeGrid(2 << l);
  Block n(grid.nnode), e(grid.nedge);
  std::vector<double> zeros(std::size_t(n.size()));
  nodes[l] = op_decl_set(n.size(), "nodes");
  edges[l] = op_decl_set(e.size(), "edges");
  ends[l] = op_decl_map(edges[l], nodes[l], 2, e.of(grid.edge, 2), "ends");
  p_x[l] = op_decl_dat(nodes[l], 2, "double", n.of(grid.x, 2), "p_x");
  p_inverse_diagonal[l] =
      op_decl_dat(nodes[l], 1, "double", n.of(grid.inverseDiagonal, 1),
                  "p_inverse_diagonal");
  p_u[l] = op_decl_dat(nodes[l], 1, "double", zeros.data(), "p_u");
  p_f[l] = op_decl_dat(nodes[l], 1, "double", zeros.data(), "p_f");
  p_r[l] = op_decl_dat(nodes[l], 1, "double", zeros.data(), "p_r");
  p_sum[l] = op_decl_dat(nodes[l], 1, "double", zeros.data(), "p_sum");
  if (l == 0)
    return;
  parent[l] =
      op_decl_map(nodes[l], nodes[l - 1], 4, n.of(grid.parent, 4), "parent");
  p_weight[l] =
      op_decl_dat(nodes[l], 4, "double", n.of(grid.weight, 4), "p_weight");
}

static void addDifferences(int l) {
  op_par_loop(difference, "difference", edges[l],
              op_arg_dat(p_u[l], 0, ends[l], 1, "double", OP_READ),
              op_arg_dat(p_u[l], 1, ends[l], 1, "double", OP_READ),
              op_arg_dat(p_sum[l], 0, ends[l], 1, "double", OP_INC),
              op_arg_dat(p_sum[l], 1, ends[l], 1, "double", OP_INC));
}

static void smooth(int l, int steps) {
  for (int step = 0; step < steps; ++step) {
    addDifferences(l);
    op_par_loop(
        relax, "relax", nodes[l],
        op_arg_dat(p_f[l], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_inverse_diagonal[l], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(p_sum[l], -1, OP_ID, 1, "double", OP_RW),
        op_arg_dat(p_u[l], -1, OP_ID, 1, "double", OP_INC));
  }
}

static double computeResidual(int l) {
  double squares = 0;
  addDifferences(l);
  op_par_loop(
      residual, "residual", nodes[l],
      op_arg_dat(p_f[l], -1, OP_ID, 1, "double", OP_READ),
      op_arg_dat(p_inverse_diagonal[l], -1, OP_ID, 1, "double", OP_READ),
      op_arg_dat(p_sum[l], -1, OP_ID, 1, "double", OP_RW),
      op_arg_dat(p_r[l], -1, OP_ID, 1, "double", OP_WRITE),
      op_arg_gbl(&squares, 1, "double", OP_INC));
  return std::sqrt(squares);
}

static void clearLevel(int l) {
  op_par_loop(clear, "clear", nodes[l],
              op_arg_dat(p_u[l], -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(p_f[l], -1, OP_ID, 1, "double", OP_WRITE));
}

static void restrictFrom(int l) {
  clearLevel(l - 1);
  op_par_loop(restrict_four, "restrict_four", nodes[l],
              op_arg_dat(p_weight[l], -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(p_r[l], -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p_f[l - 1], 0, parent[l], 1, "double", OP_INC),
              op_arg_dat(p_f[l - 1], 1, parent[l], 1, "double", OP_INC),
              op_arg_dat(p_f[l - 1], 2, parent[l], 1, "double", OP_INC),
              op_arg_dat(p_f[l - 1], 3, parent[l], 1, "double", OP_INC));
}

static void prolongTo(int l) {
  op_par_loop(prolong_four, "prolong_four", nodes[l],
              op_arg_dat(p_weight[l], -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(p_u[l - 1], 0, parent[l], 1, "double", OP_READ),
              op_arg_dat(p_u[l - 1], 1, parent[l], 1, "double", OP_READ),
              op_arg_dat(p_u[l - 1], 2, parent[l], 1, "double", OP_READ),
              op_arg_dat(p_u[l - 1], 3, parent[l], 1, "double", OP_READ),
              op_arg_dat(p_u[l], -1, OP_ID, 1, "double", OP_INC));
}

static void cycle(int l) {
  if (l == 0) {
    smooth(l, 20);
    return;
  }
  smooth(l, 2);
  computeResidual(l);
  restrictFrom(l);
  cycle(l - 1);
  prolongTo(l);
  smooth(l, 2);
}

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static int getOption(int argc, char **argv, const char *name, int value) {
  for (int i = 1; i < argc; ++i)
    if (!std::strncmp(argv[i], name, std::strlen(name)))
      value = std::atoi(argv[i] + std::strlen(name));
  return value;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  op_decl_const(1, "double", &damping);
  int levels = getOption(argc, argv, "--levels=", 9);
  int cycles = getOption(argc, argv, "--iterations=", 20);
  int untimed = getOption(argc, argv, "--untimed=", 3);
  if (levels < 2 || levels > maxLevels || untimed < 0 || cycles <= untimed) {
    op_printf("expected 2 to 12 levels, and more iterations than untimed "
              "ones\n");
    op_exit();
    return 2;
  }
  int finest = levels - 1;
  for (int l = 0; l < levels; ++l)
    declareLevel(l);
  op_partition("PTSCOTCH", "KWAY", edges[finest], ends[finest], NULL);
  clearLevel(finest);
  double side = 2 << finest, area = 1 / (side * side);
  op_par_loop(source, "source", nodes[finest],
              op_arg_dat(p_x[finest], -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&area, 1, "double", OP_READ),
              op_arg_dat(p_f[finest], -1, OP_ID, 1, "double", OP_WRITE));
  double first = computeResidual(finest), start = 0;
  for (int c = 0; c < cycles; ++c) {
    if (c == untimed)
      start = now();
    cycle(finest);
    op_printf("%6d %.12e\n", c + 1, computeResidual(finest) / first);
  }
  op_printf("Time per iteration: %.4f ms\n",
            (now() - start) / (cycles - untimed) * 1e3);
  op_exit();
  return 0;
}
