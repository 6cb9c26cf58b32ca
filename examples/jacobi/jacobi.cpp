//===- jacobi.cpp - Jacobi iteration on a sparse matrix ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest OP2 program with an indirect increment. The unknowns u are the
// nodes of an N x N square grid with u = 0 around it; each off-diagonal entry
// of the matrix of Laplace's five-point formula, divided by the diagonal, is an
// edge from its column to its row. One damped Jacobi step is
//
//   u <- u + beta (r + A u - u).
//
// r is made such that the solution is s = 16 x (1-x) y (1-y). The start is s
// plus e, where e = sin(pi x) sin(pi y) is an eigenvector of A with eigenvalue
// cos(pi h), h = 1/(N+1). So after n steps, for any N and n,
//
//   u = s + g^n e,   g = 1 - beta (1 - cos(pi h)),
//
// and the program can check every value it computed.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"
#include "system.h"

#include <climits>
#include <cmath>
#include <string>
#include <vector>

#include "op_seq.h"

#include "kernels.h"

namespace {

struct Options {
  int size = 100;
  int iterations = 50;
  std::string timings;
};

/// Prints and judges one comparison, relative to `scale`.
bool agrees(const char *what, double value, double expected, double scale) {
  // Written so that a NaN does not agree.
  const bool good = std::fabs(value - expected) <= 1e-11 * scale;
  op_printf("%-16s %.15e, expected %.15e%s\n", what, value, expected,
            good ? "" : "  <-- differs");
  return good;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line(
      "jacobi", "Damped Jacobi iteration on Laplace's five-point formula.");
  line.number("size", options.size, 1, 10000, "N x N unknowns");
  line.number("iterations", options.iterations, 1, INT_MAX, "steps");
  line.text("timings", options.timings, "write the loops' times, as CSV");
  line.parse(argc, argv);
  op_init(argc, argv, 2);

  jacobi::System system = jacobi::makeSystem(options.size);
  op_printf("%d unknowns, %d off-diagonal entries\n", system.nnode,
            system.nedge);
  std::vector<double> u = system.makeStart(), du(system.nnode, 0.0);

  op_set nodes = op_decl_set(system.nnode, "nodes");
  op_set edges = op_decl_set(system.nedge, "edges");
  op_map ppedge = op_decl_map(edges, nodes, 2, system.edge.data(), "ppedge");
  op_dat p_A = op_decl_dat(edges, 1, "double", system.A.data(), "p_A");
  op_dat p_r = op_decl_dat(nodes, 1, "double", system.r.data(), "p_r");
  op_dat p_u = op_decl_dat(nodes, 1, "double", u.data(), "p_u");
  op_dat p_du = op_decl_dat(nodes, 1, "double", du.data(), "p_du");
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", edges, ppedge, NULL);

  double beta = 0.75, change_sum = 0.0, change_max = 0.0;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    op_par_loop(res, "res", edges,
                op_arg_dat(p_A, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_u, 1, ppedge, 1, "double", OP_READ),
                op_arg_dat(p_du, 0, ppedge, 1, "double", OP_INC),
                op_arg_gbl(&beta, 1, "double", OP_READ));

    change_sum = 0.0;
    change_max = 0.0;
    op_par_loop(update, "update", nodes,
                op_arg_dat(p_r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_du, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_u, -1, OP_ID, 1, "double", OP_INC),
                op_arg_gbl(&beta, 1, "double", OP_READ),
                op_arg_gbl(&change_sum, 1, "double", OP_INC),
                op_arg_gbl(&change_max, 1, "double", OP_MAX));
  }
  op_fetch_data(p_u, u.data());

  const jacobi::Progress after =
      system.findProgress(u.data(), beta, options.iterations);
  op_timing_output();
  if (!options.timings.empty())
    op_timings_to_csv(options.timings.c_str());
  const double side = options.size + 1.0;
  bool good = agrees("largest error", after.worst, 0.0, 1.0);
  good &= agrees("largest change", change_max, after.largestChange, 1.0);
  good &= agrees("norm of change", std::sqrt(change_sum), after.changeNorm,
                 0.5 * side);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  op_exit();
  return good ? 0 : 1;
}
