// Sparse matrices on ranks: the bits of one process, where each rank declares
// the whole mesh, and where each declares a block.
//
// REQUIRES: mpi, eigen, no-sanitizer
// RUN: %op2cxx -O2 -march=native -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_CHECK_PLAN=1 -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_RANKS=mirrored -- %t | FileCheck %s
// CHECK: ways, the same output
// RUN: env OP2_TARGET=openmp %t > %t.alone && env OP2_TARGET=seq %t > %t.out && diff %t.alone %t.out
// RUN: grep -v csr %t.alone > %t.loops
// RUN: env OP2_TARGET=openmp MATRIX=%t.1.mtx %t > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_CHECK_PLAN=1 MATRIX=%t.2.mtx %mpirun -n 2 %t 2 > %t.out && diff %t.loops %t.out && diff %t.1.mtx %t.2.mtx
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:5 OP2_CHECK_PLAN=1 MATRIX=%t.4.mtx %mpirun -n 4 %t 4 > %t.out && diff %t.loops %t.out && diff %t.1.mtx %t.4.mtx
// RUN: env OP2_TARGET=seq OP2_RANKS=blocks OP2_PARTITION=random:2 %mpirun -n 3 %t 3 > %t.out && diff %t.loops %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks %mpirun -n 2 %t 2 OP_NO_REALLOC > %t.out && diff %t.loops %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:4 %mpirun -n 3 %t 3 OP_NO_REALLOC > %t.out && diff %t.loops %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=whole %mpirun -n 3 %t OP_NO_REALLOC > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=whole MATRIX=%t.3.mtx %mpirun -n 3 %t > %t.out && diff %t.alone %t.out && diff %t.1.mtx %t.3.mtx
//
// RUN: env OP2_RANKS=whole not %mpirun -n 2 %t late 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: op_decl_mat late: ranks already have their parts of the mesh

#include "Inputs/bits.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

