// REQUIRES: mpi, no-sanitizer
// Contractions of a * b + c differ between targets.
// RUN: %op2cxx -O2 -march=native -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=openmp OP2_CHECK_PLAN=1 \
// RUN:   %python %S/Inputs/on_ranks.py "%mpirun" -- %t 12 | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_CHECK_PLAN=1 -- %t 31 mixed \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq -- %t 12 mixed \
// RUN:   | FileCheck %s
// RUN: %clangxx -std=c++17 -O0 %op2api %s -o %t.header \
// RUN:   -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_CHECK=warn -- %t.header 12 mixed \
// RUN:   | FileCheck %s
// On devices, in each layout; all sums in the order of the whole mesh.
// RUN: %op2cxx -O2 -march=native -ffp-contract=off --op2-mpi --op2-target=emulator \
// RUN:   %s -o %t.owner
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator OP2_CHECK_PLAN=1 \
// RUN:   -- %t.owner 31 mixed | FileCheck %s
// RUN: %op2cxx -O2 -march=native -ffp-contract=off --op2-mpi --op2-target=emulator \
// RUN:   --op2-layout=soa %s -o %t.soa
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator OP2_CHECK_PLAN=1 \
// RUN:   -- %t.soa 12 mixed | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator OP2_RENUMBER=rcm \
// RUN:   -- %t.soa 12 mixed | FileCheck %s
// RUN: %t.header 12 mixed > %t.alone
// RUN: env OP2_TARGET=emulator %t.soa 12 mixed | diff %t.alone -
// With other numbers, which all ranks find.
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_RENUMBER=rcm -- %t 31 mixed \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=hilbert:x -- %t 12 mixed \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RENUMBER=rcm -- %t.header 12 mixed \
// RUN:   | FileCheck %s
// RUN: env OP2_TARGET=seq OP2_RENUMBER=rcm %t 12 mixed > %t.rcm && not diff %t.rcm %t.alone
// The same bits as other targets, and as the sequential development mode.
// RUN: env OP2_TARGET=openmp %t 12 mixed > %t.openmp
// RUN: env OP2_TARGET=seq %t 12 mixed > %t.seq
// RUN: diff %t.openmp %t.seq
// RUN: diff %t.openmp %t.alone
// CHECK: ways, the same output

// Every access, direct and through maps, on a mesh of triangles with numbers in
// no order; what each loop makes is printed as bits. Started alone or by mpirun
// with OP2_RANKS=whole it prints the same text.
#include "Inputs/bits.h"

#include <algorithm>
#include <random>
#include <vector>

static double scale = 0.3;

static void set_coordinates(const double *x, double *y) {
  y[0] = x[0] * 1.1;
  y[1] = x[1] - 0.1;
}
static void add_flux(const double *xa, const double *xb, const double *w,
                     double *ra, double *rb) {
  for (int d = 0; d < 3; ++d) {
    double f = w[0] * (xa[d % 2] - xb[d % 2] * scale) + 0.1 * d;
    ra[d] += f;
    rb[d] -= f * 0.7;
  }
}
static void add_to_row(double **r, const double *w, int *count) {
  for (int n = 0; n < 3; ++n) {
    r[n][0] += w[0] / (n + 1);
    r[n][1] -= w[0];
    r[n][2] += 1e-3 * n;
  }
  *count += 1;
}
static void least(const double *w, double *a, float *b) {
  if (w[0] < *a)
    *a = w[0];
  if (float(w[0]) > *b)
    *b = float(w[0]);
}
static void relax(double *r, const double *y, double *sum, int *most) {
  for (int d = 0; d < 3; ++d)
    r[d] = 0.5 * r[d] + 0.01 * y[d % 2];
  *sum += r[0];
  if (int(r[1] * 100) > *most)
    *most = int(r[1] * 100);
}
static void mark(int *owner) { *owner = 7; }
static void swap_in(double *node, const double *w) {
  node[0] = node[0] * 0.5 + w[0];
}
static void weigh(const double *r, double *w, int *ones) {
  w[0] = w[0] * 0.9 + 0.001 * (r[0] + r[3 - 1]);
  *ones += 1;
}
static void around(const double *const *n, const double *own, double *out) {
  out[0] = own[0] - 0.25 * (n[0][0] + n[1][0] + n[2][0]);
}
static void spread(const double *own, double **n) {
  for (int k = 0; k < 3; ++k)
    n[k][0] += own[0] * (0.1 + k);
}
static void count_in(const int *edge, const int *node, double *y) {
  y[0] += 1e-3 * edge[0] + 1e-5 * node[0];
}
static void worst(const double *r, const int *node, double *most, int *where,
                  double *least, float *value) {
  if (r[0] > *most) {
    *most = r[0];
    *where = *node;
  }
  if (r[1] < *least) {
    *least = r[1];
    *value = float(r[2]);
  }
}
static void first_last(int *value) { *value = 5; }

