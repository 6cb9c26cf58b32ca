/*===- op_mat.h - Sparse matrices -------------------------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparsity says which elements of one set meet which of another in the
// elements of a third, as nodes meet nodes in cells. A matrix has a block of
// numbers for each pair that meets. What loops see of it is a mesh: its entries
// are a set, its values a dat on it, and loops assemble through a map from an
// element to its entries. Names are those of OP2's first versions.
//
//===----------------------------------------------------------------------===*/

#ifndef OP2_API_OP_MAT_H
#define OP2_API_OP_MAT_H

#include "op_lib_core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct op_sparsity_core *op_sparsity;
typedef struct op_mat_core *op_mat;

/* The pairs (rows[e][i], cols[e][j]) of all elements e of the set that both
 * maps leave, and all slots i and j. */
op_sparsity op_decl_sparsity(op_map rows, op_map cols, char const *name);
/* Those of several pairs of maps together. All rows[n] lead to one set, all
 * cols[n] to one. */
op_sparsity op_decl_sparsity_union(int pairs, op_map const *rows,
                                   op_map const *cols, char const *name);
/* Of zeros. type: "double" or "float". Each pair has rowdim x coldim numbers:
 * those of all unknowns of a row element with all of a column element. */
op_mat op_decl_mat(op_sparsity sparsity, int rowdim, int coldim,
                   char const *type, char const *name);

/* An argument of a loop over the set that `rows` and `cols` leave, a pair of
 * the sparsity's. The kernel takes the element's tensor, row by row, as T *, or
 * as T (*)[n] with rows of n numbers: all unknowns of slots 0 ... -rowidx-1 (or
 * of slot rowidx) by those of 0 ... -colidx-1 (or of slot colidx), unknowns of
 * an element together. OP_INC: it begins as zeros, and what the kernel leaves
 * is added; OP_READ, OP_WRITE, OP_RW: the matrix's numbers. */
OP2_ANNOTATE("op2.arg_mat")
op_arg op_arg_mat(op_mat mat, int rowidx, op_map rows, int colidx, op_map cols,
                  int rowdim, int coldim, char const *type, op_access acc);

/* What the matrix consists of: a set with an element for each row of each
 * block, ordered by rows, then unknowns of a row, then columns; its dat of dim
 * coldim, so that all values together are those of the scalar CSR format, until
 * one of its sets is renumbered; and maps of arity 1 to the elements that rows
 * and columns stand for. */
op_set op_mat_entries(op_mat mat);
op_dat op_mat_values(op_mat mat);
op_map op_mat_rows(op_mat mat);
op_map op_mat_cols(op_mat mat);
/* From an element to the entries of its tensor, row by row: unknown a of slot i
 * of `rows` and slot j of `cols` have entry (i * rowdim + a) * cols->dim + j.
 * Matrices of columns of layers are dats with levels on the entries, reached
 * through it. Ends the program if the maps are no pair of the sparsity. */
op_map op_mat_places(op_mat mat, op_map rows, op_map cols);
/* Dats on the entries, "int", dim 1: which unknown of its row an entry is for,
 * 0 ... rowdim-1; and 1 if row and column are one element, else 0. */
op_dat op_mat_components(op_mat mat);
op_dat op_mat_diagonals(op_mat mat);

/* Numbers of scalar rows, columns and values; rowptr[rows + 1], colidx[values]
 * ascending in a row, from 0 on, values[values] of the matrix's type: in the
 * application's order. Any pointer may be NULL. */
void op_mat_get_size(op_mat mat, int *rows, int *cols, long long *values);
void op_mat_get_csr(op_mat mat, long long *rowptr, int *colidx, void *values);
/* The same to a file of MatrixMarket, indices from 1. */
void op_print_mat_to_mtxfile(op_mat mat, char const *file_name);

/* Solves A x = b; x begins as the first guess. A: square, b on the set of rows
 * and x on that of columns, of its type, with dim rowdim. options: PETSc's
 * words, -ksp_type cg|bcgs|preonly -pc_type none|jacobi|icc|ilu|cholesky|lu
 * -ksp_rtol R -ksp_max_it N; icc with cg, ilu with bcgs, lu and cholesky with
 * preonly. Without them: bcgs, jacobi, |b - A x| <= 1e-7 |b| (float: 1e-5),
 * 10000 iterations. Returns the iterations (1 for preonly); negative, with a
 * warning, if x is not the solution. By Eigen, on the host; factors are kept
 * while the values and the options are the same. On several processes each has
 * and solves all of it. */
int op_solve(op_mat mat, op_dat b, op_dat x, char const *options);

/* For the loops in op_mat_loops.h: blocks of at most 4 columns. `square`: of
 * one set and of square blocks; type and coldim: those that are compiled, or
 * NULL and 0. */
typedef struct {
  int rowdim, coldim;
  int is_double; /* else float */
} op_mat_blocks;
op_mat_blocks op_require_blocks(char const *where, op_mat mat, int square,
                                char const *type, int coldim);
/* An error unless both are dats, and two. */
void op_require_operands(char const *where, op_mat mat, op_dat x, op_dat y);

#ifdef __cplusplus
}

inline op_sparsity op_decl_sparsity(int pairs, op_map const *rows,
                                    op_map const *cols, char const *name) {
  return op_decl_sparsity_union(pairs, rows, cols, name);
}

inline int op_solve(op_mat mat, op_dat b, op_dat x) {
  return op_solve(mat, b, x, "");
}
#endif

#endif /* OP2_API_OP_MAT_H */
