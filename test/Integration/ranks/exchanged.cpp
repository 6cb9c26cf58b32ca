// Programs may exchange the storage of two dats: their values follow, also those
// that ranks import, and temporary ones.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -Werror=op2-sequential --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t OP_NO_REALLOC \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RANKS=mirrored -- %t OP_NO_REALLOC \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t \
// RUN:   | FileCheck %s
// CHECK: ways, the same output
#include "op_rt_support.h"
#include "op_seq.h"

#include <utility>
#include <vector>

static void step(const double *left, const double *right, double *sum) {
  *sum += *left * 0.3 - *right * 0.1;
}
static void change(double *value, const int *n) { *value += 0.01 * *n; }
static void copy(const double *from, double *to) { *to = *from; }

/// An overlay is on what the dat has now, and stays there.
static void lay(op_set nodes, op_dat a, op_dat b) {
  std::swap(a->data, b->data);
  op_dat over = op_decl_dat_overlay(nodes, a);
  op_par_loop(change, "change over", nodes,
              op_arg_dat(over, -1, OP_ID, 1, "double", OP_RW),
              op_arg_idx(-1, OP_ID));
  std::swap(a->data, b->data);
  for (op_dat dat : {over, a})
    op_par_loop(change, "change both", nodes,
                op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW),
                op_arg_idx(-1, OP_ID));
  std::vector<double> values(70);
  for (op_dat dat : {a, b, over}) {
    op_fetch_data(dat, values.data());
    for (double value : values)
      op_printf("%s %a\n", dat->name, value);
  }
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int kSize = 70;
  std::vector<int> ends;
  std::vector<double> a0, b0, c0(kSize);
  for (int n = 0; n < kSize; ++n) {
    ends.insert(ends.end(), {n * 3 % kSize, (n * n + 1) % kSize});
    a0.push_back(n + 0.5);
    b0.push_back(1.0 / (n + 1));
  }
  op_set nodes = op_decl_set(kSize, "nodes");
  op_set edges = op_decl_set(kSize, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat a = op_decl_dat(nodes, 1, "double", a0.data(), "a");
  op_dat b = op_decl_dat(nodes, 1, "double", b0.data(), "b");
  op_dat sum = op_decl_dat(nodes, 1, "double", c0.data(), "sum");
  op_dat spare = op_decl_dat(nodes, 1, "double", (double *)nullptr, "spare");
  // Before ranks have their parts; with the library's, too.
  std::swap(a->data, b->data);
  std::swap(sum->data, spare->data);
  for (int time = 0; time < 5; ++time) {
    op_dat now = op_decl_dat_temp(nodes, 1, "double", c0.data(), "now");
    op_par_loop(step, "step", edges,
                op_arg_dat(a, 0, map, 1, "double", OP_READ),
                op_arg_dat(b, 1, map, 1, "double", OP_READ),
                op_arg_dat(sum, 0, map, 1, "double", OP_INC));
    op_par_loop(change, "change", nodes,
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_RW),
                op_arg_idx(-1, OP_ID));
    op_par_loop(copy, "copy", nodes,
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(now, -1, OP_ID, 1, "double", OP_WRITE));
    if (time % 2 == 0)
      std::swap(a->data, b->data);
    std::vector<double> values(kSize);
    op_fetch_data(time % 3 ? a : now, values.data());
    for (double value : values)
      op_printf("%a\n", value);
    if (time == 3 && argc == 1) { // three at once, one of them temporary
      std::swap(a->data, sum->data);
      std::swap(now->data, a->data);
    }
    op_free_dat_temp(now);
  }
  std::vector<double> values(kSize);
  std::swap(spare->data, b->data);
  for (op_dat dat : {a, b, sum, spare}) {
    op_fetch_data(dat, values.data());
    for (double value : values)
      op_printf("%s %a\n", dat->name, value);
  }
  if (argc > 1)
    return lay(nodes, a, b), op_exit(), 0;
  // By hand, on rows of the rank; the dats know each other's storage.
  op_arg args[] = {op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                   op_arg_dat(b, -1, OP_ID, 1, "double", OP_RW)};
  int size = op_mpi_halo_exchanges(nodes, 2, args);
  for (int n = 0; n < size; ++n)
    reinterpret_cast<double *>(b->data)[n] -= reinterpret_cast<double *>(a->data)[n];
  op_mpi_set_dirtybit(2, args);
  std::swap(a->data, b->data);
  op_par_loop(step, "last", edges, op_arg_dat(a, 0, map, 1, "double", OP_READ),
              op_arg_dat(b, 1, map, 1, "double", OP_READ),
              op_arg_dat(sum, 0, map, 1, "double", OP_INC));
  op_fetch_data(sum, values.data());
  for (double value : values)
    op_printf("%a\n", value);
  lay(nodes, a, b);
  op_exit();
}