template <class T> static void printFetched(char const *name, op_dat dat) {
  std::vector<T> values(std::size_t(op_get_size(dat->set)) * dat->dim);
  op_fetch_data(dat, values.data());
  printBits(name, values);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int side = argc > 1 ? std::atoi(argv[1]) : 12;
  int nnode = side * side;
  std::mt19937 random(7);
  std::vector<int> number(nnode);
  for (int n = 0; n < nnode; ++n)
    number[n] = n;
  if (argc > 2)
    std::shuffle(number.begin(), number.end(), random);
  std::vector<int> edge, cell, neighbor;
  auto node = [&](int i, int j) { return number[(i % side) * side + j % side]; };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      edge.insert(edge.end(), {node(i, j), node(i, j + 1)});
      edge.insert(edge.end(), {node(i, j), node(i + 1, j)});
      cell.insert(cell.end(), {node(i, j), node(i + 1, j), node(i, j + 1)});
      cell.insert(cell.end(),
                  {node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  int nedge = int(edge.size() / 2), ncell = int(cell.size() / 3);
  for (int c = 0; c < ncell; ++c)
    for (int k : {1, 2, 5})
      neighbor.push_back((c + k) % ncell);
  std::vector<int> single(nnode);
  for (int n = 0; n < nnode; ++n)
    single[n] = (n * 5 + 1) % nnode; // a permutation unless 5 divides nnode
  auto values = [&](int count) {
    std::vector<double> all(count);
    for (double &value : all)
      value = std::uniform_real_distribution<>(-1, 1)(random);
    return all;
  };

  op_set nodes = op_decl_set(nnode, "nodes");
  op_set edges = op_decl_set(nedge, "edges");
  op_set cells = op_decl_set(ncell, "cells");
  op_set empty = op_decl_set(0, "empty");
  op_map edge_nodes = op_decl_map(edges, nodes, 2, edge.data(), "edge_nodes");
  op_map cell_nodes = op_decl_map(cells, nodes, 3, cell.data(), "cell_nodes");
  op_map cell_cells =
      op_decl_map(cells, cells, 3, neighbor.data(), "cell_cells");
  op_map node_node = op_decl_map(nodes, nodes, 1, single.data(), "node_node");
  op_map none = op_decl_map(empty, nodes, 2, edge.data(), "none");
  std::vector<double> x0 = values(2 * nnode), w0 = values(nedge),
                      c0 = values(ncell), r0(3 * nnode);
  op_dat x = op_decl_dat(nodes, 2, "double", x0.data(), "x");
  op_dat y = op_decl_dat(nodes, 2, "double", x0.data(), "y");
  op_dat w = op_decl_dat(edges, 1, "double", w0.data(), "w");
  op_dat wc = op_decl_dat(cells, 1, "double", c0.data(), "wc");
  op_dat out = op_decl_dat(cells, 1, "double", c0.data(), "out");
  op_dat r = op_decl_dat(nodes, 3, "double", r0.data(), "r");
  std::vector<double> low(nnode, 1e9);
  std::vector<float> high(nnode, -1e9f);
  op_dat a = op_decl_dat(nodes, 1, "double", low.data(), "a");
  op_dat b = op_decl_dat(nodes, 1, "float", high.data(), "b");
  std::vector<int> zeros(nnode);
  op_dat owner = op_decl_dat(nodes, 1, "int", zeros.data(), "owner");
  op_dat v = op_decl_dat(nodes, 1, "double", x0.data(), "v");
  op_dat nothing = op_decl_dat(empty, 1, "double", x0.data(), "nothing");

  double sum = 0.5;
  double greatest = -1e9, lowest = 1e9;
  float value = 0;
  int where = -1;
  int most = -1000, cellsSeen = 3, edgesSeen = 0, written = 0;
  for (int step = 0; step < 4; ++step) {
    op_par_loop(set_coordinates, "set_coordinates", nodes,
                op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(add_flux, "add_flux", edges,
                op_arg_dat(y, 0, edge_nodes, 2, "double", OP_READ),
                op_arg_dat(y, 1, edge_nodes, 2, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(r, 0, edge_nodes, 3, "double", OP_INC),
                op_arg_dat(r, 1, edge_nodes, 3, "double", OP_INC));
    op_par_loop(add_to_row, "add_to_row", cells,
                op_arg_dat(r, -3, cell_nodes, 3, "double", OP_INC),
                op_arg_dat(wc, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&cellsSeen, 1, "int", OP_INC));
    op_par_loop(relax, "relax", nodes,
                op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW),
                op_arg_dat(y, -1, OP_ID, 2, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "int", OP_MAX));
    op_par_loop(least, "least", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(a, 1, edge_nodes, 1, "double", OP_MIN),
                op_arg_dat(b, 0, edge_nodes, 1, "float", OP_MAX));
    op_par_loop(mark, "mark", cells,
                op_arg_dat(owner, 2, cell_nodes, 1, "int", OP_WRITE));
    op_par_loop(swap_in, "swap_in", nodes,
                op_arg_dat(v, 0, node_node, 1, "double", OP_RW),
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(weigh, "weigh", edges,
                op_arg_dat(r, 1, edge_nodes, 3, "double", OP_READ),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&edgesSeen, 1, "int", OP_INC));
    op_par_loop(around, "around", cells,
                op_arg_dat(wc, -3, cell_cells, 1, "double", OP_READ),
                op_arg_dat(wc, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(spread, "spread", cells,
                op_arg_dat(out, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(wc, -3, cell_cells, 1, "double", OP_INC));
    op_par_loop(swap_in, "nobody", empty,
                op_arg_dat(v, 1, none, 1, "double", OP_RW),
                op_arg_dat(nothing, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(count_in, "count_in", edges, op_arg_idx(-1, OP_ID),
                op_arg_idx(1, edge_nodes),
                op_arg_dat(y, 0, edge_nodes, 2, "double", OP_INC));
    op_par_loop(worst, "worst", nodes,
                op_arg_dat(r, -1, OP_ID, 3, "double", OP_READ),
                op_arg_idx(-1, OP_ID), op_arg_gbl(&greatest, 1, "double", OP_MAX),
                op_arg_info(&where, 1, "int", 2),
                op_arg_gbl(&lowest, 1, "double", OP_MIN),
                op_arg_info(&value, 1, "float", 4));
    op_par_loop(first_last, "first_last", nodes,
                op_arg_gbl(&written, 1, "int", OP_WRITE));
  }
  op_printf("%d cells, %d edges, %d most, %d written, sum %a\n", cellsSeen,
            edgesSeen, most, written, sum);
  op_printf("greatest %a at %d, least %a with %a\n", greatest, where, lowest,
            double(value));
  printFetched<double>("y", y);
  printFetched<double>("w", w);
  printFetched<double>("r", r);
  printFetched<double>("a", a);
  printFetched<float>("b", b);
  printFetched<int>("owner", owner);
  printFetched<double>("v", v);
  printFetched<double>("wc", wc);
  printFetched<double>("out", out);
  op_exit();
}
