//===- op_mat_loops.h - Loops over the entries of matrices ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to whole matrices are loops like any others: they run on every
// target, join chains, and are compiled in the files that call them, and only
// there: so they are templates.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_MAT_LOOPS_H
#define OP2_API_OP_MAT_LOOPS_H

#include "op_seq.h"

namespace op2 {

template <class T, int n> void zeroValues(T *values) {
  for (int b = 0; b < n; ++b)
    values[b] = 0;
}
template <class T, int n>
void multiplyEntry(T const *values, T const *x, T *y) {
  T sum = 0;
  for (int b = 0; b < n; ++b)
    sum += values[b] * x[b];
  *y += sum;
}
template <class T>
void setRow(T *value, int const *isGiven, int const *row, int const *col,
            T const *diagonal) {
  if (*isGiven)
    *value = *row == *col ? *diagonal : T(0);
}

template <class T, int n> struct ZeroMat {
  static void run(op_mat mat) {
    op_par_loop(zeroValues<T, n>, "op_mat_zero", op_mat_entries(mat),
                op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value,
                           OP_WRITE));
  }
};
template <class T, int n> struct MultiplyMat {
  static void run(op_mat mat, op_dat x, op_dat y) {
    op_par_loop(zeroValues<T, 1>, "op_mat_mult_zero", y->set,
                op_arg_dat(y, -1, OP_ID, 1, TypeName<T>::value, OP_WRITE));
    op_par_loop(
        multiplyEntry<T, n>, "op_mat_mult", op_mat_entries(mat),
        op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value,
                   OP_READ),
        op_arg_dat(x, 0, op_mat_cols(mat), n, TypeName<T>::value, OP_READ),
        op_arg_dat(y, 0, op_mat_rows(mat), 1, TypeName<T>::value, OP_INC));
  }
};

/// Loops are compiled for a dim that is a constant: Do<T, coldim>::run for the
/// matrix's type.
template <template <class, int> class Do, class... A>
void runForBlocks(int coldim, op_mat mat, A... args) {
  bool isDouble = op_type_matches(op_mat_values(mat)->type, "double");
  switch (coldim) {
  case 1:
    return isDouble ? Do<double, 1>::run(mat, args...)
                    : Do<float, 1>::run(mat, args...);
  case 2:
    return isDouble ? Do<double, 2>::run(mat, args...)
                    : Do<float, 2>::run(mat, args...);
  case 3:
    return isDouble ? Do<double, 3>::run(mat, args...)
                    : Do<float, 3>::run(mat, args...);
  default:
    return isDouble ? Do<double, 4>::run(mat, args...)
                    : Do<float, 4>::run(mat, args...);
  }
}

} // namespace op2

/// All values become 0.
template <class = void> void op_mat_zero(op_mat mat) {
  int coldim = op_require_blocks("op_mat_zero", mat, 0, 4, 0);
  op2::runForBlocks<op2::ZeroMat>(coldim, mat);
}

/// y = A x, for blocks of one row: rowdim 1, coldim 1 to 4. `x` lives on the
/// set of columns, with dim coldim, `y` on that of rows; both have the matrix's
/// type.
template <class = void> void op_mat_mult(op_mat mat, op_dat x, op_dat y) {
  int coldim = op_require_blocks("op_mat_mult", mat, 1, 4, 0);
  op2::runForBlocks<op2::MultiplyMat>(coldim, mat, x, y);
}

/// In rows whose element has a flag (a dat on the set of rows, "int", dim 1)
/// other than 0: `diagonal` where row and column are one element, 0 elsewhere.
/// Blocks of 1 x 1.
template <class = void>
void op_mat_zero_rows(op_mat mat, op_dat flags, double diagonal) {
  op_require_blocks("op_mat_zero_rows", mat, 1, 1, 1);
  op_map rows = op_mat_rows(mat), cols = op_mat_cols(mat);
  if (op_type_matches(op_mat_values(mat)->type, "double")) {
    op_par_loop(op2::setRow<double>, "op_mat_zero_rows", op_mat_entries(mat),
                op_arg_dat(op_mat_values(mat), -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(flags, 0, rows, 1, "int", OP_READ),
                op_arg_idx(0, rows), op_arg_idx(0, cols),
                op_arg_gbl(&diagonal, 1, "double", OP_READ));
  } else {
    float narrow = static_cast<float>(diagonal);
    op_par_loop(op2::setRow<float>, "op_mat_zero_rows", op_mat_entries(mat),
                op_arg_dat(op_mat_values(mat), -1, OP_ID, 1, "float", OP_RW),
                op_arg_dat(flags, 0, rows, 1, "int", OP_READ),
                op_arg_idx(0, rows), op_arg_idx(0, cols),
                op_arg_gbl(&narrow, 1, "float", OP_READ));
  }
}

#endif // OP2_API_OP_MAT_LOOPS_H
