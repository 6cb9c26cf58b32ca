// Loops that wait on ranks run as chains, with one exchange before them, and
// give the same bits as loops one by one on one process.
//
// REQUIRES: mpi
// DEFINE: %{on_ranks} = %python %S/Inputs/on_ranks.py "%mpirun" OP2_CHECK_PLAN=1
// RUN: %op2cxx -O2 -march=native --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_CHAIN=never %t > %t.expected
// RUN: env OP2_CHAIN=always OP2_TILE_SIZE=20 %t | diff %t.expected -
// RUN: %{on_ranks} OP2_CHAIN=always OP2_TILE_SIZE=20 -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=always OP2_TUNE=off -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=never -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=auto -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=always OP2_RANKS=mirrored -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=always OP2_RENUMBER=rcm -- %t | FileCheck %s --check-prefix=SAME
// RUN: env OP2_CHAIN=always OP2_RANKS=whole OP2_CHECK_PLAN=1 OP2_TILE_SIZE=20 \
// RUN:   %mpirun -n 3 %t diags > %t.diags
// RUN: FileCheck %s < %t.diags
// Times are none that are less than nothing.
// RUN: not grep -- ' -[0-9.]*[1-9]' %t.diags
// Not all ranks want chains; threads that differ.
// RUN: env OP2_RANKS=whole %mpirun -n 2 sh -c 'test "$OMPI_COMM_WORLD_RANK" = 1 || export OP2_CHAIN=always; \
// RUN:   OMP_NUM_THREADS=$((OMPI_COMM_WORLD_RANK + 1)) exec %t' | diff %t.expected -
// RUN: env OP2_RANKS=whole OP2_CHAIN=always %mpirun -n 3 sh -c \
// RUN:   'OMP_NUM_THREADS=$((OMPI_COMM_WORLD_RANK + 1)) exec %t' | diff %t.expected -
//
// SAME: 3 ways, the same output
//
// CHECK-DAG: op2: chain {{.*}}flux, take{{.*}}: {{[0-9]+}} tiles, {{[0-9]+}} elements twice or more
// CHECK-DAG: loop flux: ran 40 times {{.*}} in chains
// CHECK-DAG: loop take: ran 40 times {{.*}} in chains
// CHECK-DAG: loop keep+some: ran 39 times {{.*}} in chains
// CHECK-DAG: loop pass: ran 40 times {{.*}} in chains
// CHECK-DAG: loop temporary: ran 40 times {{.*}} in chains
// CHECK-DAG: loop count: ran 40 times {{.*}} in chains
// CHECK-DAG: loop tally: ran 40 times {{.*}} in chains
// Those that may not wait.
// CHECK-DAG: loop most: ran 40 times on openmp (direct), at chains.cpp:{{[0-9]+(; [0-9]+ on one thread)?$}}
// CHECK-DAG: loop along: ran 40 times on openmp (ownership), at chains.cpp:{{[0-9]+(; [0-9]+ on one thread)?$}}
// CHECK-DAG: loop sums: ran 40 times on openmp (direct), at chains.cpp:{{[0-9]+(; [0-9]+ on one thread)?$}}

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void flux(const double *x, const double *qa, const double *qb,
                 double *ra, double *rb) {
  double f = (qa[0] - qb[0]) * 0.1 * *x;
  ra[0] -= f;
  rb[0] += f;
  ra[1] += 0.3 * qb[1];
  rb[1] -= 0.7 * qa[1];
}
static void take(const int *n, double *q, double *r, double *least) {
  q[0] += 0.01 * r[0];
  q[1] = 0.5 * q[1] + 0.001 * r[1] + *n * 1e-3;
  if (q[0] < *least)
    *least = q[0];
  r[0] = r[1] = 0;
}
static void keep(const double *q, double *old) { *old = q[0] * 0.3; }
// A kernel that leaves out some of what it is to write keeps what was there.
static void some(const double *q, double *old) {
  if (q[1] > 0.5)
    *old = q[1];
}
static void count(const double *q, double *sum, int *more) {
  *sum += q[0];
  *more += q[1] > 1;
}
static void grow(const double *next, double *q) {
  q[0] = 0.9 * q[0] + 0.1 * *next;
}
static void tally(const double *old, int *more) { *more += *old > 0.4; }
// Through a map of nodes to nodes, each led to once.
static void pass(const double *old, double *next) { *next = *old + 0.125; }
// Of equal values it would matter which one comes first.
static void most(const double *q, double *value, int *place, const int *n) {
  if (q[1] > *value) {
    *value = q[1];
    *place = *n;
  }
}
// A dat both directly and through a map.
static void along(const double *q, double *own, double *other) {
  *own += q[0] * 1e-3;
  *other -= q[1] * 1e-3;
}
// More components than are exact.
static void sums(const double *q, double *s) {
  for (int c = 0; c < 70; ++c)
    s[c] += q[0] * (c + 1);
}

