// OP2_CHECK=1: promises that only the values show to be broken, on every target,
// in compiled loops and in the header's.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential -Wno-op2-read --op2-target=seq,openmp,emulator %s -o %t
// RUN: %clangxx -std=c++17 %op2api %s %op2lib -o %t.dev
// RUN: env OP2_CHECK=1 OP2_TARGET=openmp OP2_RENUMBER=rcm %t.dev good | FileCheck %s --check-prefix=GOOD
// RUN: env OP2_CHECK=1 OP2_TARGET=seq %t good | FileCheck %s --check-prefix=GOOD
// RUN: env OP2_CHECK=1 OP2_TARGET=openmp %t good | FileCheck %s --check-prefix=GOOD
// RUN: env OP2_CHECK=1 OP2_TARGET=openmp OP2_RENUMBER=rcm %t good | FileCheck %s --check-prefix=GOOD
// RUN: env OP2_CHECK=1 OP2_TARGET=emulator %t good | FileCheck %s --check-prefix=GOOD
// GOOD: sum 30
//
// RUN: not env OP2_CHECK=1 %t.dev overwrite 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not env OP2_CHECK=1 OP2_TARGET=seq %t overwrite 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not env OP2_CHECK=1 OP2_TARGET=openmp OP2_RENUMBER=rcm %t overwrite 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not env OP2_CHECK=1 OP2_TARGET=emulator %t overwrite 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// OVERWRITE: op2 error: loop overwrite{{.*}}, argument 2: OP_WRITE on dat x: elements {{[0-4]}} and {{[0-4]}} of set edges both reach element {{[0-4]}} of set nodes, and one of them overwrites it
//
// RUN: not env OP2_CHECK=1 %t.dev leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// RUN: not env OP2_CHECK=1 OP2_TARGET=seq %t leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// RUN: not env OP2_CHECK=1 OP2_TARGET=openmp %t leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// RUN: not env OP2_CHECK=1 OP2_TARGET=emulator %t leave 2>&1 | FileCheck %s --check-prefix=LEAVE
// LEAVE: op2 error: loop leave{{.*}}, argument 1: OP_WRITE on dat y: the kernel did not write element 3, component 1 (2 values in all)
//
// RUN: not env OP2_CHECK=1 OP2_TARGET=openmp %t change 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not env OP2_CHECK=1 OP2_TARGET=emulator %t change 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not env OP2_CHECK=1 OP2_TARGET=seq %t change 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not env OP2_CHECK=1 %t.dev change 2>&1 | FileCheck %s --check-prefix=CHANGE
// CHANGE: op2 error: loop change{{.*}}, argument 0: OP_READ on dat w: the kernel changed element 2, component 0, from 3 to 4; declare OP_RW
//
// RUN: env OP2_CHECK=warn OP2_TARGET=openmp %t leave 2>&1 | FileCheck %s --check-prefix=WARN
// WARN: op2 warning: loop leave ({{.*}}check-mode.cpp:{{[0-9]+}}), argument 1: OP_WRITE on dat y
// WARN: sum 30
//
// RUN: env OP2_CHECK=1 OP2_TARGET=openmp %t fresh 2>&1 | FileCheck %s --check-prefix=FRESH
// FRESH: op2 warning: loop gather{{.*}}: OP_READ on dat fresh, which was declared without values
// FRESH: sum 0
//
// RUN: env OP2_TARGET=openmp %t leave 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: op2
// OFF: sum 30

#include "op_seq.h"

#include <cstdio>
#include <cstring>

static void spread(const double *w, double *a, double *b) {
  *a += *w;
  *b += *w;
}
static void overwrite(const double *w, double *a, double *b) {
  *a = *w;
  *b = -*w;
}
static void leave(const double *w, double *y) {
  y[0] = *w;
  if (*w < 4)
    y[1] = *w;
}
static void change(double *w) {
  if (*w == 3)
    *w += 1;
}
static void gather(const double *x, double *sum) { *sum += *x; }

int main(int argc, char **argv) {
  auto is = [&](const char *word) {
    return argc > 1 && std::strcmp(argv[1], word) == 0;
  };
  op_init(argc, argv, 0);
  int table[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
  double weights[] = {1, 2, 3, 4, 5};
  op_set edges = op_decl_set(5, "edges"), nodes = op_decl_set(5, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, table, "ends");
  op_dat w = op_decl_dat(edges, 1, "double", weights, "w");
  op_dat x = op_decl_dat(nodes, 1, "double", (double *)nullptr, "x");
  op_dat y = op_decl_dat(edges, 2, "double", (double *)nullptr, "y");

  if (is("overwrite"))
    op_par_loop(overwrite, "overwrite", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(x, 0, map, 1, "double", OP_WRITE),
                op_arg_dat(x, 1, map, 1, "double", OP_WRITE));
  if (is("leave"))
    op_par_loop(leave, "leave", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_WRITE));
  if (is("change"))
    op_par_loop(change, "change", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
  op_par_loop(spread, "spread", edges,
              op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(x, 0, map, 1, "double", OP_INC),
              op_arg_dat(x, 1, map, 1, "double", OP_INC));
  double sum = 0;
  op_dat fresh = op_decl_dat_temp(nodes, 1, "double", (double *)nullptr, "fresh");
  op_par_loop(gather, "gather", nodes,
              op_arg_dat(is("fresh") ? fresh : x, -1, OP_ID, 1, "double",
                         OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("sum %g\n", sum);
  op_exit();
  return 0;
}
