// Each rank declares a block of each set, as programs for OP2's MPI do; blocks
// differ in size, and some are empty. What op_fetch_data gives is the block.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi %s -o %t
// RUN: %t > %t.alone
// MPI is begun by the program, and ended by the library.
// RUN: env OWN_MPI=1 %mpirun -n 2 %t > %t.2
// RUN: %mpirun -n 5 %t > %t.5
// RUN: env OP2_PARTITION=random:3 OP2_CHECK_PLAN=1 %mpirun -n 4 %t > %t.4
// RUN: env OP2_PARTITION=owner %mpirun -n 3 %t > %t.3
// The library uses the program's arrays.
// RUN: %mpirun -n 5 %t OP_NO_REALLOC > %t.5n
// RUN: env OP2_PARTITION=random:4 %mpirun -n 4 %t OP_NO_REALLOC > %t.4n
// RUN: diff %t.alone %t.5n && diff %t.alone %t.4n
// RUN: diff %t.alone %t.2 && diff %t.alone %t.3
// RUN: diff %t.alone %t.4 && diff %t.alone %t.5
// RUN: not %mpirun -n 2 %t OP_NO_REALLOC overlay 2>&1 | FileCheck %s --check-prefix=OVERLAY
// OVERLAY: op_decl_dat_overlay result: sets edges and nodes can share storage only where each rank declares the whole mesh; expected OP2_RANKS=whole, or an overlay on set nodes
// RUN: env OP2_RENUMBER=rcm not %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: OP2_RENUMBER={{rcm|hilbert.*}} needs the whole mesh, but each rank declares a block; expected OP2_RANKS=whole, or OP2_RENUMBER=none
// RUN: FileCheck %s < %t.alone
// CHECK: 30 nodes, 60 edges
// CHECK: sum of numbers 435, largest 29
// CHECK: node 0: 62
// CHECK: node 29: 178
#include "op_lib_mpi.h"
#include "op_seq.h"

#include <cstdlib>
#include <utility>
#include <vector>

static void spread(const int *edge, int *a, int *b) {
  *a += *edge % 60;
  *b += 1;
}
static void sum_up(const int *n, int *sum, int *most) {
  *sum += *n;
  if (*n > *most)
    *most = *n;
}

int main(int argc, char **argv) {
  if (std::getenv("OWN_MPI"))
    MPI_Init(nullptr, nullptr);
  op_init(argc, argv, 0);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(OP_MPI_WORLD, &rank);
  MPI_Comm_size(OP_MPI_WORLD, &ranks);
  constexpr int kNodes = 30, kEdges = 60;
  // The last rank has half of all; every third has nothing.
  auto begin = [&](int size, int of) {
    int shares = 0, before = 0;
    for (int r = 0; r < ranks; ++r) {
      int share = r == ranks - 1 ? ranks : r % 3 == 1 ? 0 : 1;
      shares += share;
      before += r < of ? share : 0;
    }
    return of == ranks ? size : size * before / shares;
  };
  int firstNode = begin(kNodes, rank), numNodes = begin(kNodes, rank + 1) - firstNode;
  int firstEdge = begin(kEdges, rank), numEdges = begin(kEdges, rank + 1) - firstEdge;
  std::vector<int> ends, numbers, zeros(numNodes), owners;
  for (int e = firstEdge; e < firstEdge + numEdges; ++e)
    ends.insert(ends.end(), {e % kNodes, (e * 7 + 3) % kNodes});
  for (int n = firstNode; n < firstNode + numNodes; ++n) {
    numbers.push_back(n);
    owners.push_back(n * 5 % ranks);
  }
  op_set nodes = op_decl_set(numNodes, "nodes");
  op_set edges = op_decl_set(numEdges, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_dat number = op_decl_dat(nodes, 1, "int", numbers.data(), "number");
  op_dat result = op_decl_dat(nodes, 1, "int", zeros.data(), "result");
  op_dat owner = op_decl_dat(nodes, 1, "int", owners.data(), "owner");
  op_dat spare = op_decl_dat(nodes, 1, "int", (int *)nullptr, "spare");
  op_printf("%lld nodes, %lld edges\n", op_get_size(nodes), op_get_size(edges));
  // What is exchanged may be the program's and the library's.
  std::swap(number->data, spare->data);
  op_dat under = op_decl_dat_overlay(nodes, number);
  std::swap(number->data, spare->data);
  op_partition("PTSCOTCH", "KWAY", edges, map, NULL);
  std::swap(number->data, spare->data);

  // One more for the same values.
  op_dat same = op_decl_dat_overlay(nodes, result);
  if (argc > 2)
    op_decl_dat_overlay(edges, result);
  int sum = 0, most = 0;
  op_par_loop(sum_up, "sum_up", nodes,
              op_arg_dat(spare, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&sum, 1, "int", OP_INC),
              op_arg_gbl(&most, 1, "int", OP_MAX));
  op_printf("sum of numbers %d, largest %d\n", sum, most);
  op_par_loop(spread, "spread", edges, op_arg_idx(-1, OP_ID),
              op_arg_dat(result, 0, map, 1, "int", OP_INC),
              op_arg_dat(result, 1, map, 1, "int", OP_INC));
  std::swap(number->data, spare->data);
  std::swap(result->data, spare->data); // `same` is on spare
  op_par_loop(spread, "spread once more", edges, op_arg_idx(-1, OP_ID),
              op_arg_dat(same, 0, map, 1, "int", OP_INC),
              op_arg_dat(owner, 1, map, 1, "int", OP_INC));
  std::swap(result->data, spare->data);
  op_free_dat_temp(under);
  // The block, and any part of the whole; a dat declared late.
  std::vector<int> own(numNodes), all(kNodes), some(3);
  op_fetch_data(result, own.data());
  op_dat late = op_decl_dat(nodes, 1, "int", own.data(), "late");
  op_fetch_data_idx(late, all.data(), 0, kNodes - 1);
  op_fetch_data_idx(result, some.data(), 4, 6);
  bool good = some[0] == all[4] && some[1] == all[5] && some[2] == all[6];
  for (int n = 0; n < numNodes; ++n)
    good &= own[n] == all[firstNode + n];
  for (int n = 0; n < kNodes; ++n)
    op_printf("node %d: %d\n", n, all[n]);
  std::vector<int> block(numNodes);
  op_fetch_data(number, block.data());
  for (int n = 0; n < numNodes; ++n)
    good &= block[n] == firstNode + n;
  // With OP_NO_REALLOC the program writes and looks there without a word.
  if (argc > 1) {
    for (int &value : zeros)
      value += 1;
    op_par_loop(spread, "spread again", edges, op_arg_idx(-1, OP_ID),
                op_arg_dat(result, 0, map, 1, "int", OP_INC),
                op_arg_dat(late, 1, map, 1, "int", OP_INC));
    op_fetch_data_idx(result, all.data(), 0, kNodes - 1);
    for (int n = 0; n < numNodes; ++n) {
      int added = 0;
      for (int e = 0; e < kEdges; ++e)
        added += e % kNodes == firstNode + n ? e % 60 : 0;
      good &= zeros[n] == all[firstNode + n] && zeros[n] == own[n] - 2 + 1 + added;
    }
  }
  good &= op_get_global_set_offset(nodes) == firstNode;
  if (!good) {
    std::printf("rank %d: values differ\n", rank);
    return 1;
  }
  op_exit();
  return 0;
}
