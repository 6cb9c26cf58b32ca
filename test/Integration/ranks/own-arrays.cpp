// Programs for one process that own the storage of their dats (OP_NO_REALLOC)
// look at it and write there between loops, and read it in kernels; sizes are
// those of the whole mesh. With OP2_RANKS=mirrored the library's is as good.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -Werror=op2-sequential --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=openmp %python %S/Inputs/on_ranks.py "%mpirun" -- %t OP_NO_REALLOC \
// RUN:   | FileCheck %s
// RUN: env OP2_TARGET=seq %python %S/Inputs/on_ranks.py "%mpirun" -- %t OP_NO_REALLOC \
// RUN:   | FileCheck %s
// RUN: env OP2_TARGET=seq %python %S/Inputs/on_ranks.py "%mpirun" OP2_RANKS=mirrored -- \
// RUN:   %t OP_NO_REALLOC | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RANKS=mirrored -- %t | FileCheck %s
// RUN: %clangxx -std=c++17 -O0 %op2api %s -o %t.header \
// RUN:   -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" -- %t.header OP_NO_REALLOC | FileCheck %s
// CHECK: ways, the same output
#include "op_seq.h"

#include <cstdio>
#include <utility>
#include <vector>

constexpr int kNodes = 120, kEdges = 300;
static double x[kNodes];
// The dats' values: the library's, or the program's.
static double *y, *w;

static void add(const double *from, const double *weight, double *to) {
  to[0] += from[0] * weight[0] * 0.1;
  to[1] -= from[0] / 3 + x[7];
}
static void relax(double *value, const double *own) { *value += 0.3 * own[1]; }
static void total(const double *value, double *sum, double *most) {
  *sum += *value;
  if (*value > *most)
    *most = *value;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> ends;
  std::vector<double> y0(2 * kNodes), w0(kEdges);
  y = y0.data();
  w = w0.data();
  bool isOwn = argc > 1;
  for (int e = 0; e < kEdges; ++e) {
    ends.insert(ends.end(), {e * 7 % kNodes, (e * e + 3) % kNodes});
    w[e] = 1.0 / (e + 1);
  }
  for (int n = 0; n < kNodes; ++n)
    x[n] = n * 0.7;
  op_set nodes = op_decl_set(kNodes, "nodes");
  op_set edges = op_decl_set(kEdges, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat dx = op_decl_dat(nodes, 1, "double", x, "x");
  op_dat dy = op_decl_dat(nodes, 2, "double", y, "y");
  op_dat dw = op_decl_dat(edges, 1, "double", w, "w");
  y = reinterpret_cast<double *>(dy->data);
  w = reinterpret_cast<double *>(dw->data);
  w[3] = 11; // after the declaration, before the first loop
  double most = -1e9;
  for (int step = 0; step < 3; ++step) {
    op_par_loop(add, "add", edges, op_arg_dat(dx, 0, map, 1, "double", OP_READ),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, 1, map, 2, "double", OP_INC));
    op_printf("%a %a\n", y[17], ((double *)dy->data)[2 * kNodes - 1]);
    y[31] = y[32] + step;
    w[step * 5] *= 2;
    op_par_loop(relax, "relax", nodes,
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(dy, -1, OP_ID, 2, "double", OP_READ));
    auto *now = reinterpret_cast<double *>(dx->data);
    op_printf("%a\n", now[kNodes - 1] - now[0]);
    double sum = 0;
    op_par_loop(total, "total", nodes,
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "double", OP_MAX));
    op_printf("%a %a\n", sum, most);
  }
  // Another array for the dat, from now on.
  auto *first = reinterpret_cast<double *>(dx->data);
  std::vector<double> other(first, first + nodes->size);
  other[5] = 1000;
  if (isOwn)
    dx->data = reinterpret_cast<char *>(other.data());
  op_par_loop(relax, "again", nodes,
              op_arg_dat(dx, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(dy, -1, OP_ID, 2, "double", OP_READ));
  op_printf("%a %a %a\n", other[5], other[6], first[5]);
  dx->data = reinterpret_cast<char *>(first);

  // Declared late; buffers by the sizes that the program knows.
  std::vector<double> more(std::size_t(nodes->size) * 2, 0.5);
  op_dat late = op_decl_dat(nodes, 2, "double", more.data(), "late");
  op_par_loop(add, "late", edges, op_arg_dat(dx, 0, map, 1, "double", OP_READ),
              op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(late, 0, map, 2, "double", OP_INC));
  (isOwn ? more.data() : reinterpret_cast<double *>(late->data))[8] += 1;
  std::vector<double> buffer(std::size_t(op_get_size_local(nodes)) * 2);
  op_fetch_data(late, buffer.data());
  for (int n = 0; n < nodes->size; ++n)
    op_printf("%d: %a %a %a\n", n, buffer[2 * n], 
              reinterpret_cast<double *>(late->data)[2 * n + 1], first[n]);
  op_printf("%d nodes, %d edges, %d\n", nodes->size, edges->size,
            op_size_of_set("edges"));
  op_exit();
  op_printf("%a %a\n", x[1], y0[2]);
}
