// An argument that is declared OP_RW, but that the kernel takes as const, is
// only read: no colours, no conflicts, and a warning. Shallow-water codes have
// it in the loop that computes gradients.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && env OP2_CHECK=1 %t.dev | FileCheck %s
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env OP2_CHECK=1 OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_CHECK=1 OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: env OP2_CHECK=1 OP2_TARGET=emulator %t | FileCheck %s
// RUN: %op2cxx -w --op2-emit=op2 %s -o - 2>/dev/null | FileCheck %s --check-prefix=DIALECT
//
// WARN: warning: kernel parameter 'right' of type 'const float *' cannot be written, but this loop declares OP_RW; did you mean OP_READ?
// WARN: warning: kernel parameter 'rows' of type 'const float **' cannot be written, but this loop declares OP_RW; did you mean OP_READ?
// DIALECT: read %{{.*}} via %{{.*}}[1]
// DIALECT: read %{{.*}} via
// CHECK: gradient: sum 10263
// CHECK-NEXT: rows: sum 29997

#include "op_seq.h"

#include <cstdio>
#include <vector>

static const int n = 100;

static void gradient(const float *here, const float *left, const float *right,
                     float *out) {
  *out = *here + *right - *left;
}
static void addRows(const float **rows, float *out) {
  *out += *rows[0] + *rows[1];
}

static void show(const char *what, op_dat dat) {
  std::vector<float> values(n);
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * (1 + i % 3);
  std::printf("%s: sum %g\n", what, sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> table;
  std::vector<float> values;
  for (int i = 0; i < n; ++i) {
    // At the ends a cell is its own neighbour.
    table.push_back(i > 0 ? i - 1 : i);
    table.push_back(i < n - 1 ? i + 1 : i);
    values.push_back(static_cast<float>(i));
  }
  op_set cells = op_decl_set(n, "cells");
  op_map near = op_decl_map(cells, cells, 2, table.data(), "near");
  op_dat x = op_decl_dat(cells, 1, "float", values.data(), "x");
  op_dat out = op_decl_dat(cells, 1, "float", values.data(), "out");
  op_par_loop(gradient, "gradient", cells,
              op_arg_dat(x, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(x, 0, near, 1, "float", OP_READ),
              op_arg_dat(x, 1, near, 1, "float", OP_RW),
              op_arg_dat(out, -1, OP_ID, 1, "float", OP_WRITE));
  show("gradient", out);
  op_par_loop(addRows, "addRows", cells,
              op_arg_dat(x, -2, near, 1, "float", OP_RW),
              op_arg_dat(out, -1, OP_ID, 1, "float", OP_RW));
  show("rows", out);
  op_exit();
}
