// Elements add to entries of a matrix, whose owners are those of its rows, and
// to rows of their own, of which there are as many as entries: sets of one size
// must not be taken for each other.
//
// RUN: %op2cxx -O1 --op2-target=openmp %s -o %t
// RUN: env OP2_OWNER=always OP2_CHECK_PLAN=1 OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=7 %t | FileCheck %s
// CHECK: 1600 elements, 1600 entries: 0 wrong

#include "op_seq.h"

#include <algorithm>
#include <cstdio>
#include <vector>

inline void assemble(double *A, double *n) {
  A[0] += 1;
  A[1] += 2;
  *n += 1;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 400;
  std::vector<int> rows, columns;
  int numColumns = 0;
  for (int k = 0; k < size; ++k) {
    // The first half has three entries a row, the second half one.
    int width = k < size / 2 ? 3 : 1;
    for (int j = 0; j < 4; ++j) {
      rows.insert(rows.end(), {k, k + 1});
      columns.push_back(numColumns + std::min(j, width - 1));
    }
    numColumns += width;
  }
  op_set elements = op_decl_set(int(columns.size()), "elements");
  op_set r = op_decl_set(size + 1, "rows");
  op_set c = op_decl_set(numColumns, "columns");
  op_map pr = op_decl_map(elements, r, 2, rows.data(), "pr");
  op_map pc = op_decl_map(elements, c, 1, columns.data(), "pc");
  op_mat A = op_decl_mat(op_decl_sparsity(pr, pc, "s"), 1, 1, "double", "A");
  op_dat n = op_decl_dat(elements, 1, "double", (double *)nullptr, "n");
  op_par_loop(assemble, "assemble", elements,
              op_arg_mat(A, -2, pr, 0, pc, 1, 1, "double", OP_INC),
              op_arg_dat(n, -1, OP_ID, 1, "double", OP_INC));
  std::vector<double> values(columns.size());
  op_fetch_data(n, values.data());
  std::printf("%d elements, %lld entries: %d wrong\n", int(columns.size()),
              (long long)op_get_size(op_mat_entries(A)),
              int(values.size() -
                  std::count(values.begin(), values.end(), 1.0)));
  op_exit();
}
