// What a loop may do besides adding to rows that blocks of a device own: several
// blocks run the elements at the borders, of which one counts in sums, and all
// write the same.
//
// Kernels with checks of sanitizers are not raised, and own nothing.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx %unoptimized -O1 -ffp-contract=off -Werror=op2-sequential --op2-strategy=owner \
// RUN:   --op2-target=seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=3 OP2_CHECK_PLAN=1 %t OP_DIAGS=2 > %t.emulator
// RUN: FileCheck %s < %t.emulator
// RUN: grep '^-*0x' %t.seq > %t.seq.results
// RUN: grep '^-*0x' %t.emulator | diff %t.seq.results -
// CHECK: {{[1-9][0-9]*}} elements twice or more
// CHECK-DAG: op2: loop all: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop exchange+grow: ran 2 times on emulator (owned rows)

#include "op_seq.h"
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>
// All that an element may do besides: several blocks run those at the borders.
static void all(const double *a, const double *b, double *ra, double *rb,
                double *kept, double *sum, float *narrow, int *count,
                double *most, double *least, int *flag) {
  double f = (*a - *b) * 0.3 + *a / *b;
  *ra += f;
  *rb -= f * f;
  kept[0] = f;
  kept[1] = f / 3;
  *sum += f / 7;
  *narrow += float(f) * 0.1f;
  *count += f > 1 ? 1 : 2;
  *most = f > *most ? f : *most;
  *least = *least < f ? *least : f;
  if (f > 2)
    *flag = 1;
}
// What an element adds to its own row is added by one of its blocks.
static void exchange(const double *w, double *ra, double *rb) {
  *ra += w[0] / 3;
  *rb -= w[1] * w[0];
}
static void grow(const double *w, double *h) { *h += w[0]; }

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  std::mt19937 next(3);
  int const n = 700, m = 2000;
  std::vector<double> a(n), r(n), k(2 * m);
  std::vector<int> ends(2 * m);
  for (double &v : a)
    v = 0.1 + (next() % 1000) / 333.0;
  for (int e = 0; e < m; ++e) {
    ends[2 * e] = next() % n;
    ends[2 * e + 1] = (ends[2 * e] + 1 + next() % 40) % n;
  }
  op_set nodes = op_decl_set(n, "nodes"), edges = op_decl_set(m, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat da = op_decl_dat(nodes, 1, "double", a.data(), "a"),
         dr = op_decl_dat(nodes, 1, "double", r.data(), "r"),
         dk = op_decl_dat(edges, 2, "double", k.data(), "k");
  double sum = 0.1, most = -1e9, least = 1e9;
  float narrow = 0.2f;
  int count = 5, flag = 0;
  for (int s = 0; s < 3; ++s)
    op_par_loop(all, "all", edges, op_arg_dat(da, 0, map, 1, "double", OP_READ),
                op_arg_dat(da, 1, map, 1, "double", OP_READ),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC),
                op_arg_dat(dk, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&narrow, 1, "float", OP_INC),
                op_arg_gbl(&count, 1, "int", OP_INC),
                op_arg_gbl(&most, 1, "double", OP_MAX),
                op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&flag, 1, "int", OP_WRITE));
  op_printf("%a %a %d %a %a %d\n", sum, narrow, count, most, least, flag);
  std::vector<double> h(m, 0.1);
  op_dat dh = op_decl_dat(edges, 1, "double", h.data(), "h");
  for (int s = 0; s < 3; ++s) {
    op_par_loop(exchange, "exchange", edges,
                op_arg_dat(dk, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(grow, "grow", edges,
                op_arg_dat(dk, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dh, -1, OP_ID, 1, "double", OP_INC));
  }
  op_fetch_data(dh, h.data());
  for (int i = 0; i < m; ++i)
    op_printf("%a\n", h[i]);
  op_fetch_data(dr, r.data());
  op_fetch_data(dk, k.data());
  for (int i = 0; i < n; ++i)
    op_printf("%a\n", r[i]);
  for (int i = 0; i < 2 * m; ++i)
    op_printf("%a\n", k[i]);
  op_exit();
}
