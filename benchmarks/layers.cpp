//===- layers.cpp - A loop over layers against the flat form ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prisms on the triangles of a square grid: each takes the temperatures of its
// six corners and adds to its six residuals. By columns, of 16 and of 64
// layers, and on a mesh of prisms with a map of six slots, in turn. Then the
// matrix of the same prisms and a product with it, of both meshes. Values are
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

// Of place (i, j) two levels of i: each with its own level of j, the upper one
// with the one below, the lower one with the one above.
inline void tensor(const double (*t)[2], double (*own)[2], double *below,
                   double *above) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      for (int a = 0; a < 2; ++a)
        own[3 * i + j][a] += t[i][a] * 0.5 + t[j][a];
      below[3 * i + j] += t[i][1] * 0.5 + t[j][0];
      above[3 * i + j] += t[i][0] * 0.5 + t[j][1];
    }
}
inline void flatTensor(const double *t, double (*A)[6]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      A[i][j] = t[i] * 0.5 + t[j];
}
// `x` and `y` have a level more at both ends.
inline void multiply(const double *own, const double *below,
                     const double *above, const double *x, double *y) {
  *y += *below * x[0] + *own * x[1] + *above * x[2];
}

inline void clear(double *y, const int *count) {
  for (int n = 0; n < *count; ++n)
    y[n] = 0;
}

namespace {

struct Mesh {
  op_set cells, prisms;
  op_map corners, flat;
  op_dat T, R, flatT, flatR;
  op_layers layers;
  // Of the matrix: padded vectors and flat ones.
  op_mat A, flatA;
  op_dat own, below, above, x, y, flatX, flatY;
  op_layers bands;
};

/// About so many prisms.
Mesh makeMesh(int prisms, int layers, bool hasMatrix) {
  int side = std::max(1, int(std::sqrt(double(prisms) / (2 * layers))));
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
  if (!hasMatrix)
    return mesh;
  std::vector<double> padded(std::size_t(vertices) * (levels + 2));
  for (std::size_t n = 0; n < t.size(); ++n)
    padded[n / levels * (levels + 2) + n % levels + 1] = t[n];
  std::fill(r.begin(), r.end(), 0);
  mesh.A = op_decl_mat(op_decl_sparsity(mesh.corners, mesh.corners, "base"), 1,
                       1, "double", "A");
  mesh.flatA = op_decl_mat(op_decl_sparsity(mesh.flat, mesh.flat, "prisms"), 1,
                           1, "double", "flatA");
  auto declare = [&](const char *name) {
    return op_decl_dat_layers(op_mat_entries(mesh.A), levels, 1, "double",
                              (double *)nullptr, name);
  };
  mesh.own = declare("own");
  mesh.below = declare("below");
  mesh.above = declare("above");
  mesh.bands = op_decl_layers(op_mat_entries(mesh.A), 0, levels, "bands");
  mesh.x =
      op_decl_dat_layers(nodes, levels + 2, 1, "double", padded.data(), "x");
  std::fill(padded.begin(), padded.end(), 0);
  mesh.y =
      op_decl_dat_layers(nodes, levels + 2, 1, "double", padded.data(), "y");
  mesh.flatX = op_decl_dat(points, 1, "double", t.data(), "flatX");
  mesh.flatY = op_decl_dat(points, 1, "double", r.data(), "flatY");
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
  Mesh mesh = makeMesh(prisms, layers, false);
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

void multiplyColumns(const Mesh &mesh) {
  op_par_loop(
      multiply, "multiply", mesh.bands,
      op_arg_dat_layers(mesh.own, -1, OP_ID, 0, 1, 1, "double", OP_READ),
      op_arg_dat_layers(mesh.below, -1, OP_ID, 0, 1, 1, "double", OP_READ),
      op_arg_dat_layers(mesh.above, -1, OP_ID, 0, 1, 1, "double", OP_READ),
      op_arg_dat_layers(mesh.x, 0, op_mat_cols(mesh.A), 0, 3, 1, "double",
                        OP_READ),
      op_arg_dat_layers(mesh.y, 0, op_mat_rows(mesh.A), 1, 1, 1, "double",
                        OP_INC));
}

void runMatrix(int prisms, int layers, int calls) {
  Mesh mesh = makeMesh(prisms, layers, true);
  std::vector<double> flat, columns, flatProducts, products;
  op_map places = op_mat_places(mesh.A, mesh.corners, mesh.corners);
  for (int call = 0; call < calls; ++call) {
    flat.push_back(measure(op_mat_values(mesh.flatA), [&] {
      op_par_loop(flatTensor, "flatTensor", mesh.prisms,
                  op_arg_dat(mesh.flatT, -6, mesh.flat, 1, "double", OP_READ),
                  op_arg_mat(mesh.flatA, -6, mesh.flat, -6, mesh.flat, 1, 1,
                             "double", OP_INC));
    }));
    columns.push_back(measure(mesh.own, [&] {
      op_par_loop(
          tensor, "tensor", mesh.layers,
          op_arg_dat_layers(mesh.T, -3, mesh.corners, 0, 2, 1, "double",
                            OP_READ),
          op_arg_dat_layers(mesh.own, -9, places, 0, 2, 1, "double", OP_INC),
          op_arg_dat_layers(mesh.below, -9, places, 1, 1, 1, "double", OP_INC),
          op_arg_dat_layers(mesh.above, -9, places, 0, 1, 1, "double", OP_INC));
    }));
    flatProducts.push_back(measure(mesh.flatY, [&] {
      op_mat_mult<double, 1>(mesh.flatA, mesh.flatX, mesh.flatY);
    }));
    products.push_back(measure(mesh.y, [&] { multiplyColumns(mesh); }));
  }
  // Both are assembled so many times, and what columns multiply is added up.
  std::vector<double> a(std::size_t(mesh.flatY->set->size));
  std::vector<double> b(std::size_t(mesh.y->set->size) * mesh.y->dim);
  op_par_loop(clear, "clear", mesh.y->set,
              op_arg_dat(mesh.y, -1, OP_ID, layers + 3, "double", OP_WRITE),
              op_arg_gbl(&mesh.y->dim, 1, "int", OP_READ));
  multiplyColumns(mesh);
  op_fetch_data(mesh.flatY, a.data());
  op_fetch_data(mesh.y, b.data());
  long long different = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    different +=
        a[n] != b[n / (layers + 1) * (layers + 3) + n % (layers + 1) + 1];
  report(layers, "flat matrix", flat, mesh.prisms->size, different);
  report(layers, "matrix of columns", columns, mesh.prisms->size, different);
  report(layers, "flat product", flatProducts, mesh.prisms->size, different);
  report(layers, "product of columns", products, mesh.prisms->size, different);
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
  // A prism has about ten values of the matrix.
  for (int layers : {16, 64})
    runMatrix(prisms / 4, layers, calls);
  op_exit();
}
