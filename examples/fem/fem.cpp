//===- fem.cpp - Finite elements with conjugate gradients -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reaction and diffusion, -div grad u + c u = f, on the unit square with u
// given on the boundary. Bilinear elements on quadrilaterals; each cell keeps
// its 4 x 4 matrix, and conjugate gradients multiply cell by cell. f is made
// for a known u, so that the error on three meshes shows the order of
// convergence. See README.md.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"
#include "../common/picture.h"
#include "mesh.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "op_seq.h"

// A constant that kernels read: c.
double reaction = 1.0;

#include "kernels.h"

namespace {

struct Options {
  int cells = 16, meshes = 3;
  int iterations = 0; // 0: until the residual is small
  std::string save, picture, timings;
};

/// A mesh and what is computed on it.
struct Problem {
  op_set nodes, cells, bnodes;
  op_map pcell, pbnode;
  op_dat p_x, p_K, p_f, p_load, p_u, p_r, p_p, p_q;
};

Problem declareProblem(fem::Mesh &mesh) {
  Problem s;
  s.nodes = op_decl_set(mesh.nnode, "nodes");
  s.cells = op_decl_set(mesh.ncell, "cells");
  s.bnodes = op_decl_set(mesh.nbnode, "bnodes");
  s.pcell = op_decl_map(s.cells, s.nodes, 4, mesh.cell.data(), "pcell");
  s.pbnode = op_decl_map(s.bnodes, s.nodes, 1, mesh.bnode.data(), "pbnode");

  double *zeros = nullptr;
  s.p_x = op_decl_dat(s.nodes, 2, "double", mesh.x.data(), "p_x");
  s.p_K = op_decl_dat(s.cells, 16, "double", zeros, "p_K");
  s.p_f = op_decl_dat(s.nodes, 1, "double", zeros, "p_f");
  s.p_load = op_decl_dat(s.nodes, 1, "double", zeros, "p_load");
  s.p_u = op_decl_dat(s.nodes, 1, "double", zeros, "p_u");
  s.p_r = op_decl_dat(s.nodes, 1, "double", zeros, "p_r");
  s.p_p = op_decl_dat(s.nodes, 1, "double", zeros, "p_p");
  s.p_q = op_decl_dat(s.nodes, 1, "double", zeros, "p_q");
  return s;
}

/// Matrices, load vector and boundary values.
void assembleProblem(const Problem &s) {
  op_par_loop(source, "source", s.nodes,
              op_arg_dat(s.p_x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(s.p_f, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(assemble, "assemble", s.cells,
              op_arg_dat(s.p_x, -4, s.pcell, 2, "double", OP_READ),
              op_arg_dat(s.p_f, -4, s.pcell, 1, "double", OP_READ),
              op_arg_dat(s.p_K, -1, OP_ID, 16, "double", OP_WRITE),
              op_arg_dat(s.p_load, -4, s.pcell, 1, "double", OP_INC));
  op_par_loop(set_boundary, "set_boundary", s.bnodes,
              op_arg_dat(s.p_x, 0, s.pbnode, 2, "double", OP_READ),
              op_arg_dat(s.p_u, 0, s.pbnode, 1, "double", OP_WRITE));
}

/// Adds the matrix times `from` to p_q.
void multiplyMatrix(const Problem &s, op_dat from) {
  op_par_loop(multiply, "multiply", s.cells,
              op_arg_dat(s.p_K, -1, OP_ID, 16, "double", OP_READ),
              op_arg_dat(from, -4, s.pcell, 1, "double", OP_READ),
              op_arg_dat(s.p_q, -4, s.pcell, 1, "double", OP_INC));
}

void clearBoundary(const Problem &s, op_dat dat) {
  op_par_loop(clear_boundary, "clear_boundary", s.bnodes,
              op_arg_dat(dat, 0, s.pbnode, 1, "double", OP_WRITE));
}

double dotProduct(const Problem &s, op_dat a, op_dat b) {
  double sum = 0;
  op_par_loop(dot, "dot", s.nodes,
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  return sum;
}

/// Conjugate gradients, until the residual is 1e-10 of the first, or `limit`
/// times. Returns the number of iterations.
int solve(const Problem &s, int limit) {
  multiplyMatrix(s, s.p_u);
  op_par_loop(start_cg, "start_cg", s.nodes,
              op_arg_dat(s.p_load, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(s.p_q, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(s.p_r, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(s.p_p, -1, OP_ID, 1, "double", OP_WRITE));
  clearBoundary(s, s.p_r);
  clearBoundary(s, s.p_p);

  double rr = dotProduct(s, s.p_r, s.p_r);
  const double enough = 1e-20 * rr;
  int iteration = 0;
  for (; rr > enough && iteration < limit; ++iteration) {
    multiplyMatrix(s, s.p_p);
    clearBoundary(s, s.p_q);
    const double alpha = rr / dotProduct(s, s.p_p, s.p_q);
    const double before = rr;
    rr = 0;
    op_par_loop(advance, "advance", s.nodes,
                op_arg_gbl(&alpha, 1, "double", OP_READ),
                op_arg_dat(s.p_p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(s.p_q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(s.p_u, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(s.p_r, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&rr, 1, "double", OP_INC));
    const double beta = rr / before;
    op_par_loop(turn, "turn", s.nodes, op_arg_gbl(&beta, 1, "double", OP_READ),
                op_arg_dat(s.p_r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(s.p_p, -1, OP_ID, 1, "double", OP_RW));
  }
  return iteration;
}

/// The L2 norm of the difference from the known solution.
double errorNorm(const Problem &s) {
  double error = 0;
  op_par_loop(l2_error, "l2_error", s.cells,
              op_arg_dat(s.p_x, -4, s.pcell, 2, "double", OP_READ),
              op_arg_dat(s.p_u, -4, s.pcell, 1, "double", OP_READ),
              op_arg_gbl(&error, 1, "double", OP_INC));
  return std::sqrt(error);
}

/// What one mesh gave.
struct Result {
  int side, nodes, iterations;
  double error;
};

/// The conjugate gradients' bound: the condition number grows as side^2.
int iterationLimit(int side) { return 5 * side; }

Result solveOn(const Problem &s, int side, int limit) {
  assembleProblem(s);
  const int iterations = solve(s, limit);
  return {side, s.nodes->size, iterations, errorNorm(s)};
}

/// The error on a mesh of side x side cells when it was first computed; 0: not
/// stored.
double storedError(int side) {
  static const std::pair<int, double> table[] = {{4, 7.421036488804e-02},
                                                 {8, 1.967319177494e-02},
                                                 {16, 5.022773640877e-03},
                                                 {32, 1.262800262811e-03},
                                                 {64, 3.161537919782e-04}};
  for (const auto &[stored, error] : table)
    if (stored == side)
      return error;
  return 0;
}

/// Prints a row for each mesh and judges it, if conjugate gradients went on to
/// their end.
bool checkResults(const std::vector<Result> &results, bool isComplete) {
  op_printf("    side      nodes  iterations  L2 error             order  "
            "off the stored error\n");
  bool allGood = true;
  for (size_t n = 0; n < results.size(); ++n) {
    const Result &result = results[n];
    op_printf("%8d %10d %11d  %.12e", result.side, result.nodes,
              result.iterations, result.error);
    if (!isComplete) {
      op_printf("\n");
      allGood = allGood && std::isfinite(result.error);
      continue;
    }
    bool good = result.iterations <= iterationLimit(result.side) &&
                std::isfinite(result.error);
    if (n > 0) {
      const double order = std::log2(results[n - 1].error / result.error);
      op_printf("   %5.3f", order);
      good = good && order >= 1.9 && order <= 2.2;
    }
    if (const double stored = storedError(result.side)) {
      const double difference = std::fabs(result.error / stored - 1);
      op_printf("%s  %.1e", n > 0 ? "" : "        ", difference);
      good = good && difference <= 1e-7;
    }
    op_printf("%s\n", good ? "" : "  <-- not as expected");
    allGood = allGood && good;
  }
  return allGood;
}

/// The cells in the colour of the mean of u at their corners.
bool drawSolution(const fem::Mesh &mesh, op_dat p_u, const std::string &file) {
  std::vector<double> u(mesh.nnode);
  op_fetch_data(p_u, u.data());
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  examples::Picture picture(1, 1, 400, "white");
  const examples::Palette palette = examples::Palette::warm();
  for (int c = 0; c < mesh.ncell; ++c) {
    const int *corner = &mesh.cell[size_t(4) * c];
    const double mean =
        (u[corner[0]] + u[corner[1]] + u[corner[2]] + u[corner[3]]) / 4;
    const double at = (mean - *low) / (*high - *low);
    picture.addCell(mesh.x, corner, 4, palette(std::round(at * 64) / 64));
  }
  return picture.write(file);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line(
      "fem", "Solves -div grad u + u = f with finite elements on three meshes "
             "and checks\nthe order of convergence.");
  line.number("cells", options.cells, 4, 4096,
              "the coarsest mesh has N x N cells");
  line.number("meshes", options.meshes, 1, 3,
              "each has half the mesh width of the one before");
  line.number("iterations", options.iterations, 0, INT_MAX,
              "stop then; only without it results are checked");
  line.text("timings", options.timings, "write the loops' times, as CSV");
  line.text("save", options.save, "write u of the finest mesh, binary");
  line.text("picture", options.picture, "draw u on the coarsest mesh, as SVG");
  line.parse(argc, argv);
  op_init(argc, argv, 2);
  op_decl_const(1, "double", &reaction);

  std::vector<fem::Mesh> meshes(options.meshes);
  std::vector<Problem> problems;
  for (int n = 0; n < options.meshes; ++n) {
    meshes[n] = fem::makeMesh(options.cells << n);
    problems.push_back(declareProblem(meshes[n]));
  }
  const Problem &finest = problems.back();
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", finest.cells, finest.pcell, NULL);

  std::vector<Result> results;
  for (int n = 0; n < options.meshes; ++n) {
    const int side = options.cells << n;
    const int limit =
        options.iterations ? options.iterations : iterationLimit(side) + 1;
    results.push_back(solveOn(problems[n], side, limit));
  }

  op_timing_output();
  if (!options.timings.empty())
    op_timings_to_csv(options.timings.c_str());
  const bool good = checkResults(results, options.iterations == 0);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  if (!options.save.empty())
    op_print_dat_to_binfile(finest.p_u, options.save.c_str());
  if (!options.picture.empty() &&
      !drawSolution(meshes[0], problems[0].p_u, options.picture))
    line.fail("cannot write " + options.picture + ": " + std::strerror(errno));
  op_exit();
  return good ? 0 : 1;
}
