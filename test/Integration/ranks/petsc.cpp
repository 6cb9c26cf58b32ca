// PETSc on ranks, each of which gives its rows: op_petsc_solve, MatMult on the
// values of dats, matrices that change; where each rank declares the whole mesh
// and where each declares a block.
//
// REQUIRES: mpi, petsc, no-sanitizer
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi --op2-target=openmp %s %petsc -o %t
// RUN: %t | FileCheck %s
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t | FileCheck %s
// RUN: env OP2_RANKS=whole OP2_PARTITION=random:3 OP2_RENUMBER=rcm %mpirun -n 3 %t | FileCheck %s
// RUN: env OP2_RANKS=blocks %mpirun -n 3 %t 3 | FileCheck %s
// RUN: env OP2_RANKS=mirrored not %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=ARRAY
// CHECK: one unknown: gmres solved, cg solved, lu of blocks solved
// CHECK: two unknowns: gmres solved, cg solved, lu of blocks solved
// CHECK: other values: solved
// CHECK: few: not solved
// CHECK: products agree
// ARRAY: op_petsc_solve A: dat b lies in an array as it was declared

#include "op_petsc.h"
#include "op_seq.h"

#include <cmath>
#include <cstdlib>
#include <petscksp.h>
#include <vector>

template <int dim>
inline void element(double (*A)[3 * dim], const double (*x)[2]) {
  for (int i = 0; i < 3 * dim; ++i)
    for (int j = 0; j < 3 * dim; ++j)
      A[i][j] = (i == j ? 5 : 0) + x[i / dim][0] * x[j / dim][0] / 9;
}
inline void twice(double *value) { *value *= 2; }
template <int dim>
inline void compare(const double *x, const double *exact, double *most) {
  for (int a = 0; a < dim; ++a)
    *most = std::fmax(*most, std::fabs(x[a] - exact[a]));
}
template <int dim> inline void clear(double *x) {
  for (int a = 0; a < dim; ++a)
    x[a] = 0;
}

struct System {
  op_set nodes;
  op_mat A;
  op_dat x, b, exact;
};

template <int dim> static double error(const System &s, op_dat of) {
  double most = 0;
  op_par_loop(compare<dim>, "compare", s.nodes,
              op_arg_dat(of, -1, OP_ID, dim, "double", OP_READ),
              op_arg_dat(s.exact, -1, OP_ID, dim, "double", OP_READ),
              op_arg_gbl(&most, 1, "double", OP_MAX));
  return most;
}

template <int dim>
static const char *solve(const System &s, const char *options) {
  op_par_loop(clear<dim>, "clear", s.nodes,
              op_arg_dat(s.x, -1, OP_ID, dim, "double", OP_WRITE));
  int iterations = op_petsc_solve(s.A, s.b, s.x, options);
  return iterations > 0 && error<dim>(s, s.x) < 1e-5 ? "solved" : "not solved";
}

template <int dim>
static void assemble(const System &s, op_set cells, op_map corner, op_dat x) {
  op_par_loop(element<dim>, "element", cells,
              op_arg_mat(s.A, -3, corner, -3, corner, dim, dim, "double", OP_INC),
              op_arg_dat(x, -3, corner, 2, "double", OP_READ));
  op_mat_mult<double, dim>(s.A, s.exact, s.b);
}

template <int dim> static void solveAll(const char *name, const System &s) {
  const char *by = solve<dim>(s, "");
  const char *byCG = solve<dim>(s, "-ksp_type cg");
  const char *byLU = solve<dim>(s, "-pc_type bjacobi -sub_pc_type lu");
  op_printf("%s: gmres %s, cg %s, lu of blocks %s\n", name, by, byCG, byLU);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int rank = 0, ranks = argc > 1 ? std::atoi(argv[1]) : 1;
  if (ranks > 1)
    op_rank(&rank);
  const int n = 12, ncell = 2 * n * n, nnode = (n + 1) * (n + 1);
  auto begin = [&](int size, int of) { return size * of / ranks; };
  int cell0 = begin(ncell, rank), cell1 = begin(ncell, rank + 1);
  int node0 = begin(nnode, rank), node1 = begin(nnode, rank + 1);
  std::vector<int> table;
  std::vector<double> x0, known, zero;
  for (int c = cell0; c < cell1; ++c) {
    int i = c / 2 / n, j = c / 2 % n, a = i * (n + 1) + j, b = a + n + 1;
    if (c % 2)
      table.insert(table.end(), {a, b + 1, a + 1});
    else
      table.insert(table.end(), {b, a, b + 1});
  }
  for (int p = node0; p < node1; ++p) {
    x0.insert(x0.end(), {p % 17 / 11.0, p % 5 / 3.0});
    known.insert(known.end(), {std::sin(double(p)), std::cos(double(p))});
  }
  zero.resize(known.size());
  op_set cells = op_decl_set(cell1 - cell0, "cells");
  op_set nodes = op_decl_set(node1 - node0, "nodes");
  op_map corner = op_decl_map(cells, nodes, 3, table.data(), "corner");
  op_dat x = op_decl_dat(nodes, 2, "double", x0.data(), "x");
  op_sparsity meet = op_decl_sparsity(corner, corner, "meet");
  System one{nodes, op_decl_mat(meet, 1, 1, "double", "A"),
             op_decl_dat(nodes, 1, "double", zero.data(), "x1"),
             op_decl_dat(nodes, 1, "double", zero.data(), "b"),
             op_decl_dat(nodes, 1, "double", known.data(), "exact")};
  System two{nodes, op_decl_mat(meet, 2, 2, "double", "B"),
             op_decl_dat(nodes, 2, "double", zero.data(), "x2"),
             op_decl_dat(nodes, 2, "double", zero.data(), "b2"),
             op_decl_dat(nodes, 2, "double", known.data(), "exact2")};
  op_partition("", "", nullptr, nullptr, nullptr);
  assemble<1>(one, cells, corner, x);
  assemble<2>(two, cells, corner, x);
  solveAll<1>("one unknown", one);
  solveAll<2>("two unknowns", two);
  op_par_loop(twice, "twice", op_mat_entries(one.A),
              op_arg_dat(op_mat_values(one.A), -1, OP_ID, 1, "double", OP_RW));
  op_mat_mult<double, 1>(one.A, one.exact, one.b);
  op_printf("other values: %s\n", solve<1>(one, "-pc_type bjacobi -sub_pc_type lu"));
  op_printf("few: %s\n", solve<1>(one, "-ksp_type cg -pc_type none -ksp_max_it 1"));
  MatMult(op_petsc_mat(one.A), op_petsc_vec(one.exact, OP_READ),
          op_petsc_vec(one.x, OP_WRITE));
  // Rows of other ranks are brought anew.
  op_mat_mult<double, 1>(one.A, one.x, one.exact);
  op_mat_mult<double, 1>(one.A, one.b, one.x);
  op_printf("products %s\n", error<1>(one, one.x) < 1e-9 ? "agree" : "differ");
  op_exit();
}
