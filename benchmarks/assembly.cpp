//===- assembly.cpp - Matrices assembled by loops ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear elements on triangles and tetrahedra, quadratic ones on tetrahedra:
// time to assemble an element, to make the sparsity and the places, and to
// multiply. `assembly_ref` does the same with PETSc.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "op_seq.h"

using poisson::numNodes;

template <int dim, int order>
void element(double (*A)[numNodes(dim, order)], const double (*x)[dim]) {
  stiffness<dim, order>(&A[0][0], &x[0][0]);
}

template <int dim, int order>
static void run(char const *name, int n, bool isShuffled) {
  constexpr int count = numNodes(dim, order);
  Mesh mesh = makeMesh<dim, order>(n, isShuffled);
  op_set nodes = op_decl_set(int(mesh.x.size()) / dim, "nodes");
  op_set cells = op_decl_set(int(mesh.cells.size()) / count, "cells");
  op_map map = op_decl_map(cells, nodes, count, mesh.cells.data(), "nodes");
  op_dat x = op_decl_dat(nodes, dim, "double", mesh.x.data(), "x");
  op_sparsity sparsity = op_decl_sparsity(map, map, "sparsity");
  op_mat mat = op_decl_mat(sparsity, 1, 1, "double", "A");
  op_partition("", "", nullptr, nullptr, nullptr);
  auto assemble = [&] {
    op_par_loop(
        element<dim, order>, "element", cells,
        op_arg_mat(mat, -count, map, -count, map, 1, 1, "double", OP_INC),
        op_arg_dat(x, -count, map, dim, "double", OP_READ));
    double value; // all has run
    op_fetch_data_idx(op_mat_values(mat), &value, 0, 0);
  };
  double begin = now();
  (void)op_arg_mat(mat, -count, map, -count, map, 1, 1, "double", OP_INC);
  double made = now() - begin;
  begin = now();
  assemble();
  double first = now() - begin;
  std::vector<double> times, products;
  for (int step = 0; step < 15; ++step) {
    op_mat_zero(mat);
    op_fetch_data_idx(op_mat_values(mat), &begin, 0, 0); // all has run
    begin = now();
    assemble();
    times.push_back(now() - begin);
  }
  std::vector<double> ones(std::size_t(nodes->size), 1), result(ones.size());
  op_dat u = op_decl_dat(nodes, 1, "double", ones.data(), "u");
  op_dat v = op_decl_dat(nodes, 1, "double", result.data(), "v");
  for (int step = 0; step < 15; ++step) {
    begin = now();
    op_mat_mult(mat, u, v);
    double value;
    op_fetch_data_idx(v, &value, 0, 0);
    products.push_back(now() - begin);
  }
  long long values;
  op_mat_get_size(mat, nullptr, nullptr, &values);
  report(name, "op2", cells->size, values, made, first, median(times),
         median(products));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  runMeshes(argc, argv, [](auto dim, auto order, auto... mesh) {
    run<dim(), order()>(mesh...);
  });
  op_exit();
}
