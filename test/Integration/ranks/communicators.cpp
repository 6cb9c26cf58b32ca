// Another communicator may have the handle of one that was freed.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_RANKS=whole %mpirun -n 4 %t | FileCheck %s
// RUN: not %mpirun -n 2 %t between 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: not %mpirun -n 2 %t null 2>&1 | FileCheck %s --check-prefix=NULL
//
// CHECK-COUNT-8: right
// CHECK-NOT: wrong
// Other members, which have done other things.
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t alone | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-5: right
// ALONE-NOT: wrong
// BETWEEN: op2 error{{.*}}: op_mpi_init: the communicator is one between two groups; expected one of the processes that run the program [op2-call]
// NULL: op2 error{{.*}}: op_mpi_init: the communicator is MPI_COMM_NULL [op2-call]
#include "op_lib_mpi.h"
#include "op_seq.h"

#include <string>

static void add(const double *a, double *sum) { *sum += *a; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::string how = argc > 1 ? argv[1] : "";
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  for (int round = 0; round < 2; ++round) {
    int group = round ? process / 2 : process % 2;
    // First two of three, then all.
    if (how == "alone" && round == 0 && process == 2)
      continue;
    MPI_Comm comm = MPI_COMM_NULL;
    if (how == "between")
      MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - process, 0,
                           &comm);
    else if (how == "alone") {
      MPI_Group world, members;
      const int numbers[] = {0, 1, 2};
      group = 0;
      MPI_Comm_group(MPI_COMM_WORLD, &world);
      MPI_Group_incl(world, round + 2, numbers, &members);
      MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &comm);
    } else if (how != "null")
      MPI_Comm_split(MPI_COMM_WORLD, group, process, &comm);
    op_mpi_init(argc, argv, 0, MPI_Comm_c2f(MPI_COMM_WORLD),
                MPI_Comm_c2f(comm));
    int rank = 0, ownRank = 0;
    op_rank(&rank);
    MPI_Comm_rank(comm, &ownRank);
    double values[8], sum = 0;
    for (double &value : values)
      value = group + 1;
    op_set set = op_decl_set(8, "set");
    op_dat dat = op_decl_dat(set, 1, "double", values, "dat");
    op_par_loop(add, "add", set,
                op_arg_dat(dat, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    std::printf("%s\n", sum == 8 * (group + 1) && rank == ownRank ? "right"
                                                                  : "wrong");
    op_exit();
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
}
