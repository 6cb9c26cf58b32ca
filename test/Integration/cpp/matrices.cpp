// Sparse matrices: assembled from tensors of elements on every target, blocks,
// rectangular ones, parts of them; read by loops, multiplied, rows set; given
// out in the application's order.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t %t.mtx > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: FileCheck %s --check-prefix=MTX < %t.mtx
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t > %t.omp && diff %t.seq %t.omp
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=7 OP2_OWNER=always OP2_CHECK_PLAN=1 %t > %t.own && diff %t.seq %t.own
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 OP2_OWNER=never OP2_CHECK_PLAN=1 %t > %t.col && diff %t.seq %t.col
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OP2_CHECK=1 %t > %t.rcm && diff %t.seq %t.rcm
// Without op_partition the first loop, or the first argument, renumbers.
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm %t %t.late.mtx late > %t.late && diff %t.seq %t.late && diff %t.mtx %t.late.mtx
// RUN: %op2cxx -O2 -march=x86-64-v3 --op2-vector-bits=256 --op2-report %s -o %t.wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: env OMP_NUM_THREADS=2 %t.wide > %t.out && diff %t.seq %t.out
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
//
// WIDE-DAG: loop 'mass': vectorized across 4 elements
//
// CHECK: mass 441 x 441, 2921 values
// CHECK: elasticity 882 x 882, 11684 values
// CHECK: lumped 800 x 441, 2400 values
// CHECK: row 1 441 x 441, 2921 values
// CHECK: read 18880
// CHECK: product 441 entries, sum 19200
// CHECK: rows set: 1 of row 0, 0 beside it
// CHECK: zero 0
//
// MTX: %%MatrixMarket matrix coordinate real general
// MTX-NEXT: 441 441 2921
// MTX-NEXT: 1 1 8
// MTX-NEXT: 1 2 2

#include "op_seq.h"

#include <cstdio>
#include <vector>

inline void mass(double (*A)[3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] = i == j ? 2 : 1;
}
// Unknowns of a node together; assigned, read again, added to.
inline void elasticity(double (*A)[6], const double (*x)[2]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      A[i][j] = x[i / 2][i % 2];
      A[i][j] += A[i][0] * 0 + 10 * x[j / 2][j % 2];
    }
}
inline void lump(float *A) { A[0] = A[1] = A[2] = 0.5f; }
inline void oneRow(double *A, const int *number) {
  for (int j = 0; j < 3; ++j)
    A[j] = *number + j;
}
inline void look(const double (*A)[3], double *sum) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      *sum += i == j ? 0 : A[i][j];
}

static unsigned hash(const void *data, std::size_t size) {
  unsigned result = 1;
  for (std::size_t n = 0; n < size; ++n)
    result = result * 16777619u ^ static_cast<const unsigned char *>(data)[n];
  return result;
}

static std::vector<char> show(const char *name, op_mat mat, std::size_t bytes) {
  int rows, cols;
  long long size;
  op_mat_get_size(mat, &rows, &cols, &size);
  std::vector<long long> begin(rows + 1);
  std::vector<int> columns(size);
  std::vector<char> values(size * bytes);
  op_mat_get_csr(mat, begin.data(), columns.data(), values.data());
  std::printf("%s %d x %d, %lld values: %u %u %u\n", name, rows, cols, size,
              hash(begin.data(), begin.size() * sizeof begin[0]),
              hash(columns.data(), columns.size() * sizeof columns[0]),
              hash(values.data(), values.size()));
  return values;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 20;
  std::vector<double> coordinates;
  std::vector<int> corners, own, numbers;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      coordinates.insert(coordinates.end(), {double(i), double(j)});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int a = i * (n + 1) + j, b = a + n + 1;
      for (int node : {a, b, b + 1, a, b + 1, a + 1})
        corners.push_back(node);
    }
  for (int cell = 0; cell < 2 * n * n; ++cell) {
    own.push_back(cell);
    numbers.push_back(cell % 7);
  }
  op_set nodes = op_decl_set((n + 1) * (n + 1), "nodes");
  op_set cells = op_decl_set(2 * n * n, "cells");
  op_map corner = op_decl_map(cells, nodes, 3, corners.data(), "corner");
  op_map self = op_decl_map(cells, cells, 1, own.data(), "self");
  op_dat x = op_decl_dat(nodes, 2, "double", coordinates.data(), "x");
  op_dat number = op_decl_dat(cells, 1, "int", numbers.data(), "number");
  op_sparsity meet = op_decl_sparsity(corner, corner, "meet");
  op_sparsity lie = op_decl_sparsity(self, corner, "lie");
  op_mat A = op_decl_mat(meet, 1, 1, "double", "A");
  op_mat B = op_decl_mat(meet, 2, 2, "double", "B");
  op_mat C = op_decl_mat(lie, 1, 1, "float", "C");
  op_mat D = op_decl_mat(meet, 1, 1, "double", "D");
  if (argc < 3)
    op_partition("", "", nullptr, nullptr, nullptr);

  for (int step = 0; step < 2; ++step) {
    op_par_loop(mass, "mass", cells,
                op_arg_mat(A, -3, corner, -3, corner, 1, 1, "double", OP_INC));
    op_par_loop(elasticity, "elasticity", cells,
                op_arg_mat(B, -3, corner, -3, corner, 2, 2, "double", OP_INC),
                op_arg_dat(x, -3, corner, 2, "double", OP_READ));
  }
  op_par_loop(lump, "lump", cells,
              op_arg_mat(C, 0, self, -3, corner, 1, 1, "float", OP_WRITE));
  op_par_loop(oneRow, "one row", cells,
              op_arg_mat(D, 1, corner, -3, corner, 1, 1, "double", OP_INC),
              op_arg_dat(number, -1, OP_ID, 1, "int", OP_READ));
  show("mass", A, sizeof(double));
  show("elasticity", B, sizeof(double));
  show("lumped", C, sizeof(float));
  show("row 1", D, sizeof(double));
  if (argc > 1)
    op_print_mat_to_mtxfile(A, argv[1]);

  double sum = 0;
  op_par_loop(look, "look", cells,
              op_arg_mat(A, -3, corner, -3, corner, 1, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("read %g\n", sum);

  std::vector<double> ones((n + 1) * (n + 1), 1), values(ones.size());
  op_dat u = op_decl_dat(nodes, 1, "double", ones.data(), "u");
  op_dat v = op_decl_dat(nodes, 1, "double", values.data(), "v");
  op_mat_mult(A, u, v);
  op_fetch_data(v, values.data());
  double all = 0;
  for (double value : values)
    all += value;
  std::printf("product %zu entries, sum %g: %u\n", values.size(), all,
              hash(values.data(), values.size() * sizeof(double)));

  std::vector<int> isGiven(ones.size());
  isGiven[0] = isGiven[100] = 1;
  op_dat given = op_decl_dat(nodes, 1, "int", isGiven.data(), "given");
  op_mat_zero_rows(A, given, 1.0);
  std::vector<char> left = show("given", A, sizeof(double));
  auto *numbersLeft = reinterpret_cast<const double *>(left.data());
  std::printf("rows set: %g of row 0, %g beside it\n", numbersLeft[0],
              numbersLeft[1]);
  op_mat_zero(B);
  std::vector<char> zeros = show("cleared", B, sizeof(double));
  double rest = 0;
  for (std::size_t k = 0; k < zeros.size() / sizeof(double); ++k)
    rest += reinterpret_cast<const double *>(zeros.data())[k];
  std::printf("zero %g\n", rest);
  op_exit();
}
