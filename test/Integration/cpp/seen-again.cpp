// An element of which another thread, or block, has a part runs there as well:
// only where it cannot see what it changed before, by whatever way. All results
// are whole numbers.
//
// RUN: %clangxx -std=c++17 -O1 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq > %t.expected
// RUN: %t.seq OP_NO_REALLOC > %t.twins
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_TILE_SIZE=64 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | diff %t.expected -
// RUN: env OP2_TARGET=seq %t OP_NO_REALLOC | diff %t.twins -
// RUN: env OMP_NUM_THREADS=2 %t OP_NO_REALLOC | diff %t.twins -
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_TILE_SIZE=64 %t OP_NO_REALLOC | diff %t.twins -
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t OP_NO_REALLOC | diff %t.twins -

#include "op_seq.h"
#include <utility>
#include <vector>

static const int n = 2000;
static double named[n], other[n];
static double *table;

static void readAndAdd(const double *x, double *y, double *r, double *v) {
  *y += 2;
  *r += *x;
  *v = *x;
}
static void byPointer(const int *i, double *w, double *a, double *b) {
  double old = table[*i];
  *w = old + 1;
  *a += old;
  *b += old;
}
static void byGlobal(const int *i, const double *g, double *w, double *a,
                     double *b) {
  double old = g[*i];
  *w = old + 1;
  *a += old;
  *b += old;
}
static void byName(const int *i, double *w, double *a, double *b) {
  double old = named[*i];
  *w = old + 1;
  *a += old;
  *b += old;
}
static void byTwin(const double *u, double *w, double *a, double *b) {
  double old = *u;
  *w = old + 1;
  *a += old;
  *b += old;
}
static void writeTwice(double *w, double *u, double *a, double *b) {
  *w = 1;
  *u = 2;
  *a += *w;
  *b += *w;
}
static void changeTwins(const double *w, double *a, double *b) {
  *a += *w;
  *b += 2 * *w;
}
// In a loop that changes rows through a map as well.
static void besideRW(const double *x, double *v, double *y, double *z) {
  *y += 4;
  *z = *z + 1;
  *v = *x;
}

static void show(const char *what, op_dat dat) {
  std::vector<double> values(n);
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[size_t(i)] * (i % 13 + 1);
  op_printf("%s %s %.17g\n", what, dat->name, sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> near, far;
  std::vector<double> x(n), w(n), r(n), twins(n);
  for (int e = 0; e < n; ++e) {
    near.insert(near.end(), {e * 4 / 5, e * 4 / 5 + 1});
    far.insert(far.end(), {(e + 16) % n, e});
    x[size_t(e)] = e % 7;
    named[e] = e % 5;
  }
  op_set nodes = op_decl_set(n, "nodes"), edges = op_decl_set(n, "edges");
  op_map map = op_decl_map(edges, nodes, 2, near.data(), "map");
  op_map next = op_decl_map(edges, nodes, 2, far.data(), "next");
  op_dat dx = op_decl_dat(nodes, 1, "double", x.data(), "x");
  op_dat dw = op_decl_dat(edges, 1, "double", w.data(), "w");
  op_dat dr = op_decl_dat(nodes, 1, "double", r.data(), "r");
  op_dat w1 = op_decl_dat(edges, 1, "double", other, "w1");
  op_dat w2 = op_decl_dat(edges, 1, "double", named, "w2");
  op_dat overlay = op_decl_dat_overlay(edges, dw);
  // One array with OP_NO_REALLOC.
  op_dat one = op_decl_dat(edges, 1, "double", twins.data(), "one");
  op_dat two = op_decl_dat(edges, 1, "double", twins.data(), "two");
  op_dat left = op_decl_dat(nodes, 1, "double", twins.data(), "left");
  op_dat right = op_decl_dat(nodes, 1, "double", twins.data(), "right");
  op_map half;
  {
    std::vector<int> ends;
    for (int e = 0; e < n; ++e)
      ends.insert(ends.end(), {e, (e + n / 2) % n});
    half = op_decl_map(edges, nodes, 2, ends.data(), "half");
  }
  table = reinterpret_cast<double *>(dw->data);

  for (int t = 0; t < 12; ++t) {
    op_par_loop(readAndAdd, "read and add", edges,
                op_arg_dat(dx, 0, next, 1, "double", OP_READ),
                op_arg_dat(dx, 0, next, 1, "double", OP_INC),
                op_arg_dat(dr, 1, next, 1, "double", OP_INC),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(besideRW, "beside rw", edges,
                op_arg_dat(dx, 0, next, 1, "double", OP_READ),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dx, 0, next, 1, "double", OP_INC),
                op_arg_dat(dr, 1, next, 1, "double", OP_RW));
  }
  show("read and add", dw);
  show("read and add", dr);
  for (int t = 0; t < 12; ++t) {
    op_par_loop(byPointer, "by pointer", edges, op_arg_idx(-1, OP_ID),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(byGlobal, "by global", edges, op_arg_idx(-1, OP_ID),
                op_arg_gbl(reinterpret_cast<double *>(dw->data), n, "double",
                           OP_READ),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(byName, "by name", edges, op_arg_idx(-1, OP_ID),
                op_arg_dat(w1, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    if (t == 6)
      std::swap(w1->data, w2->data);
  }
  show("ways", dw);
  show("ways", dr);
  for (int t = 0; t < 12; ++t) {
    op_par_loop(byTwin, "by twin", edges,
                op_arg_dat(one, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(two, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(writeTwice, "write twice", edges,
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
    op_par_loop(writeTwice, "write overlay", edges,
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(overlay, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(dr, 0, map, 1, "double", OP_INC),
                op_arg_dat(dr, 1, map, 1, "double", OP_INC));
  }
  show("twice", dw);
  show("twice", dr);
  for (int t = 0; t < 12; ++t) {
    op_par_loop(changeTwins, "change twins", edges,
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(left, 0, half, 1, "double", OP_RW),
                op_arg_dat(right, 1, half, 1, "double", OP_RW));
    op_par_loop(changeTwins, "add to twins", edges,
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(left, 0, half, 1, "double", OP_INC),
                op_arg_dat(right, 1, half, 1, "double", OP_INC));
  }
  show("twins", left);
  show("twins", right);
  op_exit();
}