inline void laplace(double (*A)[3], const double (*x)[2]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] = (i == j ? 4.3 : 0) + (x[i][0] * x[j][1] - x[j][0] * x[i][1]) / 7 +
                x[i][0] * x[j][0] / 3;
}
inline void elastic(double (*A)[6], const double (*x)[2]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      A[i][j] = x[i / 2][i % 2] / 3 + x[j / 2][j % 2] / 7;
}
inline void row(double *A, const double *w) {
  for (int j = 0; j < 3; ++j)
    A[j] = *w / (j + 3);
}
// Through some of the slots, for the first time when ranks have their parts.
inline void part(double (*A)[2], double *last, const double *w) {
  A[0][0] += *w / 3;
  A[0][1] -= *w / 7;
  A[1][0] += *w / 11;
  A[1][1] += *w / 13;
  last[0] += *w / 17;
  last[1] -= *w / 19;
}
inline void column(double (*B)[2], const double *A, const double *w) {
  for (int n = 0; n < 4; ++n) {
    B[n][0] += *w / (n + 3);
    B[n][1] += A[n / 2] / 7;
  }
}
inline void look(const double (*A)[3], const double *u, double *b, double *sum) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      b[i] += A[i][j] * u[j] / 11;
      *sum += A[i][j];
    }
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *word) {
    return argc > 1 && !std::strcmp(argv[argc - 1], word);
  };
  int rank, ranks = countBlocks(argc, argv, rank);
  const int n = 12, ncell = 2 * n * n, nnode = (n + 1) * (n + 1);
  auto begin = [&](int size, int of) { return size * of / ranks; };
  int cell0 = begin(ncell, rank), cell1 = begin(ncell, rank + 1);
  int node0 = begin(nnode, rank), node1 = begin(nnode, rank + 1);
  std::vector<int> table, own, some, isGiven;
  std::vector<double> x0, w0, u0;
  for (int c = cell0; c < cell1; ++c) {
    int i = c / 2 / n, j = c / 2 % n, a = i * (n + 1) + j, b = a + n + 1;
    if (c % 2)
      table.insert(table.end(), {a, b + 1, a + 1});
    else
      table.insert(table.end(), {b, a, b + 1});
    own.push_back((c * 7) % ncell);
    if (c % 3 == 0)
      some.push_back(c);
    w0.push_back(1.0 + c * 37 % 101 / 7.0);
  }
  for (int p = node0; p < node1; ++p) {
    x0.insert(x0.end(), {p % 17 / 11.0, p % 5 / 3.0});
    u0.push_back(std::sin(double(p)));
    isGiven.push_back(p % 7 == 0);
  }
  // With OP_NO_REALLOC these are the dats' own.
  std::vector<double> b0(u0.size()), product0(2 * u0.size()), both0 = x0;
  op_set cells = op_decl_set(cell1 - cell0, "cells");
  op_set nodes = op_decl_set(node1 - node0, "nodes");
  op_map corner = op_decl_map(cells, nodes, 3, table.data(), "corner");
  op_map other = op_decl_map(cells, cells, 1, own.data(), "other");
  op_dat x = op_decl_dat(nodes, 2, "double", x0.data(), "x");
  op_dat w = op_decl_dat(cells, 1, "double", w0.data(), "w");
  op_dat u = op_decl_dat(nodes, 1, "double", u0.data(), "u");
  op_dat b = op_decl_dat(nodes, 1, "double", b0.data(), "b");
  op_dat both = op_decl_dat(nodes, 2, "double", both0.data(), "both");
  op_dat product = op_decl_dat(nodes, 2, "double", product0.data(), "product");
  op_dat flags = op_decl_dat(nodes, 1, "int", isGiven.data(), "flags");
  op_subset third = op_decl_subset(cells, int(some.size()), some.data(), "third");
  op_sparsity meet = op_decl_sparsity(corner, corner, "meet");
  op_map const rows[] = {corner, corner}, cols[] = {corner, corner};
  op_sparsity twice = op_decl_sparsity(2, rows, cols, "twice");
  op_sparsity lie = op_decl_sparsity(other, corner, "lie");
  op_mat A = op_decl_mat(meet, 1, 1, "double", "A");
  op_mat B = op_decl_mat(twice, 2, 2, "double", "B");
  op_mat C = op_decl_mat(lie, 1, 1, "double", "C");
  op_partition("", "", nullptr, nullptr, nullptr);
  if (is("late"))
    op_decl_mat(meet, 1, 1, "double", "late");

  double sum = 0;
  for (int step = 0; step < 2; ++step) {
    op_par_loop(laplace, "laplace", cells,
                op_arg_mat(A, -3, corner, -3, corner, 1, 1, "double", OP_INC),
                op_arg_dat(x, -3, corner, 2, "double", OP_READ));
    op_par_loop(laplace, "laplace", third,
                op_arg_mat(A, -3, corner, -3, corner, 1, 1, "double", OP_INC),
                op_arg_dat(x, -3, corner, 2, "double", OP_READ));
    op_par_loop(elastic, "elastic", cells,
                op_arg_mat(B, -3, corner, -3, corner, 2, 2, "double", OP_INC),
                op_arg_dat(x, -3, corner, 2, "double", OP_READ));
    op_par_loop(row, "row", cells,
                op_arg_mat(C, 0, other, -3, corner, 1, 1, "double", OP_INC),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(look, "look", cells,
                op_arg_mat(A, -3, corner, -3, corner, 1, 1, "double", OP_READ),
                op_arg_dat(u, -3, corner, 1, "double", OP_READ),
                op_arg_dat(b, -3, corner, 1, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_INC));
  }
  for (int step = 0; step < 2; ++step) {
    op_par_loop(part, "part", cells,
                op_arg_mat(A, -2, corner, -2, corner, 1, 1, "double", OP_INC),
                op_arg_mat(A, 2, corner, -2, corner, 1, 1, "double", OP_INC),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(part, "some part", third,
                op_arg_mat(A, -2, corner, -2, corner, 1, 1, "double", OP_INC),
                op_arg_mat(A, 1, corner, -2, corner, 1, 1, "double", OP_INC),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(column, "column", cells,
                op_arg_mat(B, -2, corner, 2, corner, 2, 2, "double", OP_INC),
                op_arg_mat(A, 2, corner, -3, corner, 1, 1, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
  }
  printBits<double>("sum", {sum});
  print("A", op_mat_values(A));
  print("B", op_mat_values(B));
  print("C", op_mat_values(C));
  print("b", b);
  op_mat_mult<double, 1>(A, u, b);
  print("A u", b);
  op_mat_mult<double, 2>(B, both, product);
  print("B both", product);
  op_mat_mult<double, 1>(C, u, w);
  print("C u", w);
  op_mat_eliminate<double, 1>(A, flags, u, b, 0.7);
  print("A, some given", op_mat_values(A));
  print("b, some given", b);
  if (ranks == 1) {
    int size;
    long long values;
    op_mat_get_size(A, &size, nullptr, &values);
    std::vector<long long> begins(size + 1);
    std::vector<int> columns(values);
    std::vector<double> numbers(values);
    op_mat_get_csr(A, begins.data(), columns.data(), numbers.data());
    printBits("csr, begins", begins);
    printBits("csr, columns", columns);
    printBits("csr, values", numbers);
  }
  if (const char *path = std::getenv("MATRIX"))
    op_print_mat_to_mtxfile(B, path);
  op_printf("solve: %s\n", op_solve(A, b, u) > 0 ? "yes" : "no");
  print("solved by bcgs", u);
  op_mat_mult<double, 1>(A, u, b);
  print("solved, product", b);
  op_printf("solve: %d\n", op_solve(A, b, u, "-ksp_type preonly"));
  print("solved by lu", u);
  op_printf("solve: %d\n", op_solve(B, product, both, "-ksp_type preonly"));
  print("solved by lu, blocks", both);
  op_exit();
}
