//===- operators.cpp - Products with and without matrices -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A x for the Laplace operator in three ways: by the assembled matrix, by
// local matrices that are kept in a dat, and by the kernel again, which keeps
// nothing. And what it takes to make the first two.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "op_seq.h"

#include <cstdlib>

using poisson::numNodes;

template <int dim, int order>
void element(double (*A)[numNodes(dim, order)], const double (*x)[dim]) {
  stiffness<dim, order>(&A[0][0], &x[0][0]);
}
template <int dim, int order> void fill(double *A, const double (*x)[dim]) {
  stiffness<dim, order>(A, &x[0][0]);
}
template <int n>
inline void multiply(double const *A, double const *u, double *v) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += A[i * n + j] * u[j];
    v[i] = sum;
  }
}
template <int n> void kept(const double *A, const double *u, double *v) {
  multiply<n>(A, u, v);
}
template <int dim, int order>
void again(const double (*x)[dim], const double *u, double *v) {
  constexpr int n = numNodes(dim, order);
  double A[n * n];
  stiffness<dim, order>(A, &x[0][0]);
  multiply<n>(A, u, v);
}
inline void clear(double *v) { *v = 0; }

/// The median of 15, in ms.
template <class Run> static double time(op_dat result, Run run) {
  std::vector<double> times;
  for (int step = 0; step < 16; ++step) {
    double begin = now();
    run();
    double row[numNodes(3, 2) * numNodes(3, 2)]; // all has run
    op_fetch_data_idx(result, row, 0, 0);
    if (step > 0)
      times.push_back(now() - begin);
  }
  return median(times) * 1e3;
}

/// Of v; the same by all three.
static double sumOfSquares(op_dat v, int size) {
  std::vector<double> values(std::size_t(size), 0);
  op_fetch_data(v, values.data());
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum;
}

template <int dim, int order> static void run(char const *name, int n) {
  constexpr int count = numNodes(dim, order);
  Mesh mesh = makeMesh<dim, order>(n, false);
  op_set nodes = op_decl_set(int(mesh.x.size()) / dim, "nodes");
  op_set cells = op_decl_set(int(mesh.cells.size()) / count, "cells");
  op_map map = op_decl_map(cells, nodes, count, mesh.cells.data(), "nodes");
  op_dat x = op_decl_dat(nodes, dim, "double", mesh.x.data(), "x");
  std::vector<double> values(std::size_t(nodes->size));
  for (std::size_t node = 0; node < values.size(); ++node)
    values[node] = std::sin(double(node));
  op_dat u = op_decl_dat(nodes, 1, "double", values.data(), "u");
  op_dat v = op_decl_dat(nodes, 1, "double", values.data(), "v");
  op_dat local =
      op_decl_dat(cells, count * count, "double", (double *)nullptr, "local");
  op_sparsity sparsity = op_decl_sparsity(map, map, "sparsity");
  op_mat mat = op_decl_mat(sparsity, 1, 1, "double", "A");
  double assembly = time(op_mat_values(mat), [&] {
    op_mat_zero(mat);
    op_par_loop(
        element<dim, order>, "element", cells,
        op_arg_mat(mat, -count, map, -count, map, 1, 1, "double", OP_INC),
        op_arg_dat(x, -count, map, dim, "double", OP_READ));
  });
  double filling = time(local, [&] {
    op_par_loop(fill<dim, order>, "fill", cells,
                op_arg_dat(local, -1, OP_ID, count * count, "double", OP_WRITE),
                op_arg_dat(x, -count, map, dim, "double", OP_READ));
  });
  double sums[3];
  double byMatrix = time(v, [&] { op_mat_mult(mat, u, v); });
  sums[0] = sumOfSquares(v, nodes->size);
  double byKept = time(v, [&] {
    op_par_loop(clear, "clear", nodes,
                op_arg_dat(v, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(kept<count>, "kept", cells,
                op_arg_dat(local, -1, OP_ID, count * count, "double", OP_READ),
                op_arg_dat(u, -count, map, 1, "double", OP_READ),
                op_arg_dat(v, -count, map, 1, "double", OP_INC));
  });
  sums[1] = sumOfSquares(v, nodes->size);
  double byKernel = time(v, [&] {
    op_par_loop(clear, "clear", nodes,
                op_arg_dat(v, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(again<dim, order>, "again", cells,
                op_arg_dat(x, -count, map, dim, "double", OP_READ),
                op_arg_dat(u, -count, map, 1, "double", OP_READ),
                op_arg_dat(v, -count, map, 1, "double", OP_INC));
  });
  sums[2] = sumOfSquares(v, nodes->size);
  for (double sum : sums)
    if (!(std::fabs(sum - sums[0]) <= 1e-9 * sums[0])) {
      std::fprintf(stderr,
                   "operators: error: %s: |A u|^2 is %.17g, then %.17g\n", name,
                   sums[0], sum);
      std::exit(1);
    }
  std::printf("{\"mesh\": \"%s\", \"cells\": %d, \"assembly_ms\": %.4f, "
              "\"local_matrices_ms\": %.4f, \"by_matrix_ms\": %.4f, "
              "\"by_local_matrices_ms\": %.4f, \"by_kernel_ms\": %.4f}\n",
              name, cells->size, assembly, filling, byMatrix, byKept, byKernel);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int n2 = argc > 1 ? std::atoi(argv[1]) : 1000;
  int n3 = argc > 2 ? std::atoi(argv[2]) : 70;
  run<2, 1>("triangles", n2);
  run<3, 1>("tetrahedra", n3);
  run<2, 2>("quadratic-triangles", n2 / 2);
  run<3, 2>("quadratic-tetrahedra", n3 / 2);
  op_exit();
}
