// What is wrong with an argument that is part of a matrix is an error at its
// place; what is right becomes a packed argument.
// RUN: not %op2cxx -fsyntax-only -DWRONG %s 2>&1 | FileCheck %s
// RUN: %op2cxx -O1 --op2-emit=op2 -c %s -o - | FileCheck %s --check-prefix=IR
#include "op_seq.h"

inline void tensor(double (*A)[6], const double *x) { A[0][0] = x[0]; }
inline void row(double *A) { A[0] = 1; }
inline void table(double **A) { A[0][0] = 1; }
inline void one(double *A) { A[0] = 1; }

void run(op_set set, op_map map, op_mat A, op_mat B, op_dat x) {
#ifdef WRONG
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel parameter 'A' of type 'double (*)[6]' takes rows of 6 values, but the tensor has rows of 3
  op_par_loop(tensor, "rows", set, op_arg_mat(A, -3, map, -3, map, 1, 1, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  // CHECK: [[#@LINE+1]]:{{.*}}error: op_arg_mat gives the kernel a tensor, 'T *' or 'T (*)[n]', but parameter 'A' has type 'double **'
  op_par_loop(table, "table", set, op_arg_mat(A, -3, map, -3, map, 1, 1, "double", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}}error: these indices mean one entry of an element; expected -2 or less for rows or columns
  op_par_loop(one, "one", set, op_arg_mat(A, 0, map, 1, map, 1, 1, "double", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_MIN is not an access mode of a matrix; expected OP_READ, OP_WRITE, OP_RW or OP_INC
  op_par_loop(row, "least", set, op_arg_mat(A, -3, map, -3, map, 1, 1, "double", OP_MIN));
  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'float' does not match kernel parameter 'A' of type 'double *'
  op_par_loop(row, "type", set, op_arg_mat(A, -3, map, -3, map, 1, 1, "float", OP_INC));
  // CHECK: [[#@LINE+1]]:{{.*}}error: the tensor has 10000 parts together; expected a number from 1 to 4096
  op_par_loop(row, "large", set, op_arg_mat(A, -100, map, -100, map, 1, 1, "double", OP_INC));
#endif
  // A part for each component of rows, each with those of columns; both
  // matrices' places are maps of their own.
  // IR: op2.par_loop @{{.*}}tensor{{.*}} args(
  // IR-NEXT: inc packed %[[A:.*]] : !op2.dat<2xf64> via %[[P:.*]][0 to 18] : !op2.map<?>,
  op_par_loop(tensor, "blocks", set, op_arg_mat(B, -3, map, -3, map, 2, 2, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  // IR: write packed %{{.*}} : !op2.dat<1xf64> via %{{.*}}[0 to 3] : !op2.map<?>)
  op_par_loop(row, "row", set, op_arg_mat(A, 1, map, -3, map, 1, 1, "double", OP_WRITE));
}
