//===- layers.cpp - A loop over layers against the flat form ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prisms on the triangles of a square grid: each takes the temperatures of its
// six corners and adds to its six residuals. By columns, of 16 and of 64
// layers, and on a mesh of prisms with a map of six slots, in turn. Values are
// such that sums are exact. Prints a line of JSON for each.
//
//===----------------------------------------------------------------------===//

#include "../examples/common/command_line.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "op_seq.h"

inline void prism(const double (*t)[2], double (*r)[2]) {
  double mean = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      mean += t[i][k];
  mean *= 0.125;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      r[i][k] = mean - t[i][k];
}
inline void flatPrism(const double *t, double *r) {
  double mean = 0;
  for (int i = 0; i < 6; ++i)
    mean += t[i];
  mean *= 0.125;
  for (int i = 0; i < 6; ++i)
    r[i] = mean - t[i];
}

namespace {

struct Mesh {
  op_set cells, prisms;
  op_map corners, flat;
  op_dat T, R, flatT, flatR;
  op_layers layers;
};

Mesh makeMesh(int side, int layers) {
  std::vector<int> corners, flat;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      int a = j * (side + 1) + i, b = a + side + 1;
      corners.insert(corners.end(), {a, a + 1, b, a + 1, b + 1, b});
    }
  const int vertices = (side + 1) * (side + 1), levels = layers + 1;
  for (std::size_t c = 0; c < corners.size(); c += 3)
    for (int l = 0; l < layers; ++l)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k)
          flat.push_back(corners[c + i] * levels + l + k);
  std::vector<double> t(std::size_t(vertices) * levels), r(t.size());
  for (std::size_t n = 0; n < t.size(); ++n)
    t[n] = double(n * 7919 % 1000);
  Mesh mesh;
  op_set nodes = op_decl_set(vertices, "nodes");
  op_set points = op_decl_set(vertices * levels, "points");
  mesh.cells = op_decl_set(2 * side * side, "cells");
  mesh.prisms = op_decl_set(2 * side * side * layers, "prisms");
  mesh.corners = op_decl_map(mesh.cells, nodes, 3, corners.data(), "corners");
  mesh.flat = op_decl_map(mesh.prisms, points, 6, flat.data(), "flat");
  mesh.T = op_decl_dat_layers(nodes, levels, 1, "double", t.data(), "T");
  mesh.R = op_decl_dat_layers(nodes, levels, 1, "double", r.data(), "R");
  mesh.flatT = op_decl_dat(points, 1, "double", t.data(), "flatT");
  mesh.flatR = op_decl_dat(points, 1, "double", r.data(), "flatR");
  mesh.layers = op_decl_layers(mesh.cells, 0, layers, "layers");
  return mesh;
}

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Seconds until all has run that `call` leaves in `result`.
template <class Call> double measure(op_dat result, Call call) {
  std::vector<double> row(std::size_t(result->dim));
  double begin = now();
  call();
  op_fetch_data_idx(result, row.data(), 0, 0);
  return now() - begin;
}

void report(int layers, const char *form, std::vector<double> times,
            double prisms, long long different) {
  double first = times.front();
  times.erase(times.begin());
  std::sort(times.begin(), times.end());
  std::printf("{\"layers\": %d, \"form\": \"%s\", \"first_ms\": %.2f, "
              "\"median_ns_a_prism\": %.3f, \"min\": %.3f, \"differ\": %lld}\n",
              layers, form, first * 1e3, times[times.size() / 2] / prisms * 1e9,
              times.front() / prisms * 1e9, different);
}

void run(int prisms, int layers, int calls) {
  int side = std::max(1, int(std::sqrt(double(prisms) / (2 * layers))));
  Mesh mesh = makeMesh(side, layers);
  std::vector<double> flat, columns;
  for (int call = 0; call < calls; ++call) {
    flat.push_back(measure(mesh.flatR, [&] {
      op_par_loop(flatPrism, "flat", mesh.prisms,
                  op_arg_dat(mesh.flatT, -6, mesh.flat, 1, "double", OP_READ),
                  op_arg_dat(mesh.flatR, -6, mesh.flat, 1, "double", OP_INC));
    }));
    columns.push_back(measure(mesh.R, [&] {
      op_par_loop(prism, "layers", mesh.layers,
                  op_arg_dat_layers(mesh.T, -3, mesh.corners, 0, 2, 1, "double",
                                    OP_READ),
                  op_arg_dat_layers(mesh.R, -3, mesh.corners, 0, 2, 1, "double",
                                    OP_INC));
    }));
  }
  std::vector<double> a(std::size_t(mesh.flatR->set->size)), b(a.size());
  op_fetch_data(mesh.flatR, a.data());
  op_fetch_data(mesh.R, b.data());
  long long different = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    different += a[n] != b[n];
  report(layers, "flat", flat, mesh.prisms->size, different);
  report(layers, "layers", columns, mesh.prisms->size, different);
}

} // namespace

int main(int argc, char **argv) {
  int prisms = 4000000, calls = 21;
  examples::CommandLine line("layers-bench", "Loops over layers, and flat.");
  line.number("prisms", prisms, 1, 100000000, "about so many prisms");
  line.number("calls", calls, 2, 1000000, "executions of each loop");
  line.parse(argc, argv);
  op_init(argc, argv, 0);
  for (int layers : {16, 64})
    run(prisms, layers, calls);
  op_exit();
}
