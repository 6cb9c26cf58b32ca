// printf and assert in kernels are the CUDA driver's on a GPU, and the host's
// on the emulator.
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=emulator,cuda --op2-gpu-format=ptx %s -o %t
// RUN: env OP2_TARGET=emulator %t | FileCheck %s --check-prefix=OUT
#include "op_seq.h"
#include <cassert>
#include <cstdio>

// CHECK-DAG: .extern .func (.param .b32 func_retval0) vprintf
// CHECK-DAG: .extern .func __assertfail
static void prints(double *x) {
  assert(*x < 1e9 && "small enough");
  if (*x > 0)
    std::printf("x = %g, %d: %s\n", *x, static_cast<int>(*x), "positive");
  else
    puts("not positive");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[2] = {-1, 3.5};
  op_set set = op_decl_set(2, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  // OUT-DAG: x = 3.5, 3: positive
  // OUT-DAG: not positive
  op_par_loop(prints, "prints", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_exit();
}
