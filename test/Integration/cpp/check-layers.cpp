// OP2_CHECK and loops over layers, which write parts of the rows of columns: a dat
// without values is written by them, and only who reads it first is told. Columns
// may write other levels of one column, and read those that others leave.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=openmp,seq %s -o %t
// RUN: env OP2_CHECK=1 %t 2>&1 | FileCheck %s --implicit-check-not="op2 warning"
// RUN: %clangxx -std=c++17 %op2api %s -o %t.dev %op2lib
// RUN: env OP2_CHECK=1 %t.dev 2>&1 | FileCheck %s --implicit-check-not="op2 warning"
//
// CHECK: op2 warning: loop early{{.*}}, argument 0: OP_READ on dat unwritten, which was declared without values
// CHECK: 7 layers: 2 3
// CHECK-NEXT: 1 1 2 2 3

#include "op_seq.h"

#include <cstdio>
#include <vector>

static void early(const double *u, double *v) { *v += *u; }
static void plusOne(const double *a, double *b) { *b = *a + 1; }
static void take(const double *a, double *b) { *b = *a; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int layers = 7, columns = 10;
  std::vector<double> ones(layers * columns, 1), found(layers * columns);
  op_set set = op_decl_set(columns, "columns");
  op_layers all = op_decl_layers(set, 0, layers, "all");
  op_dat a = op_decl_dat_layers(set, layers, 1, "double", ones.data(), "a");
  op_dat b = op_decl_dat_layers(set, layers, 1, "double", (double *)nullptr, "b");
  op_dat c = op_decl_dat_layers(set, layers, 1, "double", (double *)nullptr, "c");
  op_dat unwritten = op_decl_dat_layers(set, layers, 1, "double", (double *)nullptr, "unwritten");
  op_par_loop(plusOne, "write", all,
              op_arg_dat_layers(a, -1, OP_ID, 0, 1, 1, "double", OP_READ),
              op_arg_dat_layers(b, -1, OP_ID, 0, 1, 1, "double", OP_WRITE));
  op_par_loop(plusOne, "write more", all,
              op_arg_dat_layers(b, -1, OP_ID, 0, 1, 1, "double", OP_READ),
              op_arg_dat_layers(c, -1, OP_ID, 0, 1, 1, "double", OP_WRITE));
  op_par_loop(early, "early", all,
              op_arg_dat_layers(unwritten, -1, OP_ID, 0, 1, 1, "double", OP_READ),
              op_arg_dat_layers(a, -1, OP_ID, 0, 1, 1, "double", OP_RW));
  op_fetch_data(b, found.data());
  double second = found[1];
  op_fetch_data(c, found.data());
  std::printf("%d layers: %g %g\n", layers, second, found[1]);

  int ranges[] = {0, 2, 2, 4}, table[] = {0, 0};
  double own[] = {1, 2}, levels[5] = {0, 0, 0, 0, 3};
  op_set cells = op_decl_set(2, "cells"), nodes = op_decl_set(1, "nodes");
  op_map map = op_decl_map(cells, nodes, 1, table, "map");
  op_layers parts = op_decl_layers_varying(cells, ranges, "parts");
  op_dat value = op_decl_dat(cells, 1, "double", own, "value");
  op_dat column = op_decl_dat_layers(nodes, 5, 1, "double", levels, "column");
  op_par_loop(take, "others' levels", parts,
              op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat_layers(column, 0, map, 0, 1, 1, "double", OP_WRITE));
  op_fetch_data(column, levels);
  std::printf("%g %g %g %g %g\n", levels[0], levels[1], levels[2], levels[3], levels[4]);
  op_exit();
}
