//===- FortranMatrix.cpp - Matrices of Fortran programs ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices from 1; and the loops of op_mat_loops.h, which C++ programs compile
// themselves.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Matrix.h"
#include "OP2/API/op_seq.h"
#include "OP2/Runtime/op2f.h"

using namespace op2::rt;

extern "C" op_sparsity op2f_decl_sparsity(int nrows, op_map const *rows,
                                          int ncols, op_map const *cols,
                                          char const *name) {
  if (nrows != ncols)
    fatal(Problem::Matrix,
          "op_decl_sparsity %s: %d maps for rows and %d for columns; "
          "expected pairs",
          name, nrows, ncols);
  return op_decl_sparsity_union(nrows, rows, cols, name);
}

extern "C" void op2f_mat_zero(op_mat mat) { op_mat_zero(mat); }

extern "C" void op2f_mat_mult(op_mat mat, op_dat x, op_dat y) {
  op_mat_mult(mat, x, y);
}

extern "C" void op2f_mat_zero_rows(op_mat mat, op_dat flags, double diagonal) {
  op_mat_zero_rows(mat, flags, diagonal);
}

extern "C" void op2f_mat_eliminate(op_mat mat, op_dat flags, op_dat given,
                                   op_dat b, double diagonal) {
  op_mat_eliminate(mat, flags, given, b, diagonal);
}

extern "C" void op2f_mat_get_csr(op_mat handle, char const *kind,
                                 int64_t *rowptr, int *colidx, void *values) {
  Call const call("op_mat_get_csr");
  op_mat_core const &mat = built(handle, "op_mat_get_csr");
  if (parseType(mat.type.c_str()) != parseType(kind))
    fatal(Problem::TypeString,
          "op_mat_get_csr %s: the matrix holds %s, but the array is of "
          "type %s",
          mat.name.c_str(), mat.type.c_str(), kind);
  int rows = 0;
  long long count = 0;
  op_mat_get_size(handle, &rows, nullptr, &count);
  static_assert(sizeof(long long) == sizeof(int64_t));
  op_mat_get_csr(handle, reinterpret_cast<long long *>(rowptr), colidx, values);
  for (int row = 0; row <= rows; ++row)
    ++rowptr[row];
  for (long long n = 0; n < count; ++n)
    ++colidx[n];
}
