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

#include <type_traits>

namespace op2 {

template <class T, int n> void zeroValues(T *values) {
  for (int b = 0; b < n; ++b)
    values[b] = 0;
}
template <class T> void zeroRows(T *values, int const *rowdim) {
  for (int a = 0; a < *rowdim; ++a)
    values[a] = 0;
}
template <class T, int n>
void multiplyEntry(T const *values, T const *x, T *y) {
  T sum = 0;
  for (int b = 0; b < n; ++b)
    sum += values[b] * x[b];
  *y += sum;
}
template <class T, int n>
void multiplyComponent(T const *values, T const *x, int const *component,
                       T *y) {
  T sum = 0;
  for (int b = 0; b < n; ++b)
    sum += values[b] * x[b];
  y[*component] += sum;
}
template <class T, int n>
void setRow(T *values, int const *component, int const *isDiagonal,
            int const *isGiven, T const *diagonal) {
  if (isGiven[*component])
    for (int b = 0; b < n; ++b)
      values[b] = *isDiagonal && *component == b ? *diagonal : T(0);
}
template <class T, int n>
void clearRow(T *values, int const *component, int const *isGiven) {
  if (isGiven[*component])
    for (int b = 0; b < n; ++b)
      values[b] = 0;
}
template <class T, int n>
void eliminate(T *values, int const *component, int const *isDiagonal,
               int const *isGivenRow, int const *isGivenCol, T const *given,
               T const *diagonal, T *rhs) {
  for (int b = 0; b < n; ++b) {
    if (!isGivenRow[*component] && !isGivenCol[b])
      continue;
    if (!isGivenRow[*component])
      rhs[*component] -= values[b] * given[b];
    values[b] = *isDiagonal && *component == b ? *diagonal : T(0);
  }
}
template <class T>
void setGiven(int const *isGiven, T const *given, T const *diagonal,
              int const *rowdim, T *rhs) {
  for (int a = 0; a < *rowdim; ++a)
    if (isGiven[a])
      rhs[a] = *diagonal * given[a];
}

template <class T, int n> struct ZeroMat {
  static void run(op_mat mat) {
    op_par_loop(zeroValues<T, n>, "op_mat_zero", op_mat_entries(mat),
                op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value,
                           OP_WRITE));
  }
};
template <class T, int n> struct MultiplyMat {
  static void run(op_mat mat, int rowdim, op_dat x, op_dat y) {
    if (rowdim == 1) {
      op_par_loop(zeroValues<T, 1>, "op_mat_mult_zero", y->set,
                  op_arg_dat(y, -1, OP_ID, 1, TypeName<T>::value, OP_WRITE));
      op_par_loop(
          multiplyEntry<T, n>, "op_mat_mult", op_mat_entries(mat),
          op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value,
                     OP_READ),
          op_arg_dat(x, 0, op_mat_cols(mat), n, TypeName<T>::value, OP_READ),
          op_arg_dat(y, 0, op_mat_rows(mat), 1, TypeName<T>::value, OP_INC));
      return;
    }
    op_par_loop(zeroRows<T>, "op_mat_mult_zero", y->set,
                op_arg_dat(y, -1, OP_ID, rowdim, TypeName<T>::value, OP_WRITE),
                op_arg_gbl(&rowdim, 1, "int", OP_READ));
    op_par_loop(
        multiplyComponent<T, n>, "op_mat_mult", op_mat_entries(mat),
        op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value,
                   OP_READ),
        op_arg_dat(x, 0, op_mat_cols(mat), n, TypeName<T>::value, OP_READ),
        op_arg_dat(op_mat_components(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(y, 0, op_mat_rows(mat), rowdim, TypeName<T>::value, OP_INC));
  }
};
template <class T, int n> struct ZeroRows {
  static void run(op_mat mat, int rowdim, op_dat flags, double diagonal) {
    if (diagonal == 0)
      return clear(mat, rowdim, flags);
    T value = static_cast<T>(diagonal);
    op_par_loop(
        setRow<T, n>, "op_mat_zero_rows", op_mat_entries(mat),
        op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value, OP_RW),
        op_arg_dat(op_mat_components(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(op_mat_diagonals(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(flags, 0, op_mat_rows(mat), rowdim, "int", OP_READ),
        op_arg_gbl(&value, 1, TypeName<T>::value, OP_READ));
  }
  /// Of any matrix, whether it has a diagonal or not.
  static void clear(op_mat mat, int rowdim, op_dat flags) {
    op_par_loop(
        clearRow<T, n>, "op_mat_zero_rows", op_mat_entries(mat),
        op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value, OP_RW),
        op_arg_dat(op_mat_components(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(flags, 0, op_mat_rows(mat), rowdim, "int", OP_READ));
  }
};
template <class T, int n> struct Eliminate {
  static void run(op_mat mat, int rowdim, op_dat flags, op_dat given,
                  op_dat rhs, double diagonal) {
    T value = static_cast<T>(diagonal);
    op_map rows = op_mat_rows(mat), cols = op_mat_cols(mat);
    op_par_loop(
        eliminate<T, n>, "op_mat_eliminate", op_mat_entries(mat),
        op_arg_dat(op_mat_values(mat), -1, OP_ID, n, TypeName<T>::value, OP_RW),
        op_arg_dat(op_mat_components(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(op_mat_diagonals(mat), -1, OP_ID, 1, "int", OP_READ),
        op_arg_dat(flags, 0, rows, rowdim, "int", OP_READ),
        op_arg_dat(flags, 0, cols, n, "int", OP_READ),
        op_arg_dat(given, 0, cols, n, TypeName<T>::value, OP_READ),
        op_arg_gbl(&value, 1, TypeName<T>::value, OP_READ),
        op_arg_dat(rhs, 0, rows, rowdim, TypeName<T>::value, OP_INC));
    op_par_loop(
        setGiven<T>, "op_mat_eliminate_rhs", rhs->set,
        op_arg_dat(flags, -1, OP_ID, rowdim, "int", OP_READ),
        op_arg_dat(given, -1, OP_ID, rowdim, TypeName<T>::value, OP_READ),
        op_arg_gbl(&value, 1, TypeName<T>::value, OP_READ),
        op_arg_gbl(&rowdim, 1, "int", OP_READ),
        op_arg_dat(rhs, -1, OP_ID, rowdim, TypeName<T>::value, OP_RW));
  }
};

/// Loops are compiled for a dim that is a constant: Do<T, coldim>::run for the
/// matrix's type; all of them unless T and n say which.
template <template <class, int> class Do, class T, int n, class... A>
void runForBlocks(op_mat_blocks blocks, op_mat mat, A... args) {
  if constexpr (n != 0) {
    Do<T, n>::run(mat, args...);
  } else if constexpr (!std::is_void_v<T>) {
    switch (blocks.coldim) {
    case 1:
      return Do<T, 1>::run(mat, args...);
    case 2:
      return Do<T, 2>::run(mat, args...);
    case 3:
      return Do<T, 3>::run(mat, args...);
    default:
      return Do<T, 4>::run(mat, args...);
    }
  } else if (blocks.is_double) {
    runForBlocks<Do, double, n>(blocks, mat, args...);
  } else {
    runForBlocks<Do, float, n>(blocks, mat, args...);
  }
}

/// Those of a matrix that fits to T and n.
template <class T, int n>
op_mat_blocks requireBlocks(char const *where, op_mat mat, bool square) {
  char const *type = nullptr;
  if constexpr (!std::is_void_v<T>)
    type = TypeName<T>::value;
  return op_require_blocks(where, mat, square, type, n);
}

} // namespace op2

// A call compiles its loops for all types and up to 4 columns of a block; with
// op_mat_mult<double, 1>(A, x, y) for matrices of doubles and 1 column alone.

/// All values become 0.
template <class T = void, int coldim = 0> void op_mat_zero(op_mat mat) {
  op2::runForBlocks<op2::ZeroMat, T, coldim>(
      op2::requireBlocks<T, coldim>("op_mat_zero", mat, false), mat);
}

/// y = A x. `x` lives on the set of columns, with dim coldim, `y` on that of
/// rows, with dim rowdim; both have the matrix's type, and are not one.
template <class T = void, int coldim = 0>
void op_mat_mult(op_mat mat, op_dat x, op_dat y) {
  op_mat_blocks blocks =
      op2::requireBlocks<T, coldim>("op_mat_mult", mat, false);
  op_require_operands("op_mat_mult", mat, x, y);
  op2::runForBlocks<op2::MultiplyMat, T, coldim>(blocks, mat, blocks.rowdim, x,
                                                 y);
}

/// Rows whose unknown has a flag other than 0 become those of the unit matrix,
/// times `diagonal`, or zeros where that is 0, also of matrices that are not
/// square. `flags`: on the set of rows, "int", dim rowdim.
template <class T = void, int coldim = 0>
void op_mat_zero_rows(op_mat mat, op_dat flags, double diagonal) {
  op_mat_blocks blocks =
      op2::requireBlocks<T, coldim>("op_mat_zero_rows", mat, diagonal != 0);
  op2::runForBlocks<op2::ZeroRows, T, coldim>(blocks, mat, blocks.rowdim, flags,
                                              diagonal);
}

/// Unknowns that have a flag get the values `given` in the solution of A x = b:
/// their columns go to `b`, and columns and rows become those of the unit
/// matrix, times `diagonal`, so that a symmetric A stays so. `given` and `b`
/// live where `flags` do, with the matrix's type.
template <class T = void, int coldim = 0>
void op_mat_eliminate(op_mat mat, op_dat flags, op_dat given, op_dat b,
                      double diagonal) {
  op_mat_blocks blocks =
      op2::requireBlocks<T, coldim>("op_mat_eliminate", mat, true);
  op2::runForBlocks<op2::Eliminate, T, coldim>(blocks, mat, blocks.rowdim,
                                               flags, given, b, diagonal);
}

#endif // OP2_API_OP_MAT_LOOPS_H
