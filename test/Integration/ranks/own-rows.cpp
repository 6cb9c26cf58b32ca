// Loops that change a dat directly and use it through a map of its set to
// itself: each row gets everything in the order of the whole mesh, also what
// elements do to their own rows.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -ffp-contract=off -Werror=op2-sequential --op2-mpi \
// RUN:   --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=openmp OP2_CHECK_PLAN=1 \
// RUN:   %python %S/Inputs/on_ranks.py "%mpirun" -- %t | FileCheck %s
// RUN: env OP2_TARGET=seq %python %S/Inputs/on_ranks.py "%mpirun" -- %t | FileCheck %s
// RUN: %clangxx -std=c++17 -O0 -ffp-contract=off %op2api %s -o %t.header \
// RUN:   -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" -- %t.header OP_NO_REALLOC | FileCheck %s
// RUN: env OP2_TARGET=openmp %t > %t.openmp && env OP2_TARGET=seq %t > %t.seq
// RUN: %t.header | diff %t.seq - && diff %t.seq %t.openmp
// CHECK: ways, the same output
#include "op_seq.h"

#include <vector>

static void add_all(const double *w, double **to, double *own, int *count) {
  for (int k = 0; k < 3; ++k)
    to[k][0] += 0.1 * w[0] * (k + 1);
  own[0] += w[0] / 3;
  *count += 1;
}
static void into_next(const double *w, double *next, double *own, double *other) {
  next[0] += w[0] * 0.7;
  own[0] += 0.2 * w[0];
  other[0] = w[0] + 1; // the program's own, written directly
}
static void largest(const double *w, double *next, double *own) {
  next[0] = next[0] > w[0] ? next[0] : w[0];
  own[0] = own[0] > 2 * w[0] ? own[0] : 2 * w[0];
}
static void halves(const double *next, double *own, double *sum) {
  own[1] = next[0] * 0.5; // of another component than is read
  sum[0] += next[0];
}
static void plain(const double *w, const double *far, double *next) {
  next[0] += w[0] * far[0];
}

template <int N> static void print(char const *name, op_dat dat) {
  std::vector<double> values(std::size_t(dat->set->size) * N);
  op_fetch_data(dat, values.data());
  for (std::size_t n = 0; n < values.size(); ++n)
    op_printf("%s %zu %a\n", name, n, values[n]);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int kSize = 90;
  std::vector<int> around, next;
  for (int n = 0; n < kSize; ++n) {
    // Some lead to themselves, some twice to the same.
    around.insert(around.end(), {n % 4 ? (n * 7 + 1) % kSize : n, (n * n) % kSize,
                                 n % 5 ? (n + 1) % kSize : n * n % kSize});
    next.push_back(n % 9 ? (n * 11 + 3) % kSize : n);
  }
  std::vector<double> w0(kSize), a0(kSize, 0.1), b0(2 * kSize, 1), c0(kSize),
      d0(kSize, -5), e0(kSize), f0(2 * kSize);
  for (int n = 0; n < kSize; ++n)
    w0[n] = 1.0 / (n + 3);
  op_set nodes = op_decl_set(kSize, "nodes");
  op_map ring = op_decl_map(nodes, nodes, 3, around.data(), "ring");
  op_map one = op_decl_map(nodes, nodes, 1, next.data(), "one");
  op_dat w = op_decl_dat(nodes, 1, "double", w0.data(), "w");
  op_dat a = op_decl_dat(nodes, 1, "double", a0.data(), "a");
  op_dat b = op_decl_dat(nodes, 2, "double", b0.data(), "b");
  op_dat c = op_decl_dat(nodes, 1, "double", c0.data(), "c");
  op_dat d = op_decl_dat(nodes, 1, "double", d0.data(), "d");
  op_dat e = op_decl_dat(nodes, 1, "double", e0.data(), "e");
  op_dat f = op_decl_dat(nodes, 2, "double", f0.data(), "f");
  int count = 0;
  for (int step = 0; step < 3; ++step) {
    op_par_loop(add_all, "add_all", nodes,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, -3, ring, 1, "double", OP_INC),
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_INC),
                op_arg_gbl(&count, 1, "int", OP_INC));
    op_par_loop(into_next, "into_next", nodes,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(c, 0, one, 1, "double", OP_INC),
                op_arg_dat(c, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(e, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(largest, "largest", nodes,
                op_arg_dat(c, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(d, 0, one, 1, "double", OP_RW),
                op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(halves, "halves", nodes,
                op_arg_dat(b, 0, one, 2, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(f, 1, ring, 2, "double", OP_INC));
    op_par_loop(plain, "plain", nodes,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(e, 2, ring, 1, "double", OP_READ),
                op_arg_dat(f, 0, one, 2, "double", OP_INC));
  }
  op_printf("%d\n", count);
  print<1>("a", a);
  print<2>("b", b);
  print<1>("c", c);
  print<1>("d", d);
  print<1>("e", e);
  print<2>("f", f);
  op_exit();
}
