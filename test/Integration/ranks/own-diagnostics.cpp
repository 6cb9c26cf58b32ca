// Ranks that are told different things agree, or end at once.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_RANKS_TIMEOUT=20 OP2_RANKS=whole %mpirun -n 2 %t | FileCheck %s
// RUN: env OP2_RANKS_TIMEOUT=20 OP2_RANKS=whole %mpirun -n 1 %t : -n 1 env OP2_CHECK_PLAN=1 %t | FileCheck %s
// RUN: not %mpirun -n 1 env OP2_TRACE=%t.json %t : -n 1 %t 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: not %mpirun -n 1 env OP2_RANKS=whole %t : -n 1 %t 2>&1 | FileCheck %s --check-prefix=RANKS
//
// CHECK: sum 20
// TRACE: op2 error{{.*}}: op_init: OP2_TRACE is not the same on rank 0 and rank 1; expected one environment for all [op2-ranks-disagree]
// RANKS: op2 error{{.*}}: op_init: OP2_RANKS is not the same on rank 0 and rank 1; expected one environment for all [op2-ranks-disagree]
#include "op_seq.h"

static void add(const int *to, double *a, double *sum) {
  *a += *to;
  *sum += *a;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  if (op_is_root())
    OP_diags = 2;
  double ones[20], sum = 0;
  int table[20], zeros[20] = {};
  for (int n = 0; n < 20; ++n) {
    ones[n] = 1;
    table[n] = (7 * n) % 20;
  }
  op_set set = op_decl_set(20, "set");
  op_map map = op_decl_map(set, set, 1, table, "map");
  op_dat a = op_decl_dat(set, 1, "double", ones, "a");
  op_dat to = op_decl_dat(set, 1, "int", zeros, "to");
  op_par_loop(add, "add", set, op_arg_dat(to, 0, map, 1, "int", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  // Plans are those of the partition's time.
  if (!op_is_root())
    OP_diags = 4;
  double again = 0;
  op_par_loop(add, "again", set, op_arg_dat(to, 0, map, 1, "int", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&again, 1, "double", OP_INC));
  op_printf("sum %g\n", sum + again - sum);
  op_exit();
}
