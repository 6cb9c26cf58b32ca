// Arguments that lowerings for devices treat in a way of their own: optional
// ones that are off (and share their dat with one that is on), increments of
// optional, vector and run-time-dim arguments, of unsigned values,
// reductions of a loop whose dats turn out to be one.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=5 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator %t > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: shared optional 0: 5050
// CHECK-NEXT: shared optional 1: 10100
// CHECK-NEXT: optional increment 0: 0
// CHECK-NEXT: optional increment 1: 5050
// CHECK-NEXT: optional rows 0: 0
// CHECK-NEXT: optional rows 1: 600
// CHECK-NEXT: run-time dim: 15150
// CHECK-NEXT: unsigned: 200
// CHECK-NEXT: 64 bits unsigned: 200
// CHECK-NEXT: bool: 10
// CHECK-NEXT: distinct: 5050
// CHECK-NEXT: aliased: 5050 100 10100

#include "op_seq.h"

#include <vector>

inline void addBoth(const double *maybe, const double *always, double *sum) {
  *sum += *always + (maybe ? *maybe : 0);
}
inline void increment(const double *value, double *target) {
  if (target)
    *target += *value;
}
inline void incrementRows(const double *value, double **rows) {
  if (rows)
    for (int slot = 0; slot < 2; ++slot) {
      rows[slot][0] += slot + 1;
      rows[slot][1] += *value - *value + 1.5;
      rows[slot][1] += 0;
    }
}
inline void incrementWide(const double *value, const int *dim, double *row) {
  for (int i = 0; i < *dim; ++i)
    row[i] += *value;
}
template <class T> void count(T *a, T *b) {
  *a += 1;
  *b += 1;
}
inline void mark(const int *index, bool *flag) { *flag |= *index % 2 == 0; }
inline void store(const double *from, double *to, double *sum, double *most) {
  *to = *from;
  *sum += *from;
  if (*from > *most)
    *most = *from;
}
inline void add(const double *value, double *sum) { *sum += *value; }

static double total(op_set set, op_dat dat) {
  std::vector<double> values(size_t(set->size * dat->dim));
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum;
}

template <class T>
static void countAll(const char *what, op_set set, op_map map, op_set nodes,
                     op_dat dat) {
  op_par_loop(
      count<T>, "count", set,
      op_arg_dat(dat, 0, map, 1, sizeof(T) == 4 ? "uint" : "ull", OP_INC),
      op_arg_dat(dat, 1, map, 1, sizeof(T) == 4 ? "uint" : "ull", OP_INC));
  std::vector<T> values(size_t(nodes->size));
  op_fetch_data(dat, values.data());
  T sum = 0;
  for (T value : values)
    sum += value;
  op_printf("%s: %g\n", what, double(sum));
}

static void run(op_set set, op_dat from, op_dat to, const char *what) {
  double sum = 0, most = -1;
  op_par_loop(store, "store", set,
              op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_gbl(&most, 1, "double", OP_MAX));
  op_printf("%s: %g %g %g\n", what, sum, most, sum + total(set, to));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 100, m = 19;
  std::vector<int> table;
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) {
    table.push_back(i % m);
    table.push_back((i * i + 1) % m);
    numbers.push_back(i + 1);
  }
  op_set edges = op_decl_set(n, "edges"), nodes = op_decl_set(m, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  op_dat x = op_decl_dat(edges, 1, "double", numbers.data(), "x");
  op_dat y = op_decl_dat(edges, 1, "double", (double *)NULL, "y");
  op_dat node = op_decl_dat(nodes, 1, "double", (double *)NULL, "node");
  op_dat pair = op_decl_dat(nodes, 2, "double", (double *)NULL, "pair");

  for (int flag = 0; flag < 2; ++flag) {
    double sum = 0;
    op_par_loop(addBoth, "both", edges,
                op_opt_arg_dat(flag, x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    op_printf("shared optional %d: %g\n", flag, sum);
  }
  for (int flag = 0; flag < 2; ++flag) {
    op_par_loop(increment, "increment", edges,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_opt_arg_dat(flag, node, 1, map, 1, "double", OP_INC));
    op_printf("optional increment %d: %g\n", flag, total(nodes, node));
  }
  for (int flag = 0; flag < 2; ++flag) {
    op_par_loop(incrementRows, "rows", edges,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_opt_arg_dat(flag, pair, -2, map, 2, "double", OP_INC));
    op_printf("optional rows %d: %g\n", flag, total(nodes, pair));
  }

  int dim = argc > 100 ? 2 : 3; // not known to the compiler
  std::vector<double> zeros(size_t(m * dim));
  op_dat wide = op_decl_dat(nodes, dim, "double", zeros.data(), "wide");
  op_par_loop(incrementWide, "wide", edges,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&dim, 1, "int", OP_READ),
              op_arg_dat(wide, 1, map, dim, "double", OP_INC));
  op_printf("run-time dim: %g\n", total(nodes, wide));

  op_dat u = op_decl_dat(nodes, 1, "uint", (uint *)NULL, "u");
  op_dat ul = op_decl_dat(nodes, 1, "ull", (ull *)NULL, "ul");
  countAll<uint>("unsigned", edges, map, nodes, u);
  countAll<ull>("64 bits unsigned", edges, map, nodes, ul);

  std::vector<int> owners;
  for (int i = 0; i < n; ++i)
    owners.push_back(i % 20 % m);
  op_map owner = op_decl_map(edges, nodes, 1, owners.data(), "owner");
  op_dat flag = op_decl_dat(nodes, 1, "bool", (bool *)NULL, "flag");
  op_par_loop(mark, "mark", edges, op_arg_idx(0, owner),
              op_arg_dat(flag, 0, owner, 1, "bool", OP_RW));
  bool flags[m];
  op_fetch_data(flag, flags);
  int set = 0;
  for (bool f : flags)
    set += f;
  op_printf("bool: %d\n", set);

  double sum = 0;
  op_par_loop(add, "add", edges, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_printf("distinct: %g\n", sum);
  run(edges, x, x, "aliased");
  run(edges, x, y, "not aliased");
  op_exit();
}
