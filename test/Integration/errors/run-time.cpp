// Bad input at run time: a message that names what is wrong, exit status 1,
// compiled or not.
//
// RUN: %op2cxx -O1 --op2-target=seq,openmp %s -o %t
// RUN: %clangxx -std=c++17 %op2api %s %op2lib -o %t.dev
// RUN: not %t map 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: not %t size 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %t type 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %t dim 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not %t.dev dim 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not env OP2_TARGET=seq %t dim 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not %t set 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not %t.dev set 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not %t slot 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: not %t.dev slot 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: not %t null 2>&1 | FileCheck %s --check-prefix=NULLDAT
// RUN: not %t.dev null 2>&1 | FileCheck %s --check-prefix=NULLDAT
// RUN: not %t merge 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: not %t.dev merge 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: not env OP2_TARGET=seq %t identity 2>&1 | FileCheck %s --check-prefix=IDENTITY
// RUN: not %t.dev identity 2>&1 | FileCheck %s --check-prefix=IDENTITY
// RUN: not env OP2_TARGET=tpu %t dim 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not env OP2_TARGET=cuda %t dim 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not %t dim OP_PART_SIZE=many 2>&1 | FileCheck %s --check-prefix=OPTION
//
// MAP: op2 error: {{.*}}pedge{{.*}}element 1{{.*}}slot 1{{.*}}9
// SIZE: op2 error: {{.*}}cells{{.*}}-1
// TYPE: op2 error: {{.*}}q{{.*}}quad
// DIM: op2 error: {{.*}}touch{{.*}}argument 0{{.*}}q
// SET: op2 error: {{.*}}touch{{.*}}argument 0{{.*}}cells
// SLOT: op2 error: {{.*}}touch{{.*}}argument 0{{.*}}slots 5..5{{.*}}0..1
// NULLDAT: op2 error: {{.*}}touch{{.*}}argument 0
// MERGE: op2 error: {{.*}}sum{{.*}}argument 1: the function that combines two results is NULL; expected op_arg_reduce
// IDENTITY: op2 error: {{.*}}sum{{.*}}argument 1: the identity is NULL; expected 1 of type double
// TARGET: op2 error: {{.*}}OP2_TARGET{{.*}}tpu
// CUDA: op2 error: {{.*}}touch{{.*}}cuda
// OPTION: op2 error: {{.*}}OP_PART_SIZE

#include "op_seq.h"

#include <cstring>

inline void touch(double *q) { *q += 1; }
inline void sum(const double *q, double *s) { *s += *q; }
static void add(double *a, const double *b) { *a += *b; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  const char *what = argc > 1 ? argv[1] : "";
  auto is = [&](const char *name) { return !std::strcmp(what, name); };
  int table[] = {0, 1, 2, is("map") ? 9 : 3};
  op_set cells = op_decl_set(is("size") ? -1 : 4, "cells");
  op_set edges = op_decl_set(2, "edges");
  op_map pedge = op_decl_map(edges, cells, 2, table, "pedge");
  op_dat q = op_decl_dat(cells, is("dim") ? 2 : 1, is("type") ? "quad" : "double",
                         (double *)NULL, "q");
  if (is("null"))
    q = NULL;
  int slot = 0;
  if (is("slot"))
    op_par_loop(touch, "touch", edges,
                op_arg_dat(q, 5, pedge, 1, "double", OP_INC));
  else if (is("merge") || is("identity")) {
    double total = 0, zero = 0;
    op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_reduce(&total, 1, "double", is("merge") ? nullptr : add,
                              is("identity") ? nullptr : &zero));
  } else if (is("set"))
    op_par_loop(touch, "touch", edges,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  else
    op_par_loop(touch, "touch", edges,
                op_arg_dat(q, 0, pedge, 1, "double", OP_INC));
  op_exit();
  return slot;
}
