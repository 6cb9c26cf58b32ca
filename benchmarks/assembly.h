//===- assembly.h - Meshes and kernels of the assembly benchmark *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_ASSEMBLY_H
#define OP2_BENCHMARKS_ASSEMBLY_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

struct Mesh {
  std::vector<double> x;  ///< [node][space]
  std::vector<int> cells; ///< [cell][corner]
  int numNodes(int space) const { return int(x.size()) / space; }
  int numCells(int corners) const { return int(cells.size()) / corners; }
};

/// A square of n x n x 2 triangles, or a cube of n x n x n x 6 tetrahedra; with
/// nodes and cells numbered at random.
template <int corners> Mesh makeMesh(int n, bool isShuffled) {
  constexpr int space = corners - 1;
  Mesh mesh;
  int depth = space == 3 ? n : 0;
  auto id = [&](int const *at) {
    return space == 3 ? (at[0] * (n + 1) + at[1]) * (n + 1) + at[2]
                      : at[0] * (n + 1) + at[1];
  };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (int k = 0; k <= depth; ++k) {
        mesh.x.push_back((i + 0.1 * std::sin(j)) / n);
        mesh.x.push_back((j + 0.1 * std::sin(k + i)) / n);
        if (space == 3)
          mesh.x.push_back((k + 0.1 * std::sin(i)) / n);
      }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < (space == 3 ? n : 1); ++k) {
        int order[3] = {0, 1, 2};
        do {
          int at[3] = {i, j, k};
          mesh.cells.push_back(id(at));
          for (int d = 0; d < space; ++d) {
            ++at[order[d]];
            mesh.cells.push_back(id(at));
          }
        } while (std::next_permutation(order, order + space));
      }
  if (!isShuffled)
    return mesh;
  std::mt19937 random(42);
  std::vector<int> number(mesh.x.size() / space);
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  std::vector<double> x(mesh.x.size());
  for (std::size_t node = 0; node < number.size(); ++node)
    for (int d = 0; d < space; ++d)
      x[std::size_t(number[node]) * space + d] = mesh.x[node * space + d];
  mesh.x = x;
  std::vector<int> order(mesh.cells.size() / corners);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<int> cells;
  for (int cell : order)
    for (int corner = 0; corner < corners; ++corner)
      cells.push_back(number[std::size_t(
          mesh.cells[std::size_t(cell) * corners + corner])]);
  mesh.cells = cells;
  return mesh;
}

/// The matrix of the Laplace operator on a simplex with linear functions.
template <int corners> inline void stiffness(double *A, double const *x) {
  constexpr int space = corners - 1;
  double edge[space][space], normal[corners][space];
  for (int i = 0; i < space; ++i)
    for (int d = 0; d < space; ++d)
      edge[i][d] = x[(i + 1) * space + d] - x[d];
  double volume;
  if constexpr (space == 2) {
    normal[1][0] = edge[1][1];
    normal[1][1] = -edge[1][0];
    normal[2][0] = -edge[0][1];
    normal[2][1] = edge[0][0];
    volume = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
  } else {
    for (int i = 0; i < 3; ++i) {
      double const *p = edge[(i + 1) % 3], *q = edge[(i + 2) % 3];
      normal[i + 1][0] = p[1] * q[2] - p[2] * q[1];
      normal[i + 1][1] = p[2] * q[0] - p[0] * q[2];
      normal[i + 1][2] = p[0] * q[1] - p[1] * q[0];
    }
    volume = edge[0][0] * normal[1][0] + edge[0][1] * normal[1][1] +
             edge[0][2] * normal[1][2];
  }
  for (int d = 0; d < space; ++d) {
    normal[0][d] = 0;
    for (int i = 1; i < corners; ++i)
      normal[0][d] -= normal[i][d];
  }
  double factor = 1 / ((space == 2 ? 2 : 6) * std::fabs(volume));
  for (int i = 0; i < corners; ++i)
    for (int j = 0; j < corners; ++j) {
      double sum = 0;
      for (int d = 0; d < space; ++d)
        sum += normal[i][d] * normal[j][d];
      A[i * corners + j] = factor * sum;
    }
}

inline double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline void report(char const *mesh, char const *how, int cells,
                   long long values, double made, double first, double assembly,
                   double product) {
  std::printf("{\"mesh\": \"%s\", \"by\": \"%s\", \"cells\": %d, \"values\": "
              "%lld, \"made_ms\": %.1f, \"first_ms\": %.1f, "
              "\"assembly_ns_a_cell\": %.2f, \"product_ms\": %.2f}\n",
              mesh, how, cells, values, made * 1e3, first * 1e3,
              assembly / cells * 1e9, product * 1e3);
}

#endif // OP2_BENCHMARKS_ASSEMBLY_H
