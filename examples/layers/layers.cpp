//===- layers.cpp - Heat in a block of layers -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An extruded mesh: each of N x N vertices of a base, which edges connect, has
// a column of D levels. Heat flows along the edges of each level, and from
// level to level, by the explicit Euler method; nothing flows out. The start is
//
//   T = 1 + e,   e = cos(pi (i+1/2)/N) cos(pi (j+1/2)/N) cos(pi (l+1/2)/D),
//
// and e is an eigenvector of a step, with the eigenvalue
//
//   g = 1 - a (4 - 4 cos(pi/N)) - b (2 - 2 cos(pi/D)).
//
// So after n steps T = 1 + g^n e, and all heat is still there: the program can
// check every value that it computed.
//
//===----------------------------------------------------------------------===//

#include "../common/command_line.h"

#include <climits>
#include <cmath>
#include <vector>

#include "op_seq.h"

#include "kernels.h"

namespace {

struct Options {
  int size = 40;
  int levels = 21;
  int steps = 50;
};

/// The base's edges, two vertices each.
std::vector<int> makeEdges(int size) {
  std::vector<int> edges;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int vertex = i * size + j;
      if (j + 1 < size)
        edges.insert(edges.end(), {vertex, vertex + 1});
      if (i + 1 < size)
        edges.insert(edges.end(), {vertex, vertex + size});
    }
  return edges;
}

/// 1 + scale e, column after column.
std::vector<double> makeHeat(const Options &options, double scale) {
  auto wave = [](int number, int count) {
    return std::cos(M_PI * (number + 0.5) / count);
  };
  std::vector<double> heat;
  for (int i = 0; i < options.size; ++i)
    for (int j = 0; j < options.size; ++j)
      for (int level = 0; level < options.levels; ++level)
        heat.push_back(1 + scale * wave(i, options.size) *
                               wave(j, options.size) *
                               wave(level, options.levels));
  return heat;
}

/// Prints and judges one comparison, relative to `scale`.
bool agrees(const char *what, double value, double expected, double scale) {
  // Written so that a NaN does not agree.
  const bool good = std::fabs(value - expected) <= 1e-12 * scale;
  op_printf("%-16s %.15e, expected %.15e%s\n", what, value, expected,
            good ? "" : "  <-- differs");
  return good;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  examples::CommandLine line("layers", "Heat in a block of layers.");
  line.number("size", options.size, 1, 4096, "N x N columns");
  line.number("levels", options.levels, 1, 4096, "levels of a column");
  line.number("steps", options.steps, 1, INT_MAX, "time steps");
  line.parse(argc, argv);
  op_init(argc, argv, 2);

  const int nvertex = options.size * options.size;
  std::vector<int> edge = makeEdges(options.size);
  std::vector<double> heat = makeHeat(options, 1.0);
  op_printf("%d columns of %d levels\n", nvertex, options.levels);

  op_set vertices = op_decl_set(nvertex, "vertices");
  op_set edges = op_decl_set(static_cast<int>(edge.size() / 2), "edges");
  op_map pedge = op_decl_map(edges, vertices, 2, edge.data(), "pedge");
  op_dat p_T = op_decl_dat_layers(vertices, options.levels, 1, "double",
                                  heat.data(), "p_T");
  op_dat p_change =
      op_decl_dat_layers(vertices, options.levels, 1, "double",
                         static_cast<double *>(nullptr), "p_change");
  op_layers walls = op_decl_layers(edges, 0, options.levels, "walls");
  op_layers levels = op_decl_layers(vertices, 0, options.levels, "levels");
  op_layers floors = op_decl_layers(vertices, 0, options.levels - 1, "floors");
  op_layers bottom = op_decl_layers(vertices, 0, 1, "bottom");
  op_diagnostic_output();
  op_partition("PTSCOTCH", "KWAY", edges, pedge, NULL);

  double a = 0.2, b = 0.1, total = 0.0, hottest = 0.0;
  for (int step = 0; step < options.steps; ++step) {
    op_par_loop(
        across, "across", walls,
        op_arg_dat_layers(p_T, -2, pedge, 0, 1, 1, "double", OP_READ),
        op_arg_dat_layers(p_change, -2, pedge, 0, 1, 1, "double", OP_INC),
        op_arg_gbl(&a, 1, "double", OP_READ));
    op_par_loop(
        upward, "upward", floors,
        op_arg_dat_layers(p_T, -1, OP_ID, 0, 2, 1, "double", OP_READ),
        op_arg_dat_layers(p_change, -1, OP_ID, 0, 2, 1, "double", OP_INC),
        op_arg_gbl(&b, 1, "double", OP_READ));
    total = 0.0;
    op_par_loop(
        update, "update", levels,
        op_arg_dat_layers(p_T, -1, OP_ID, 0, 1, 1, "double", OP_RW),
        op_arg_dat_layers(p_change, -1, OP_ID, 0, 1, 1, "double", OP_RW),
        op_arg_gbl(&total, 1, "double", OP_INC));
  }
  op_par_loop(measure, "measure", bottom,
              op_arg_dat_layers(p_T, -1, OP_ID, 0, 1, 1, "double", OP_READ),
              op_arg_gbl(&hottest, 1, "double", OP_MAX));
  op_fetch_data(p_T, heat.data());

  const double g = 1 - a * (4 - 4 * std::cos(M_PI / options.size)) -
                   b * (2 - 2 * std::cos(M_PI / options.levels));
  const std::vector<double> expected =
      makeHeat(options, std::pow(g, options.steps));
  double worst = 0.0, bottomHeat = 0.0;
  for (std::size_t n = 0; n < heat.size(); ++n) {
    worst = std::fmax(worst, std::fabs(heat[n] - expected[n]));
    if (n % options.levels == 0)
      bottomHeat = std::fmax(bottomHeat, expected[n]);
  }
  op_timing_output();
  const double values = static_cast<double>(heat.size());
  bool good = agrees("largest error", worst, 0.0, 1.0);
  good &= agrees("all heat", total, values, values);
  good &= agrees("hottest floor", hottest, bottomHeat, 1.0);
  op_printf("Results check %s\n", good ? "PASSED" : "FAILED");
  op_exit();
  return good ? 0 : 1;
}
