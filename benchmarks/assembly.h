//===- assembly.h - Meshes and kernels of the assembly benchmark *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_ASSEMBLY_H
#define OP2_BENCHMARKS_ASSEMBLY_H

#include "../examples/poisson/element.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

struct Mesh {
  std::vector<double> x;  ///< [node][dim]
  std::vector<int> cells; ///< [cell][node]
};

/// A square of n x n x 2 triangles, or a cube of n x n x n x 6 tetrahedra; with
/// nodes and cells numbered at random.
template <int dim, int order> Mesh makeMesh(int n, bool isShuffled) {
  constexpr int count = poisson::numNodes(dim, order);
  poisson::Mesh<dim, order> ordered(n);
  Mesh mesh{ordered.x, ordered.cells};
  if (!isShuffled)
    return mesh;
  std::mt19937 random(42);
  std::vector<int> number(mesh.x.size() / dim);
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  for (std::size_t node = 0; node < number.size(); ++node)
    for (int d = 0; d < dim; ++d)
      mesh.x[std::size_t(number[node]) * dim + d] = ordered.x[node * dim + d];
  std::vector<int> cells(mesh.cells.size() / count);
  std::iota(cells.begin(), cells.end(), 0);
  std::shuffle(cells.begin(), cells.end(), random);
  mesh.cells.clear();
  for (int cell : cells)
    for (int node = 0; node < count; ++node)
      mesh.cells.push_back(
          number[std::size_t(ordered.cells[std::size_t(cell) * count + node])]);
  return mesh;
}

/// The matrix of the Laplace operator on a simplex.
template <int dim, int order>
inline void stiffness(double *A, double const *x) {
  constexpr int count = poisson::numNodes(dim, order);
  constexpr poisson::Points<dim, order> points;
  double g[dim + 1][dim];
  double volume = poisson::gradients<dim>(x, g);
  for (int i = 0; i < count * count; ++i)
    A[i] = 0;
  for (int q = 0; q < points.count; ++q) {
    double at[count][dim];
    poisson::gradientsAt<dim, order>(points.l[q], g, at);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        double sum = 0;
        for (int d = 0; d < dim; ++d)
          sum += at[i][d] * at[j][d];
        A[i * count + j] += volume / points.count * sum;
      }
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
              "%lld, \"made_ms\": %.4f, \"first_ms\": %.4f, "
              "\"assembly_ns_a_cell\": %.2f, \"product_ms\": %.4f}\n",
              mesh, how, cells, values, made * 1e3, first * 1e3,
              assembly / cells * 1e9, product * 1e3);
}

/// Calls run with the dimension and the order of each mesh of the benchmark, as
/// constants, its name, its cells a side and whether it is shuffled. The
/// program is called with cells a side of squares and of cubes, and the name of
/// a mesh if it is for that one alone.
template <class Run> void runMeshes(int argc, char **argv, Run run) {
  int n2 = argc > 1 ? std::atoi(argv[1]) : 1000;
  int n3 = argc > 2 ? std::atoi(argv[2]) : 70;
  auto runIf = [&](auto dim, auto order, char const *name, int n,
                   bool isShuffled) {
    if (argc <= 3 || std::string(argv[3]) == name)
      run(dim, order, name, n, isShuffled);
  };
  std::integral_constant<int, 1> linear;
  std::integral_constant<int, 2> flat, quadratic;
  std::integral_constant<int, 3> solid;
  runIf(flat, linear, "triangles", n2, false);
  runIf(solid, linear, "tetrahedra", n3, false);
  runIf(flat, linear, "triangles-shuffled", n2, true);
  runIf(solid, linear, "tetrahedra-shuffled", n3, true);
  runIf(solid, quadratic, "quadratic-tetrahedra", n3 / 2, false);
}

#endif // OP2_BENCHMARKS_ASSEMBLY_H
