// Every kind of argument that OP2 has, and how it is seen by the dialect.
// RUN: %op2cxx -O2 --op2-emit=op2 %s | FileCheck %s
#include "op_seq.h"

#define NVAR 2
constexpr char const *real_str = "real*8";
char const *const const_str = "double:soa";

struct Mesh {
  op_set edges;
  op_map map;
  op_dat dats[2];
};

static void direct(float const *f, int *i, unsigned *u, long long *l,
                   unsigned long long *ul, bool *b) {
  *i = static_cast<int>(*f);
  *u = 1;
  *l = 2;
  *ul = 3;
  *b = true;
}
static void indirect(double const *a, double *b, double **rows) {
  b[0] += a[0];
  rows[1][0] = 0;
}
static void globals(double const *x, double *sum, double *least, int *most) {
  *sum += *x;
  *least = *x < *least ? *x : *least;
  *most = 1;
}
static void indices(int const *n, int const *m, double *optional) {
  if (*n < *m)
    *optional = 0;
}

// CHECK-LABEL: func.func @__op2_run_0_direct(
// CHECK-SAME: !op2.dat<1xf32>, {{.*}}!op2.dat<1xi32>, {{.*}}!op2.dat<1xui32>, {{.*}}!op2.dat<1xi64>, {{.*}}!op2.dat<1xui64>, {{.*}}!op2.dat<1xi1>
void runDirect(op_set set, op_dat d[]) {
  op_par_loop(direct, "direct", set, op_arg_dat(d[0], -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(d[1], -1, OP_ID, 1, "int", OP_WRITE),
              op_arg_dat(d[2], -1, OP_ID, 1, "uint", OP_WRITE),
              op_arg_dat(d[3], -1, OP_ID, 1, "ll", OP_WRITE),
              op_arg_dat(d[4], -1, OP_ID, 1, "ull", OP_WRITE),
              op_arg_dat(d[5], -1, OP_ID, 1, "bool", OP_WRITE));
}

// The same dat in two arguments is one value; so is the map.
// CHECK-LABEL: func.func @__op2_run_1_indirect(
// CHECK-SAME: %[[SET:.*]]: !op2.set, %[[A:.*]]: !op2.dat<2xf64>, %[[MAP:.*]]: !op2.map<?>, %[[B:.*]]: !op2.dat<2xf64>)
// CHECK: read %[[A]] : !op2.dat<2xf64> via %[[MAP]][0] : !op2.map<?>
// CHECK: inc soa %[[B]] : !op2.dat<2xf64> via %[[MAP]][1] : !op2.map<?>
// CHECK: rw %[[A]] : !op2.dat<2xf64> via %[[MAP]][0 to 3] : !op2.map<?>
void runIndirect(Mesh *mesh) {
  op_par_loop(indirect, "indirect", mesh->edges,
              op_arg_dat(mesh->dats[0], 0, mesh->map, NVAR, real_str, OP_READ),
              op_arg_dat(mesh->dats[1], 1, mesh->map, NVAR, const_str, OP_INC),
              op_arg_dat(mesh->dats[0], -3, mesh->map, NVAR, "double", OP_RW));
}

// A dim that is not constant: known at run time only.
// CHECK-LABEL: func.func @__op2_run_2_globals(
// CHECK-SAME: !op2.dat<?xf64>, %{{.*}}: memref<1xf64>, %{{.*}}: memref<1xf64>, %{{.*}}: memref<1xi32>)
// CHECK: inc global
// CHECK: min global
// CHECK: max global
void runGlobals(op_set set, op_dat x, int dim, double *sum, double least, int most) {
  op_par_loop(globals, "globals", set, op_arg_dat(x, -1, OP_ID, dim, "double", OP_READ),
              op_arg_gbl(sum, 1, "double", OP_INC),
              op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_gbl(&most, 1, "int", OP_MAX));
}

// CHECK-LABEL: func.func @__op2_run_3_indices(
// CHECK-SAME: %{{.*}}: !op2.set, %[[M:.*]]: !op2.map<?>, %[[FLAG:.*]]: i1, %[[D:.*]]: !op2.dat<1xf64>)
// CHECK: index,
// CHECK: index via %[[M]][1] : !op2.map<?>,
// CHECK: if %[[FLAG]] write %[[D]] : !op2.dat<1xf64>
void runIndices(op_set set, op_map map, op_dat d, int flag) {
  op_par_loop(indices, "indices", set, op_arg_idx(-1, OP_ID), op_arg_idx(1, map),
              op_opt_arg_dat(flag, d, -1, OP_ID, 1, "double", OP_WRITE));
}

// What comes along with a greatest value.
static void largest(double const *x, double *most, int *where, int const *n) {
  if (*x > *most) {
    *most = *x;
    *where = *n;
  }
}
// CHECK-LABEL: func.func @__op2_run_4_largest(
// CHECK: max global %[[MOST:.*]] : memref<1xf64>,
// CHECK: max info of 1 %{{.*}} : memref<1xi32>,
void runInfo(op_set set, op_dat x, double *most, int *where) {
  op_par_loop(largest, "largest", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(most, 1, "double", OP_MAX), op_arg_info(where, 1, "int", 1),
              op_arg_idx(-1, OP_ID));
}
