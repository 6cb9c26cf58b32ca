// A program whose locale has decimal commas: files that others read have none, nor
// do options, and what the program itself prints stays as it wants it.
//
// RUN: rm -rf %t && mkdir %t && localedef --no-archive -i de_DE -f UTF-8 %t/de_DE.UTF-8
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq %s -o %t/app
// RUN: cd %t && env LOCPATH=%t LC_ALL=de_DE.UTF-8 OP2_TARGET=seq OP2_TRACE=trace.json OP_HYBRID_BALANCE=1.5 ./app > out
// RUN: FileCheck %s --input-file=%t/out
// RUN: FileCheck %s --input-file=%t/a.mtx --check-prefix=MATRIX
// RUN: FileCheck %s --input-file=%t/d.txt --check-prefix=TEXT
// RUN: cd %t && %python -c 'import json; [json.load(open(f)) for f in ("trace.json", "profile.json")]'
// RUN: cd %t && %python -c 'import csv; rows = list(csv.reader(open("times.csv"))); assert {len(r) for r in rows} == {11}, rows; print(sorted(r[10] for r in rows))' | FileCheck %s --check-prefix=CSV
//
// CHECK: 2,5
// CHECK: count total s min s max s region
// CHECK-NEXT: 1 0.{{[0-9]+}} 0.
// CHECK: 2,5
// MATRIX: 1 2 -0.5
// TEXT: +1.500000000000000E+00
// CSV: 'lap', 'op_mat_zero', 'scale, "twice"'

#include "op_profile.h"
#include "op_seq.h"

#include <clocale>
#include <cstdio>

static void lap(double (*a)[2]) {
  a[0][0] = a[1][1] = 1.5;
  a[0][1] = a[1][0] = -0.5;
}
static void scale(double *x) { *x *= 1.5; }

int main(int argc, char **argv) {
  if (!setlocale(LC_ALL, ""))
    return 1;
  std::printf("%g\n", 2.5);
  op_init(argc, argv, 0);
  op_profile_start("all");
  int ends[8] = {0, 1, 1, 2, 2, 3, 3, 0};
  double one[4] = {1, 1, 1, 1};
  op_set nodes = op_decl_set(4, "nodes"), edges = op_decl_set(4, "edges");
  op_map pair = op_decl_map(edges, nodes, 2, ends, "pair");
  op_mat a = op_decl_mat(op_decl_sparsity(pair, pair, "s"), 1, 1, "double", "a");
  op_dat b = op_decl_dat(nodes, 1, "double", one, "b");
  op_dat u = op_decl_dat(nodes, 1, "double", (double *)nullptr, "u");
  op_mat_zero(a);
  op_par_loop(lap, "lap", edges,
              op_arg_mat(a, -2, pair, -2, pair, 1, 1, "double", OP_INC));
  op_par_loop(scale, "scale, \"twice\"", nodes,
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_RW));
  op_print_mat_to_mtxfile(a, "a.mtx");
  op_print_dat_to_txtfile(b, "d.txt");
  if (op_solve(a, b, u, "-ksp_type cg -ksp_rtol 0.0000001") < 0)
    return 1;
  op_profile_end();
  op_profile_output();
  op_profile_output_json("profile.json");
  op_timing_output();
  op_timings_to_csv("times.csv");
  std::printf("%g\n", 2.5);
  op_exit();
}
