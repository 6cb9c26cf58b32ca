// Every kind of argument gives what it gives in the sequential development
// mode.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.seq %op2lib && %t.seq > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=openmp,emulator %s -o %t.O0
// RUN: env OP2_TARGET=openmp %t.O0 > %t.O0.out && diff %t.expected %t.O0.out
// RUN: env OP2_TARGET=emulator %t.O0 > %t.emu.out && diff %t.expected %t.emu.out
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-target=openmp,seq,emulator %s -o %t.O3
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t.O3 > %t.O3.out && diff %t.expected %t.O3.out
// RUN: env OP2_TARGET=seq %t.O3 > %t.one.out && diff %t.expected %t.one.out
// RUN: env OP2_TARGET=emulator %t.O3 > %t.emu.out && diff %t.expected %t.emu.out
// RUN: %emulate %t.expected %s -- %op2cxx
#include "op_seq.h"
#include <cstdio>
#include <memory>
#include <vector>

static int const nodes = 500, edges = 499;

static void direct(float const *f, int *i, unsigned *u, long long *l, unsigned long long *ul, bool *b) {
  *i = static_cast<int>(*f) - 7;
  *u = 4000000000u + static_cast<unsigned>(*f);
  *l = -1 - *i;
  *ul = ~0ull - static_cast<unsigned>(*f);
  *b = *i % 2 == 0;
}
static void ends(double const *left, double const *right, double *a, double *b) {
  a[0] += *right;
  b[0] += *left;
  a[1] += 1;
  b[1] += 1;
}
static void rows(double **v, double *out) { *out = v[0][0] + 10 * v[1][0]; }
static void reduce(double const *x, double const *scale, double *sum, double *least, int *most) {
  sum[0] += *x * *scale;
  sum[1] += 1;
  if (*x < *least)
    *least = *x;
  int whole = static_cast<int>(*x);
  if (whole > *most)
    *most = whole;
}
static void numbers(int const *n, int const *left, int const *right, double *out) {
  *out = *n + 1000.0 * (*right - *left);
}
static void optional(double const *in, double *out) {
  if (in)
    *out += *in;
  else
    *out -= 1;
}
static void many(double *x) {
  for (int i = 0; i < 3; ++i)
    x[i] = i;
}

template <class T> void print(char const *what, op_dat dat) {
  std::size_t size = static_cast<std::size_t>(dat->set->size) * static_cast<std::size_t>(dat->dim);
  std::unique_ptr<T[]> v(new T[size]);
  op_fetch_data(dat, v.get());
  double sum = 0, weighted = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<double>(v[i]);
    weighted += static_cast<double>(v[i]) * static_cast<double>(i % 17);
  }
  std::printf("%s: %.17g %.17g\n", what, sum, weighted);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> table;
  for (int e = 0; e < edges; ++e) {
    table.push_back(e);
    table.push_back(e + 1);
  }
  std::vector<double> x0(nodes);
  std::vector<float> f0(nodes);
  for (int i = 0; i < nodes; ++i) {
    x0[static_cast<std::size_t>(i)] = i % 23 + 2;
    f0[static_cast<std::size_t>(i)] = static_cast<float>(i);
  }
  op_set nodeSet = op_decl_set(nodes, "nodes"), edgeSet = op_decl_set(edges, "edges");
  op_map map = op_decl_map(edgeSet, nodeSet, 2, table.data(), "map");
  op_dat x = op_decl_dat(nodeSet, 1, "double", x0.data(), "x");
  op_dat two = op_decl_dat(nodeSet, 2, "double", (double *)nullptr, "two");
  op_dat e = op_decl_dat(edgeSet, 1, "double", (double *)nullptr, "e");
  op_dat f = op_decl_dat(nodeSet, 1, "float", f0.data(), "f");
  op_dat i = op_decl_dat(nodeSet, 1, "int", (int *)nullptr, "i");
  op_dat u = op_decl_dat(nodeSet, 1, "uint", (unsigned *)nullptr, "u");
  op_dat l = op_decl_dat(nodeSet, 1, "ll", (long long *)nullptr, "l");
  op_dat ul = op_decl_dat(nodeSet, 1, "ull", (unsigned long long *)nullptr, "ul");
  op_dat b = op_decl_dat(nodeSet, 1, "bool", (bool *)nullptr, "b");

  op_par_loop(direct, "direct", nodeSet, op_arg_dat(f, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(i, -1, OP_ID, 1, "int", OP_WRITE), op_arg_dat(u, -1, OP_ID, 1, "uint", OP_WRITE),
              op_arg_dat(l, -1, OP_ID, 1, "ll", OP_WRITE), op_arg_dat(ul, -1, OP_ID, 1, "ull", OP_WRITE),
              op_arg_dat(b, -1, OP_ID, 1, "bool", OP_WRITE));
  print<int>("i", i);
  print<unsigned>("u", u);
  print<long long>("l", l);
  print<unsigned long long>("ul", ul);
  print<bool>("b", b);

  op_par_loop(ends, "ends", edgeSet, op_arg_dat(x, 0, map, 1, "double", OP_READ),
              op_arg_dat(x, 1, map, 1, "double", OP_READ), op_arg_dat(two, 0, map, 2, "double", OP_INC),
              op_arg_dat(two, 1, map, 2, "double", OP_INC));
  print<double>("ends", two);

  op_par_loop(rows, "rows", edgeSet, op_arg_dat(x, -2, map, 1, "double", OP_READ),
              op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
  print<double>("rows", e);

  // CHECK: sum 12898 502 least -1 most 24
  double sum[2] = {0, 2}, least = -1, scale = 2;
  int most = 3;
  op_par_loop(reduce, "reduce", nodeSet, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&scale, 1, "double", OP_READ), op_arg_gbl(sum, 2, "double", OP_INC),
              op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_gbl(&most, 1, "int", OP_MAX));
  std::printf("sum %.17g %.17g least %.17g most %d\n", sum[0], sum[1], least, most);

  op_par_loop(numbers, "numbers", edgeSet, op_arg_idx(-1, OP_ID), op_arg_idx(0, map), op_arg_idx(1, map),
              op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
  print<double>("numbers", e);

  for (int flag = 0; flag < 2; ++flag) {
    op_par_loop(optional, "optional", edgeSet, op_opt_arg_dat(flag, x, 1, map, 1, "double", OP_READ),
                op_arg_dat(e, -1, OP_ID, 1, "double", OP_RW));
    print<double>("optional", e);
  }

  // A dim that is known at run time only; the same dat through two names.
  op_dat three = op_decl_dat(nodeSet, argc + 2, "double", (double *)nullptr, "three");
  op_par_loop(many, "many", nodeSet, op_arg_dat(three, -1, OP_ID, argc + 2, "double", OP_WRITE));
  print<double>("many", three);
  op_dat alias = x;
  op_par_loop(optional, "alias", nodeSet, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(alias, -1, OP_ID, 1, "double", OP_RW));
  print<double>("alias", x);
  op_exit();
}
