//===- poisson.cpp - Sparse matrices and solvers ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson's equation, -div grad u = f, on the unit square or cube with u given
// on the boundary: linear or quadratic elements on triangles or tetrahedra. The
// matrix is assembled, and solved by conjugate gradients in loops, by Eigen, or
// by PETSc. f is made for a known u, so that the error on meshes of two sizes
// shows the order of convergence. See README.md.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"
#include "kernels.h"

#include "op_petsc.h"
#include "op_seq.h"

#include <cmath>
#include <string>

namespace poisson {

struct Options {
  int cells = 16, dim = 2, order = 1;
  std::string by = "all";
};

/// What is computed on a mesh.
struct Problem {
  op_set nodes, cells;
  op_map corners;
  op_dat x, isBoundary, exact, given, f, b, u, first;
  op_mat A;
};

template <int dim, int order> Problem declareProblem(Mesh<dim, order> &mesh) {
  constexpr int count = numNodes(dim, order);
  Problem s;
  s.nodes = op_decl_set(mesh.size(), "nodes");
  s.cells = op_decl_set(mesh.numCells(), "cells");
  s.corners =
      op_decl_map(s.cells, s.nodes, count, mesh.cells.data(), "corners");
  double *zeros = nullptr;
  s.x = op_decl_dat(s.nodes, dim, "double", mesh.x.data(), "x");
  s.isBoundary =
      op_decl_dat(s.nodes, 1, "int", mesh.isBoundary.data(), "isBoundary");
  s.exact = op_decl_dat(s.nodes, 1, "double", zeros, "exact");
  s.given = op_decl_dat(s.nodes, 1, "double", zeros, "given");
  s.f = op_decl_dat(s.nodes, 1, "double", zeros, "f");
  s.b = op_decl_dat(s.nodes, 1, "double", zeros, "b");
  s.u = op_decl_dat(s.nodes, 1, "double", zeros, "u");
  s.first = op_decl_dat(s.nodes, 1, "double", zeros, "first");
  op_sparsity meet = op_decl_sparsity(s.corners, s.corners, "meet");
  s.A = op_decl_mat(meet, 1, 1, "double", "A");
  return s;
}

template <int dim, int order> void assembleProblem(Problem const &s) {
  constexpr int count = numNodes(dim, order);
  op_par_loop(source<dim>, "source", s.nodes,
              op_arg_dat(s.x, -1, OP_ID, dim, "double", OP_READ),
              op_arg_dat(s.isBoundary, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(s.exact, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(s.given, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(s.f, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(assemble<dim, order>, "assemble", s.cells,
              op_arg_mat(s.A, -count, s.corners, -count, s.corners, 1, 1,
                         "double", OP_INC),
              op_arg_dat(s.b, -count, s.corners, 1, "double", OP_INC),
              op_arg_dat(s.x, -count, s.corners, dim, "double", OP_READ),
              op_arg_dat(s.f, -count, s.corners, 1, "double", OP_READ));
  op_mat_eliminate<double, 1>(s.A, s.isBoundary, s.given, s.b, 1);
}

/// op_solve written as loops: they run on every target.
int solveInLoops(Problem const &s) {
  double *zeros = nullptr;
  auto vector = [&](char const *name) {
    return op_decl_dat_temp(s.nodes, 1, "double", zeros, name);
  };
  op_dat r = vector("r"), p = vector("p"), q = vector("q"),
         diagonal = vector("diagonal");
  op_par_loop(takeDiagonal, "takeDiagonal", op_mat_entries(s.A),
              op_arg_dat(op_mat_values(s.A), -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(op_mat_diagonals(s.A), -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(diagonal, 0, op_mat_rows(s.A), 1, "double", OP_INC));
  double rho = 0, target = 0, size = 1;
  op_mat_mult<double, 1>(s.A, s.u, q);
  op_par_loop(start, "start", s.nodes,
              op_arg_dat(s.b, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(diagonal, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(r, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_gbl(&rho, 1, "double", OP_INC),
              op_arg_gbl(&target, 1, "double", OP_INC));
  target *= 1e-24;
  int iterations = 0;
  while (size > target && iterations < 10000) {
    ++iterations;
    double curvature = 0, next = 0;
    op_mat_mult<double, 1>(s.A, p, q);
    op_par_loop(dot, "dot", s.nodes,
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&curvature, 1, "double", OP_INC));
    double alpha = rho / curvature;
    size = 0;
    op_par_loop(step, "step", s.nodes, op_arg_gbl(&alpha, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(diagonal, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(s.u, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&next, 1, "double", OP_INC),
                op_arg_gbl(&size, 1, "double", OP_INC));
    double beta = next / rho;
    rho = next;
    op_par_loop(turn, "turn", s.nodes, op_arg_gbl(&beta, 1, "double", OP_READ),
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(diagonal, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
  }
  for (op_dat dat : {r, p, q, diagonal})
    op_free_dat_temp(dat);
  return size <= target ? iterations : -iterations;
}

int solve(Problem const &s, std::string const &by) {
  op_par_loop(clear, "clear", s.nodes,
              op_arg_dat(s.u, -1, OP_ID, 1, "double", OP_WRITE));
  if (by == "eigen")
    return op_solve(s.A, s.b, s.u, "-ksp_type cg -pc_type icc -ksp_rtol 1e-12");
#if OP2_HAS_PETSC
  if (by == "petsc")
    return op_petsc_solve(
        s.A, s.b, s.u,
        "-ksp_type cg -pc_type bjacobi -sub_pc_type icc -ksp_rtol 1e-12");
#endif
  return solveInLoops(s);
}

template <int dim, int order> double findError(Problem const &s) {
  constexpr int count = numNodes(dim, order);
  double sum = 0;
  op_par_loop(error<dim, order>, "error", s.cells,
              op_arg_dat(s.x, -count, s.corners, dim, "double", OP_READ),
              op_arg_dat(s.u, -count, s.corners, 1, "double", OP_READ),
              op_arg_dat(s.exact, -count, s.corners, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  return std::sqrt(sum);
}

/// Solves on two meshes, in each way that `by` names. Whether all is as it
/// should be.
template <int dim, int order>
bool run(Options const &options, std::vector<std::string> const &ways) {
  bool isRight = true;
  std::vector<double> before(ways.size());
  op_printf("     nodes     values  by       iterations  error       order\n");
  // On several processes all is declared before the first loop.
  Mesh<dim, order> coarse(options.cells), fine(2 * options.cells);
  for (Problem const &s : {declareProblem(coarse), declareProblem(fine)}) {
    assembleProblem<dim, order>(s);
    long long values;
    op_mat_get_size(s.A, nullptr, nullptr, &values);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      int iterations = solve(s, ways[way]);
      double off = findError<dim, order>(s);
      double reached = std::log2(before[way] / off);
      op_printf("%10d %10lld  %-8s %10d  %.4e", s.nodes->size, values,
                ways[way].c_str(), iterations, off);
      op_printf(before[way] > 0 ? "  %.2f\n" : "\n", reached);
      isRight &= iterations > 0;
      if (before[way] > 0)
        isRight &= reached > order + 1 - 0.25 && reached < order + 2.1;
      before[way] = off;
      // All ways lead to one solution.
      op_dat other = way == 0 ? s.u : s.first;
      double most = 0;
      op_par_loop(difference, "difference", s.nodes,
                  op_arg_dat(s.u, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(other, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_gbl(&most, 1, "double", OP_MAX));
      isRight &= most < 1e-9;
      if (way == 0)
        op_par_loop(copy, "copy", s.nodes,
                    op_arg_dat(s.u, -1, OP_ID, 1, "double", OP_READ),
                    op_arg_dat(s.first, -1, OP_ID, 1, "double", OP_WRITE));
    }
  }
  return isRight;
}

} // namespace poisson

int main(int argc, char **argv) {
  using namespace poisson;
  Options options;
  examples::CommandLine line("poisson",
                             "Poisson's equation with a sparse matrix");
  line.number(
      "cells", options.cells, 2, 512,
      "cells a side of the coarse mesh (16); the fine one has twice as many");
  line.number("dim", options.dim, 2, 3, "2: triangles, 3: tetrahedra (2)");
  line.number("order", options.order, 1, 2, "of the elements (1)");
  line.text("by", options.by,
            "loops, eigen, petsc, or all that are there (all)");
  line.parse(argc, argv);
  std::vector<std::string> ways;
  for (char const *way : {"loops", "eigen", "petsc"})
    if (options.by == way ||
        (options.by == "all" && (OP2_HAS_PETSC || way[0] != 'p') &&
         (OP2_HAS_EIGEN || way[0] != 'e')))
      ways.push_back(way);
  if (ways.empty())
    line.fail("bad argument '--by=" + options.by +
                  "': expected loops, eigen, petsc or all",
              2);
  op_init(argc, argv, 0);
  bool isRight = options.dim == 2
                     ? (options.order == 1 ? run<2, 1>(options, ways)
                                           : run<2, 2>(options, ways))
                     : (options.order == 1 ? run<3, 1>(options, ways)
                                           : run<3, 2>(options, ways));
  op_printf("Results check %s\n", isRight ? "PASSED" : "FAILED");
  op_exit();
  return isRight ? 0 : 1;
}
