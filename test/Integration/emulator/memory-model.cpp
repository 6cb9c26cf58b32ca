// What a GPU's memory would have to move, of loops with known answers: 2^16
// elements of one double are 0.524 MB.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-no-fuse --op2-target=emulator --op2-count-accesses %s -o %t
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_MODEL=h200 %t | FileCheck %s
// RUN: env OP2_TARGET=emulator %t | FileCheck %s --check-prefix=NONE --implicit-check-not='Model of'
// RUN: not env OP2_TARGET=emulator OP2_EMULATOR_MODEL=h300 %t 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: %op2cxx -O2 -std=c++17 -Werror=op2-sequential --op2-target=emulator %s -o %t.silent
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_MODEL=a100 %t.silent | FileCheck %s --check-prefix=SILENT
//
// CHECK: Model of h200
// CHECK-NEXT: launches asked sectors L2 read written conflicts at least us kernel: by
// Loads and stores, each sector once, and a few for the plan.
// CHECK-NEXT: 1 {{[0-9.]+}} 1.{{[01][0-9]+}} 1.0{{[5-9][0-9]+}} 0.52{{[0-9]+}} 0.000 0 2.00 copy: launches
// The array is twice as large, and each of its sectors is read, 1.049 MB, and
// the map, 0.262 MB; but each double takes a sector of its own from the L2.
// CHECK-NEXT: 1 {{[0-9.]+}} {{[0-9.]+}} {{[3].[0-9]+}} 1.31{{[0-9]+}} 0.000 0 2.00 gather: launches
// CHECK-NEXT: __op2_finish
// CHECK-NEXT: Predicted, at least: 0.0000{{[0-9]+}} s
//
// NONE: count
// NAME: op2 error: OP2_EMULATOR_MODEL=h300: expected one of a100, h100, h200
// SILENT: OP2_EMULATOR_MODEL: no kernel told what it accesses; compile with --op2-count-accesses, and run with OP2_TARGET=emulator

#include "op_seq.h"

#include <vector>

static void copy(const double *a, double *b) { *b = *a; }
static void gather(const double *a, double *b, double *sum) {
  *b = *a;
  *sum += *a;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 1 << 16;
  std::vector<double> values(n, 1), many(2 * n, 1);
  std::vector<int> table(n);
  for (int i = 0; i < n; ++i)
    table[i] = int(i * 48271LL % (2 * n));
  op_set set = op_decl_set(n, "set"), large = op_decl_set(2 * n, "large");
  op_map map = op_decl_map(set, large, 1, table.data(), "map");
  op_dat a = op_decl_dat(set, 1, "double", values.data(), "a");
  op_dat b = op_decl_dat(set, 1, "double", values.data(), "b");
  op_dat c = op_decl_dat(large, 1, "double", many.data(), "c");
  op_par_loop(copy, "copy", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
  double sum = 0;
  op_par_loop(gather, "gather", set,
              op_arg_dat(c, 0, map, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_timing_output();
  op_exit();
  return sum == n ? 0 : 1;
}
