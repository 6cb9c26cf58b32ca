// Handles that only the running program tells apart: out of a vector, a map of
// the standard library, a function. Two of them may be one dat, and the copies
// that a block of a GPU makes of both need room.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: x 998500 y 2.9985e+06 z 2.4975e+06

#include "op_seq.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

static void smooth(const double *left, const double *right, double *toLeft,
                   double *toRight) {
  for (int i = 0; i < 3; ++i) {
    toLeft[i] += right[i] + 1;
    toRight[i] += left[i];
  }
}
static void rows(const double **x, double **z, const double *w) {
  z[0][0] += x[1][2];
  z[1][2] += *w;
}

struct Mesh {
  op_dat get(const std::string &name) const { return dats.at(name); }
  std::map<std::string, op_dat> dats;
  std::vector<op_dat> list;
};

static double total(op_dat dat) {
  std::vector<double> values(static_cast<std::size_t>(dat->set->size) * 3);
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 1000;
  std::vector<int> table;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    table.push_back(i);
    table.push_back((7 * i + 1) % n);
    for (int k = 0; k < 3; ++k)
      values.push_back(k * i % 1000);
  }
  op_set cells = op_decl_set(n, "cells"), edges = op_decl_set(n, "edges");
  op_map map = op_decl_map(edges, cells, 2, table.data(), "map");
  Mesh mesh;
  for (const char *name : {"x", "y", "z"}) {
    op_dat dat = op_decl_dat(cells, 3, "double", values.data(), name);
    mesh.dats[name] = dat;
    mesh.list.push_back(dat);
  }
  op_par_loop(smooth, "smooth", edges,
              op_arg_dat(mesh.list[0], 0, map, 3, "double", OP_READ),
              op_arg_dat(mesh.get("x"), 1, map, 3, "double", OP_READ),
              op_arg_dat(mesh.list[1], 0, map, 3, "double", OP_INC),
              op_arg_dat(mesh.get("y"), 1, map, 3, "double", OP_INC));
  op_par_loop(rows, "rows", edges,
              op_arg_dat(mesh.get("y"), -2, map, 3, "double", OP_READ),
              op_arg_dat(mesh.list[2], -2, map, 3, "double", OP_INC),
              op_arg_dat(mesh.list.at(1), 1, map, 3, "double", OP_READ));
  std::printf("x %g y %g z %g\n", total(mesh.get("x")), total(mesh.get("y")),
              total(mesh.list.back()));
  op_exit();
}