static unsigned long hashOf(op_dat dat) {
  std::vector<double> values(std::size_t(dat->set->size) * dat->dim);
  op_fetch_data(dat, values.data());
  unsigned long hash = 1;
  for (double value : values) {
    unsigned long bits;
    std::memcpy(&bits, &value, sizeof bits);
    hash = hash * 1000003 + bits;
  }
  return hash;
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  constexpr int side = 24, nx = side * side;
  std::vector<int> edges, next;
  std::vector<double> x, q;
  for (int n = 0; n < nx; ++n) {
    if (n % side + 1 < side)
      edges.insert(edges.end(), {n, n + 1});
    if (n + side < nx)
      edges.insert(edges.end(), {n, n + side});
    next.push_back((n + 1) % nx);
    q.push_back(1 + (n * 37 % 101) * 0.01);
    q.push_back(2 - (n * 17 % 103) * 0.01);
  }
  int count_ = static_cast<int>(edges.size() / 2);
  for (int e = 0; e < count_; ++e)
    x.push_back(1 + (e % 7) * 0.1);
  op_set nodes = op_decl_set(nx, "nodes"), lines = op_decl_set(count_, "lines");
  op_map ends = op_decl_map(lines, nodes, 2, edges.data(), "ends"),
         following = op_decl_map(nodes, nodes, 1, next.data(), "following");
  op_dat px = op_decl_dat(lines, 1, "double", x.data(), "x"),
         pq = op_decl_dat(nodes, 2, "double", q.data(), "q");
  std::vector<double> zeros(2 * nx, 0.0);
  op_dat pr = op_decl_dat(nodes, 2, "double", zeros.data(), "r"),
         po = op_decl_dat(nodes, 1, "double", zeros.data(), "old"),
         pn = op_decl_dat(nodes, 1, "double", zeros.data(), "next");
  for (int i = 0; i < 40; ++i) {
    double sum = 0, least = 9, value = 0, many[70] = {};
    int more = 0, place = -1;
    op_dat temporary = op_decl_dat_temp(nodes, 1, "double",
                                        static_cast<double *>(nullptr), "t");
    op_par_loop(flux, "flux", lines,
                op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(pq, 0, ends, 2, "double", OP_READ),
                op_arg_dat(pq, 1, ends, 2, "double", OP_READ),
                op_arg_dat(pr, 0, ends, 2, "double", OP_INC),
                op_arg_dat(pr, 1, ends, 2, "double", OP_INC));
    op_par_loop(take, "take", nodes, op_arg_idx(-1, OP_ID),
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(pr, -1, OP_ID, 2, "double", OP_RW),
                op_arg_gbl(&least, 1, "double", OP_MIN));
    op_par_loop(keep, "keep", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(po, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(some, "some", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(po, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(pass, "pass", nodes,
                op_arg_dat(po, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(pn, 0, following, 1, "double", OP_WRITE));
    op_par_loop(pass, "temporary", nodes,
                op_arg_dat(pn, 0, following, 1, "double", OP_READ),
                op_arg_dat(temporary, -1, OP_ID, 1, "double", OP_INC));
    op_par_loop(count, "count", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&more, 1, "int", OP_INC));
    // Not every rank looks, and not in every round.
    if (i % 5 == 3 && op_is_root())
      printf("%d: %a %a %d\n", i, sum, least, more);
    op_par_loop(most, "most", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(&value, 1, "double", OP_MAX),
                op_arg_info(&place, 1, "int", 1), op_arg_idx(-1, OP_ID));
    op_par_loop(along, "along", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(pn, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(pn, 0, following, 1, "double", OP_INC));
    if (i % 7 == 2)
      op_printf("%d: place %d of %a, temporary %lx\n", i, place, value,
                hashOf(temporary));
    op_par_loop(sums, "sums", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(many, 70, "double", OP_INC));
    if (i % 9 == 4)
      op_printf("%d: %.12g\n", i, many[69]);
    op_free_dat_temp(temporary);
  }
  // Nobody looks before the end: several rounds are one chain.
  static int tallies[40];
  for (int i = 0; i < 40; ++i)
    tallies[i] = i;
  for (int i = 0; i < 40; ++i) {
    op_par_loop(tally, "tally", nodes,
                op_arg_dat(po, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&tallies[i], 1, "int", OP_INC));
    op_par_loop(pass, "change", nodes,
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(pn, 0, following, 1, "double", OP_WRITE));
    op_par_loop(grow, "grow", nodes,
                op_arg_dat(pn, 0, following, 1, "double", OP_READ),
                op_arg_dat(pq, -1, OP_ID, 2, "double", OP_RW));
  }
  for (int i = 0; i < 40; ++i)
    op_printf("%d ", tallies[i]);
  op_printf("\nq %lx, old %lx, next %lx\n", hashOf(pq), hashOf(po), hashOf(pn));
  if (argc > 1)
    op_timing_output();
  op_exit();
  return 0;
}
