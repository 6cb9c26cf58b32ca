//===- assembly.cpp - Matrices assembled by loops ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P1 on triangles and tetrahedra: time to assemble an element, to make the
// sparsity and the places, and to multiply. `assembly_ref` does the same with
// PETSc.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "op_seq.h"

#include <cstdlib>

template <int corners>
void element(double (*A)[corners], const double (*x)[corners - 1]) {
  stiffness<corners>(&A[0][0], &x[0][0]);
}

template <int corners>
static void run(char const *name, int n, bool isShuffled) {
  Mesh mesh = makeMesh<corners>(n, isShuffled);
  op_set nodes = op_decl_set(mesh.numNodes(corners - 1), "nodes");
  op_set cells = op_decl_set(mesh.numCells(corners), "cells");
  op_map map = op_decl_map(cells, nodes, corners, mesh.cells.data(), "corners");
  op_dat x = op_decl_dat(nodes, corners - 1, "double", mesh.x.data(), "x");
  op_sparsity sparsity = op_decl_sparsity(map, map, "sparsity");
  op_mat mat = op_decl_mat(sparsity, 1, 1, "double", "A");
  op_partition("", "", nullptr, nullptr, nullptr);
  auto assemble = [&] {
    op_par_loop(
        element<corners>, "element", cells,
        op_arg_mat(mat, -corners, map, -corners, map, 1, 1, "double", OP_INC),
        op_arg_dat(x, -corners, map, corners - 1, "double", OP_READ));
    double value; // all has run
    op_fetch_data_idx(op_mat_values(mat), &value, 0, 0);
  };
  double begin = now();
  (void)op_arg_mat(mat, -corners, map, -corners, map, 1, 1, "double", OP_INC);
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
  int n2 = argc > 1 ? std::atoi(argv[1]) : 1000;
  int n3 = argc > 2 ? std::atoi(argv[2]) : 70;
  for (bool isShuffled : {false, true}) {
    run<3>(isShuffled ? "triangles-shuffled" : "triangles", n2, isShuffled);
    run<4>(isShuffled ? "tetrahedra-shuffled" : "tetrahedra", n3, isShuffled);
  }
  op_exit();
}
