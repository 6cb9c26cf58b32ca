// How many slots a map has is found at run time, and guessed before: from its
// declaration, or from what other loops of the file use of it.
//
// RUN: %op2cxx -O1 --op2-target=openmp --op2-emit=op2 %s -o - | FileCheck %s

#include "op_seq.h"

static void one(const double *x, double *y) { *y = *x; }
static void two(const double *x, const double *z, double *y) { *y = *x + *z; }

struct Mesh {
  op_set edges;
  op_map ends;
};

// The member is one of any mesh.
void last(const Mesh &m, op_dat x, op_dat y) {
  op_par_loop(two, "last", m.edges,
              op_arg_dat(x, 0, m.ends, 1, "double", OP_READ),
              op_arg_dat(x, 2, m.ends, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}two(
// CHECK-NOT: likely_arity
// CHECK-SAME: attributes

void first(const Mesh &m, op_dat x, op_dat y) {
  op_par_loop(one, "first", m.edges,
              op_arg_dat(x, 0, m.ends, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}one(
// CHECK-SAME: !op2.map<?> {op2.likely_arity = 3 : i64}

void declared(op_set nodes, op_set edges, int *table, op_dat x, op_dat y) {
  constexpr int arity = 4;
  op_map map = op_decl_map(edges, nodes, arity, table, "map");
  op_par_loop(one, "declared", edges,
              op_arg_dat(x, 1, map, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}one(
// CHECK-SAME: !op2.map<?> {op2.likely_arity = 4 : i64}

// Elements that are far apart in the map's memory run one by one.
void wide(op_set nodes, op_set edges, int *table, op_dat x, op_dat y) {
  op_map map = op_decl_map(edges, nodes, 17, table, "map");
  op_par_loop(one, "wide", edges,
              op_arg_dat(x, 1, map, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}one(
// CHECK-NOT: likely_arity
// CHECK-SAME: attributes

// Nothing is known of a parameter.
void unknown(op_set edges, op_map map, op_dat x, op_dat y) {
  op_par_loop(one, "unknown", edges,
              op_arg_dat(x, 1, map, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}one(
// CHECK-NOT: likely_arity

// What a function gives may be one map.
op_map getMap();
void given(op_set edges, op_dat x, op_dat y) {
  op_par_loop(one, "given", edges,
              op_arg_dat(x, 0, getMap(), 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "given third", edges,
              op_arg_dat(x, 2, getMap(), 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK: func.func @__op2_run_{{.*}}one(
// CHECK-SAME: !op2.map<?> {op2.likely_arity = 3 : i64}
