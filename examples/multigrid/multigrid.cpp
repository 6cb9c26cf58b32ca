//===- multigrid.cpp - V-cycles over many levels ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson's equation on the unit square by multigrid. Sets, maps and dats of
// the levels stand in arrays, and each op_par_loop below runs on all of them.
// See README.md.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"
#include "grid.h"
#include "history.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "op_seq.h"

// A constant that kernels read: of the Jacobi steps.
double damping = 0.8;

#include "kernels.h"

namespace {

constexpr int maxLevels = 12;

struct Options {
  int levels = 7;
  std::string save, picture;
};

/// Level 0 is the coarsest, of 2 x 2 cells with one unknown in the middle.
struct Hierarchy {
  op_set nodes[maxLevels], edges[maxLevels];
  op_map ends[maxLevels];   // of an edge
  op_map parent[maxLevels]; // from the nodes to those of the level below
  op_dat p_x[maxLevels], p_u[maxLevels], p_f[maxLevels], p_r[maxLevels];
  op_dat p_sum[maxLevels]; // of differences; 0 between the functions below
  op_dat p_inverse_diagonal[maxLevels], p_weight[maxLevels];
};

Hierarchy declareHierarchy(int levels) {
  Hierarchy h;
  double *zeros = nullptr;
  for (int l = 0; l < levels; ++l) {
    multigrid::Grid grid = multigrid::makeGrid(2 << l);
    h.nodes[l] = op_decl_set(grid.nnode, "nodes");
    h.edges[l] = op_decl_set(grid.nedge, "edges");
    h.ends[l] =
        op_decl_map(h.edges[l], h.nodes[l], 2, grid.edge.data(), "ends");
    h.p_x[l] = op_decl_dat(h.nodes[l], 2, "double", grid.x.data(), "p_x");
    h.p_inverse_diagonal[l] =
        op_decl_dat(h.nodes[l], 1, "double", grid.inverseDiagonal.data(),
                    "p_inverse_diagonal");
    h.p_u[l] = op_decl_dat(h.nodes[l], 1, "double", zeros, "p_u");
    h.p_f[l] = op_decl_dat(h.nodes[l], 1, "double", zeros, "p_f");
    h.p_r[l] = op_decl_dat(h.nodes[l], 1, "double", zeros, "p_r");
    h.p_sum[l] = op_decl_dat(h.nodes[l], 1, "double", zeros, "p_sum");
    if (l == 0)
      continue;
    h.parent[l] = op_decl_map(h.nodes[l], h.nodes[l - 1], 4, grid.parent.data(),
                              "parent");
    h.p_weight[l] =
        op_decl_dat(h.nodes[l], 4, "double", grid.weight.data(), "p_weight");
  }
  return h;
}

void addDifferences(const Hierarchy &h, int l) {
  op_par_loop(difference, "difference", h.edges[l],
              op_arg_dat(h.p_u[l], 0, h.ends[l], 1, "double", OP_READ),
              op_arg_dat(h.p_u[l], 1, h.ends[l], 1, "double", OP_READ),
              op_arg_dat(h.p_sum[l], 0, h.ends[l], 1, "double", OP_INC),
              op_arg_dat(h.p_sum[l], 1, h.ends[l], 1, "double", OP_INC));
}

void smooth(const Hierarchy &h, int l, int steps) {
  for (int step = 0; step < steps; ++step) {
    addDifferences(h, l);
    op_par_loop(
        relax, "relax", h.nodes[l],
        op_arg_dat(h.p_f[l], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(h.p_inverse_diagonal[l], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(h.p_sum[l], -1, OP_ID, 1, "double", OP_RW),
        op_arg_dat(h.p_u[l], -1, OP_ID, 1, "double", OP_INC));
  }
}

/// Leaves the residual in p_r and returns its norm.
double computeResidual(const Hierarchy &h, int l) {
  double squares = 0;
  addDifferences(h, l);
  op_par_loop(
      residual, "residual", h.nodes[l],
      op_arg_dat(h.p_f[l], -1, OP_ID, 1, "double", OP_READ),
      op_arg_dat(h.p_inverse_diagonal[l], -1, OP_ID, 1, "double", OP_READ),
      op_arg_dat(h.p_sum[l], -1, OP_ID, 1, "double", OP_RW),
      op_arg_dat(h.p_r[l], -1, OP_ID, 1, "double", OP_WRITE),
      op_arg_gbl(&squares, 1, "double", OP_INC));
  return std::sqrt(squares);
}

void clearLevel(const Hierarchy &h, int l) {
  op_par_loop(clear, "clear", h.nodes[l],
              op_arg_dat(h.p_u[l], -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(h.p_f[l], -1, OP_ID, 1, "double", OP_WRITE));
}

/// Takes the residual of a level to the right-hand side of the one below.
void restrictTo(const Hierarchy &h, int below) {
  const int l = below + 1;
  clearLevel(h, below);
  op_par_loop(restrict_residual, "restrict_residual", h.nodes[l],
              op_arg_dat(h.p_weight[l], -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(h.p_r[l], -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(h.p_f[below], -4, h.parent[l], 1, "double", OP_INC));
}

/// Adds the correction of the level below.
void prolongFrom(const Hierarchy &h, int below) {
  const int l = below + 1;
  op_par_loop(prolong, "prolong", h.nodes[l],
              op_arg_dat(h.p_weight[l], -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(h.p_u[below], -4, h.parent[l], 1, "double", OP_READ),
              op_arg_dat(h.p_u[l], -1, OP_ID, 1, "double", OP_INC));
}

void cycle(const Hierarchy &h, int l) {
  if (l == 0) {
    smooth(h, l, 20); // one unknown: its error is 0.2^20 of what it was
    return;
  }
  smooth(h, l, 2);
  computeResidual(h, l);
  restrictTo(h, l - 1);
  cycle(h, l - 1);
  prolongFrom(h, l - 1);
  smooth(h, l, 2);
}

double errorOf(const Hierarchy &h, int l) {
  double error = 0;
  op_par_loop(measure_error, "measure_error", h.nodes[l],
              op_arg_dat(h.p_x[l], -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(h.p_u[l], -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&error, 1, "double", OP_MAX));
  return error;
}

/// What V-cycles from one level down gave.
struct Result {
  int level, nodes;
  std::vector<double> residuals; // relative to the first, which is 1
  double worst = 0;              // factor of a cycle
  double error = 0;              // largest of u
};

/// Cycles until the residual is 1e-10 of the first, at most 30 times.
Result solveOn(const Hierarchy &h, int l) {
  clearLevel(h, l);
  const double side = 2 << l, area = 1 / (side * side);
  op_par_loop(source, "source", h.nodes[l],
              op_arg_dat(h.p_x[l], -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(&area, 1, "double", OP_READ),
              op_arg_dat(h.p_f[l], -1, OP_ID, 1, "double", OP_WRITE));
  Result result = {l, h.nodes[l]->size, {1.0}};
  const double first = computeResidual(h, l);
  while (result.residuals.back() > 1e-10 && result.residuals.size() <= 30) {
    cycle(h, l);
    const double now = computeResidual(h, l) / first;
    result.worst = std::fmax(result.worst, now / result.residuals.back());
    result.residuals.push_back(now);
  }
  result.error = errorOf(h, l);
  return result;
}

/// What was first computed; no cycles: not stored.
struct Stored {
  size_t cycles;
  double worst;
};

Stored storedFor(int levels) {
  static const Stored table[] = {{12, 0.130473800973}, {14, 0.175726009384},
                                 {14, 0.187264334205}, {14, 0.191031006211},
                                 {14, 0.192305061667}, {14, 0.192853665322},
                                 {14, 0.193178237903}, {14, 0.193427048813}};
  const size_t place = size_t(levels) - 2;
  return place < sizeof table / sizeof *table ? table[place] : Stored{0, 0};
}

/// Prints a row for each hierarchy and judges it.
bool checkResults(const std::vector<Result> &results) {
  op_printf(
      "  levels      nodes  cycles  worst factor   residual      error    "
      "   off the stored factor\n");
  bool allGood = true;
  for (const Result &result : results) {
    const size_t cycles = result.residuals.size() - 1;
    // The five-point formula is exact for this solution.
    bool good = result.residuals.back() <= 1e-10 && result.worst <= 0.3 &&
                result.error <= 1e-9;
    op_printf("%8d %10d %7d %13.4f   %.5e   %.3e", result.level + 1,
              result.nodes, int(cycles), result.worst, result.residuals.back(),
              result.error);
    const Stored stored = storedFor(result.level + 1);
    if (stored.cycles) {
      const double difference = std::fabs(result.worst / stored.worst - 1);
      op_printf("   %.1e", difference);
      good = good && cycles == stored.cycles && difference <= 1e-5;
    }
    op_printf("%s\n", good ? "" : "  <-- not as expected");
    allGood = allGood && good;
  }
  return allGood;
}

bool drawResults(const std::vector<Result> &results, const std::string &file) {
  std::vector<multigrid::Curve> curves;
  for (const Result &result : results)
    curves.push_back(
        {std::to_string(result.level + 1) + " levels", result.residuals});
  return multigrid::drawHistory(curves, file);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line(
      "multigrid",
      "Solves Poisson's equation by V-cycles over 2, 3, ... levels "
      "and checks that\neach cycle reduces the residual as well.");
  line.number("levels", options.levels, 2, maxLevels,
              "the finest has 2^N x 2^N cells");
  line.text("save", options.save, "write u of the finest level, binary");
  line.text("picture", options.picture, "draw the residuals, as SVG");
  line.parse(argc, argv);
  op_init(argc, argv, 2);
  op_decl_const(1, "double", &damping);
  const Hierarchy h = declareHierarchy(options.levels);
  const int finest = options.levels - 1;
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", h.edges[finest], h.ends[finest], NULL);

  std::vector<Result> results;
  for (int l = 1; l <= finest; ++l)
    results.push_back(solveOn(h, l));

  op_timing_output();
  const bool good = checkResults(results);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  if (!options.save.empty())
    op_print_dat_to_binfile(h.p_u[finest], options.save.c_str());
  if (!options.picture.empty() && !drawResults(results, options.picture))
    line.fail("cannot write " + options.picture + ": " + std::strerror(errno));
  op_exit();
  return good ? 0 : 1;
}
