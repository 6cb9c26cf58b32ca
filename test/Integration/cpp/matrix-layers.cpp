// Matrices of extruded meshes: a dat with levels on the entries of the base's
// matrix, assembled by a loop over layers and multiplied by a loop over the
// entries' levels; against a sparse matrix on the flat mesh of prisms.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t | diff %t.seq -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 OP2_CHECK=1 %t | diff %t.seq -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=4 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=40 %t | diff %t.seq -
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OMP_NUM_THREADS=2 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t | diff %t.seq -
// RUN: %op2cxx -O3 -march=x86-64-v3 -Werror=op2-sequential %s -o %t.wide && env OMP_NUM_THREADS=2 %t.wide | diff %t.seq -
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | diff %t.seq -
// RUN: env OP2_TARGET=openmp not %t pair 2>&1 | FileCheck %s --check-prefix=PAIR
//
// CHECK: entries 622, values 9952, 9952 of prisms: 0 differ, 0 beyond
// CHECK-NEXT: products: 0 differ
// PAIR: op_mat_places of A: maps pcell and other are no pair of sparsity sparsity

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kLayers = 5, kLevels = kLayers + 1;

// Levels l + a of corner i and l + b of corner j.
static double part(double u, double v, bool isSame) {
  return u + 2 * v + (isSame ? 5 : 0);
}
inline void flatPrism(double (*A)[6], const double *t) {
  for (int n = 0; n < 6; ++n)
    for (int m = 0; m < 6; ++m)
      A[n][m] = part(t[n], t[m], n == m);
}
// Of place (i, j) two levels of the row, each with three of the column: the one
// below, its own, the one above.
inline void prism(double (*A)[6], const double (*t)[2]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          A[3 * i + j][3 * a + b - a + 1] +=
              part(t[i][a], t[j][b], i == j && a == b);
}
// `x` and `y` have a level more at both ends.
inline void product(const double *A, const double *x, double *y) {
  *y += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
}
inline void halve(double *y, double *x) {
  *x = *y * 0.5;
  *y = 0;
}
// Entries may be in another order than those of the CSR format.
inline void findPlace(const int *row, const int *col, int *place) {
  place[0] = *row;
  place[1] = *col;
}
inline void flatHalve(double *y, double *x) { halve(y, x); }

template <class T> static std::vector<T> fetch(op_dat dat) {
  std::vector<T> values(size_t(dat->set->size) * dat->dim);
  op_fetch_data(dat, values.data());
  return values;
}

