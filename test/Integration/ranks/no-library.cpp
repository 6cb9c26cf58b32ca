// op_partition with a name that is no library's leaves the blocks of the ranks as
// they are, as in OP2; with a library's it cuts.
//
// REQUIRES: mpi
// RUN: %op2cxx %unoptimized -O1 --op2-mpi --op2-target=seq %s -o %t
// RUN: env OP2_RANKS=blocks %mpirun -n 3 %t "" | FileCheck %s --check-prefix=SAME
// RUN: env OP2_RANKS=blocks %mpirun -n 3 %t "ZOLTAN" | FileCheck %s --check-prefix=SAME
// RUN: env OP2_RANKS=blocks %mpirun -n 3 %t "PTSCOTCH" | FileCheck %s --check-prefix=CUT
//
// SAME: 0 of 3 parts are no blocks
// CUT: {{[1-3]}} of 3 parts are no blocks

#include "op_lib_mpi.h"
#include "op_seq.h"

#include <vector>

static void count(const int *changed, int *parts) { *parts += *changed; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(OP_MPI_WORLD, &rank);
  MPI_Comm_size(OP_MPI_WORLD, &ranks);
  int numNodes = 200 * (rank + 1), first = 100 * rank * (rank + 1),
      all = 100 * ranks * (ranks + 1);
  op_set nodes = op_decl_set(numNodes, "nodes");
  op_set each = op_decl_set(1, "each");
  std::vector<int> next;
  for (int n = first; n < first + numNodes; ++n)
    next.insert(next.end(), {n, (n * 7 + 1) % all});
  op_map map = op_decl_map(nodes, nodes, 2, next.data(), "map");
  std::vector<int> zeros(numNodes), changed(1);
  op_dat value = op_decl_dat(nodes, 1, "int", zeros.data(), "value");
  op_partition(argv[1], "KWAY", nodes, map, NULL);
  changed[0] = nodes->size != numNodes;
  op_dat change = op_decl_dat(each, 1, "int", changed.data(), "change");
  int parts = 0;
  op_par_loop(count, "count", each,
              op_arg_dat(change, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&parts, 1, "int", OP_INC));
  op_printf("%d of %d parts are no blocks\n", parts, value ? ranks : 0);
  op_exit();
}
