// Loops that are pending where one file calls another one, on ranks: some of
// them look between two loops that could run as one, and others do not.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O2 -ffp-contract=off -Werror=op2-sequential --op2-mpi -c %s -o %t.1.o
// RUN: %op2cxx -O2 -ffp-contract=off -Werror=op2-sequential --op2-mpi -DSECOND -c %s -o %t.2.o
// RUN: %op2cxx --op2-mpi %t.1.o %t.2.o -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_CHAIN=never -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=20 -- %t | FileCheck %s
// CHECK: ways, the same output
//
// Chains of loops of both functions:
// RUN: env OP2_RANKS=whole OP2_CHAIN=always OP2_OWNER=always %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=CHAIN
// CHAIN: op2: chain {{.*}}settle, spread, settle, spread

#include "Inputs/other-files.h"

#ifdef SECOND
static void gather(const double *left, const double *right, double *s) {
  s[0] = left[0] / 3 + right[0] / 7;
}
static void take(const double *s, double *r) { r[0] += s[0] / 7; }
static void add(const double *left, const double *right, double *a, double *b) {
  a[0] += right[0] / 11;
  b[0] += left[0] / 13;
}
static void scale(double *q, const double *r) { q[0] = q[0] / 2 + r[0] / 5; }

void twoLoops(const Mesh &mesh, bool first, bool second) {
  if (first)
    op_par_loop(gather, "gather", mesh.cells, op_arg_dat(mesh.q, 0, mesh.next, 1, "double", OP_READ),
                op_arg_dat(mesh.q, 1, mesh.next, 1, "double", OP_READ),
                op_arg_dat(mesh.s, -1, OP_ID, 1, "double", OP_WRITE));
  if (second)
    op_par_loop(take, "take", mesh.cells, op_arg_dat(mesh.s, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(mesh.r, -1, OP_ID, 1, "double", OP_RW));
}
void spread(const Mesh &mesh) {
  op_par_loop(add, "spread", mesh.cells, op_arg_dat(mesh.q, 0, mesh.next, 1, "double", OP_READ),
              op_arg_dat(mesh.q, 1, mesh.next, 1, "double", OP_READ),
              op_arg_dat(mesh.r, 0, mesh.next, 1, "double", OP_INC),
              op_arg_dat(mesh.r, 1, mesh.next, 1, "double", OP_INC));
}
void settle(const Mesh &mesh) {
  op_par_loop(scale, "settle", mesh.cells, op_arg_dat(mesh.q, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(mesh.r, -1, OP_ID, 1, "double", OP_READ));
}

#else
#include "Inputs/bits.h"
#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  const int n = 203;
  std::vector<int> next;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    next.insert(next.end(), {i, (i + 1) % n});
    values.push_back(i % 17 / 19.0);
  }
  Mesh mesh;
  mesh.cells = op_decl_set(n, "cells");
  mesh.next = op_decl_map(mesh.cells, mesh.cells, 2, next.data(), "next");
  mesh.q = op_decl_dat(mesh.cells, 1, "double", values.data(), "q");
  mesh.r = op_decl_dat(mesh.cells, 1, "double", values.data(), "r");
  mesh.s = op_decl_dat(mesh.cells, 1, "double", values.data(), "s");
  op_partition("", "", nullptr, nullptr, nullptr);
  for (int i = 0; i < 30; ++i) {
    twoLoops(mesh, true, true);
    twoLoops(mesh, true, false);
    // The root alone.
    if (op_is_root())
      std::fflush(stdout);
    twoLoops(mesh, false, true);
    settle(mesh);
  }
  print("q", mesh.q);
  print("r", mesh.r);
  for (int i = 0; i < 30; ++i) {
    spread(mesh);
    if (i % 7 == 0 && op_is_root())
      std::fflush(stdout);
    settle(mesh);
  }
  print("q", mesh.q);
  print("r", mesh.r);
  op_exit();
}
#endif