struct Csr {
  explicit Csr(op_mat mat) {
    int numRows, numCols;
    long long count;
    op_mat_get_size(mat, &numRows, &numCols, &count);
    rows.resize(size_t(numRows) + 1);
    cols.resize(size_t(count));
    values.resize(size_t(count));
    op_mat_get_csr(mat, rows.data(), cols.data(), values.data());
  }
  std::vector<long long> rows;
  std::vector<int> cols;
  std::vector<double> values;
};

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int side = 9, across = side + 1, nodes = across * across;
  std::vector<int> corners, flat;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      int a = j * across + i, b = a + across;
      corners.insert(corners.end(), {a, a + 1, b, a + 1, b + 1, b});
    }
  for (size_t c = 0; c < corners.size(); c += 3)
    for (int l = 0; l < kLayers; ++l)
      for (int i = 0; i < 3; ++i)
        for (int a = 0; a < 2; ++a)
          flat.push_back(corners[c + i] * kLevels + l + a);
  std::vector<double> t(nodes * kLevels), x(nodes * kLevels);
  std::vector<double> wide(nodes * (kLevels + 2));
  for (size_t n = 0; n < t.size(); ++n) {
    t[n] = double(n * 7 % 11);
    x[n] = double(n * 5 % 13);
    wide[n / kLevels * (kLevels + 2) + n % kLevels + 1] = x[n];
  }
  std::vector<double> zeros(wide.size());

  op_set cells = op_decl_set(int(corners.size()) / 3, "cells");
  op_set vertices = op_decl_set(nodes, "vertices");
  op_map pcell = op_decl_map(cells, vertices, 3, corners.data(), "pcell");
  op_map other = op_decl_map(cells, vertices, 3, corners.data(), "other");
  op_dat dt = op_decl_dat_layers(vertices, kLevels, 1, "double", t.data(), "t");
  op_dat dx = op_decl_dat_layers(vertices, kLevels + 2, 1, "double", wide.data(), "x");
  op_dat dy = op_decl_dat_layers(vertices, kLevels + 2, 1, "double", zeros.data(), "y");
  op_layers prisms = op_decl_layers(cells, 0, kLayers, "prisms");
  op_layers levels = op_decl_layers(vertices, 0, kLevels, "levels");
  op_mat A = op_decl_mat(op_decl_sparsity(pcell, pcell, "sparsity"), 1, 1, "double", "A");
  if (argc > 1 && !std::strcmp(argv[1], "pair"))
    op_mat_places(A, pcell, other);
  op_set entries = op_mat_entries(A);
  op_map places = op_mat_places(A, pcell, pcell), rows = op_mat_rows(A), cols = op_mat_cols(A);
  op_dat V = op_decl_dat_layers(entries, kLevels, 3, "double", (double *)nullptr, "V");
  op_layers bands = op_decl_layers(entries, 0, kLevels, "bands");

  op_set solids = op_decl_set(int(flat.size()) / 6, "solids");
  op_set points = op_decl_set(nodes * kLevels, "points");
  op_map psolid = op_decl_map(solids, points, 6, flat.data(), "psolid");
  op_dat ft = op_decl_dat(points, 1, "double", t.data(), "ft");
  op_dat fx = op_decl_dat(points, 1, "double", x.data(), "fx");
  op_dat fy = op_decl_dat(points, 1, "double", (double *)nullptr, "fy");
  op_mat B = op_decl_mat(op_decl_sparsity(psolid, psolid, "solids"), 1, 1, "double", "B");

  op_par_loop(prism, "prism", prisms,
              op_arg_dat_layers(V, -9, places, 0, 2, 3, "double", OP_INC),
              op_arg_dat_layers(dt, -3, pcell, 0, 2, 1, "double", OP_READ));
  op_mat_zero(B);
  op_par_loop(flatPrism, "flatPrism", solids,
              op_arg_mat(B, -6, psolid, -6, psolid, 1, 1, "double", OP_INC),
              op_arg_dat(ft, -6, psolid, 1, "double", OP_READ));
  for (int step = 0; step < 3; ++step) {
    op_par_loop(product, "product", bands,
                op_arg_dat_layers(V, -1, OP_ID, 0, 1, 3, "double", OP_READ),
                op_arg_dat_layers(dx, 0, cols, 0, 3, 1, "double", OP_READ),
                op_arg_dat_layers(dy, 0, rows, 1, 1, 1, "double", OP_INC));
    op_par_loop(halve, "halve", levels,
                op_arg_dat_layers(dy, -1, OP_ID, 1, 1, 1, "double", OP_RW),
                op_arg_dat_layers(dx, -1, OP_ID, 1, 1, 1, "double", OP_WRITE));
    op_mat_mult(B, fx, fy);
    op_par_loop(flatHalve, "flatHalve", points,
                op_arg_dat(fy, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(fx, -1, OP_ID, 1, "double", OP_WRITE));
  }

  op_dat place = op_decl_dat(entries, 2, "int", (int *)nullptr, "place");
  op_par_loop(findPlace, "findPlace", entries, op_arg_idx(0, rows), op_arg_idx(0, cols),
              op_arg_dat(place, -1, OP_ID, 2, "int", OP_WRITE));
  std::vector<int> pairs = fetch<int>(place);
  std::vector<double> values = fetch<double>(V);
  Csr csr(B);
  int count = 0, differ = 0, beyond = 0;
  for (size_t e = 0; e < pairs.size() / 2; ++e)
    for (int l = 0; l < kLevels; ++l)
      for (int d = 0; d < 3; ++d) {
        double value = values[(e * kLevels + l) * 3 + d];
        int m = l + d - 1;
        if (m < 0 || m >= kLevels) {
          beyond += value != 0;
          continue;
        }
        int row = pairs[2 * e] * kLevels + l, col = pairs[2 * e + 1] * kLevels + m;
        for (auto n = csr.rows[row]; n < csr.rows[row + 1]; ++n)
          if (csr.cols[n] == col) {
            ++count;
            differ += csr.values[n] != value;
          }
      }
  op_printf("entries %d, values %d, %d of prisms: %d differ, %d beyond\n",
            int(pairs.size() / 2), count, int(csr.cols.size()), differ, beyond);
  std::vector<double> ours = fetch<double>(dx), theirs = fetch<double>(fx);
  differ = 0;
  for (size_t n = 0; n < theirs.size(); ++n)
    differ += ours[n / kLevels * (kLevels + 2) + n % kLevels + 1] != theirs[n];
  op_printf("products: %d differ\n", differ);
  op_exit();
}
