// Loops written by hand, as by who calls BLAS for all elements of a set: where
// ranks declare the whole mesh they run over it, as in one process; where they
// declare blocks, over their parts. (Only programs that know of ranks can
// change what they reach through a map there.)
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-mpi \
// RUN:   --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq -- \
// RUN:   %t OP_NO_REALLOC | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RANKS=mirrored -- %t \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RANKS=blocks -- %t \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_RENUMBER=rcm -- %t \
// RUN:   | FileCheck %s
// CHECK: ways, the same output
#include "op_rt_support.h"
#include "op_seq.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

static void spread(const double *left, const double *right, double *sum) {
  *sum += 0.25 * *left - 0.125 * *right;
}
static void take(const double *from, double *to) { *to = *from; }

/// y = 2 x + y for all elements that the program sees.
static void addTwice(op_dat x, op_dat y) {
  op_arg args[] = {op_arg_dat(x, -1, OP_ID, x->dim, "double", OP_READ),
                   op_arg_dat(y, -1, OP_ID, y->dim, "double", OP_RW)};
  op_mpi_halo_exchanges(x->set, 2, args);
  op_mpi_wait_all(2, args);
  auto *from = (const double *)x->data;
  auto *to = (double *)y->data;
  for (int n = 0; n < x->set->size * x->dim; ++n)
    to[n] += 2 * from[n];
  op_mpi_set_dirtybit(2, args);
}

/// sums += the other end of each edge, and the largest of those ends.
static double addEnds(op_set edges, op_map map, op_dat x, op_dat sums) {
  op_arg args[] = {op_arg_dat(x, 0, map, 1, "double", OP_READ),
                   op_arg_dat(sums, 1, map, 1, "double", OP_INC)};
  int size = op_mpi_halo_exchanges(edges, 2, args);
  if (size != edges->size + edges->exec_size)
    std::abort();
  double largest = 0;
  for (int n = 0; n < size; ++n) {
    if (n == edges->core_size)
      op_mpi_wait_all(2, args);
    double value = ((double *)args[0].data)[map->map[2 * n]];
    ((double *)args[1].data)[args[1].map_data[2 * n + 1]] += value;
    largest = std::max(largest, value);
  }
  op_mpi_set_dirtybit(2, args);
  op_arg all = op_arg_gbl(&largest, 1, "double", OP_MAX);
  op_mpi_reduce_double(&all, &largest);
  return largest;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int kSize = 90;
  int rank = 0, ranks = 1;
  char const *declares = std::getenv("OP2_RANKS");
  if (declares && std::string(declares) == "blocks") {
    op_rank(&rank);
    if (char const *count = std::getenv("OMPI_COMM_WORLD_SIZE"))
      ranks = std::atoi(count);
  }
  int begin = kSize * rank / ranks, end = kSize * (rank + 1) / ranks;
  std::vector<int> ends;
  std::vector<double> values, zeros(end - begin);
  for (int n = begin; n < end; ++n) {
    ends.insert(ends.end(), {n * 7 % kSize, (n * n + 3) % kSize});
    values.push_back(n % 8 + 0.5);
  }
  op_set nodes = op_decl_set(end - begin, "nodes");
  op_set edges = op_decl_set(end - begin, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat x = op_decl_dat(nodes, 1, "double", values.data(), "x");
  op_dat y = op_decl_dat(nodes, 1, "double", zeros.data(), "y");
  std::vector<double> sumValues = zeros;
  op_dat sums = op_decl_dat(nodes, 1, "double", sumValues.data(), "sums");
  op_dat last = op_decl_dat(nodes, 1, "double", (double *)nullptr, "last");
  op_partition("PTSCOTCH", "KWAY", edges, map, x);
  for (int time = 0; time < 4; ++time) {
    op_par_loop(spread, "spread", edges,
                op_arg_dat(x, 0, map, 1, "double", OP_READ),
                op_arg_dat(x, 1, map, 1, "double", OP_READ),
                op_arg_dat(y, 0, map, 1, "double", OP_INC));
    addTwice(y, x);
    op_printf("largest %a\n", addEnds(edges, map, x, sums));
    addTwice(sums, y);
    op_dat now = op_decl_dat_temp(nodes, 1, "double", zeros.data(), "now");
    addTwice(x, now);
    op_par_loop(take, "take", nodes,
                op_arg_dat(now, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(last, -1, OP_ID, 1, "double", OP_WRITE));
    op_free_dat_temp(now);
    double scale = 0.0625;
    for (op_dat dat : {x, y, sums}) { // small numbers: no sum is rounded
      op_arg arg = op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW);
      int size = op_mpi_halo_exchanges_grouped(nodes, 1, &arg, 1);
      for (int n = 0; n < size; ++n)
        ((double *)dat->data)[n] *= scale;
      op_mpi_set_dirtybit(1, &arg);
    }
    if (argc == 1) // not with OP_NO_REALLOC
      std::swap(y->data, last->data);
    std::fflush(stdout);
    for (op_dat dat : {x, y, sums, last})
      op_print_dat_to_txtfile(dat, "/dev/stdout");
  }
  op_exit();
}
