// A sanitizer sees what a compiled kernel does, and where.
// RUN: %op2cxx -O2 -g -fsanitize=address,undefined -Werror=op2-sequential %s -o %t && not %t 2>&1 | FileCheck %s
// TypeSanitizer has no part in the emulator's stacks, which would take gigabytes.
// RUN: %if no-sanitizer %{ %op2cxx -O1 -fsanitize=type -DINSIDE -Werror=op2-sequential --op2-target=emulator %s -o %t && bash -c "ulimit -t 2; %t" %}
#include "op_seq.h"

static double *small;
static void outside(double *x) {
#ifdef INSIDE
  *x = 1;
#else
  // CHECK: AddressSanitizer: heap-buffer-overflow
  // CHECK: in outside
  *x = small[12];
#endif
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  small = new double[10];
  op_set set = op_decl_set(100, "set");
  op_dat x = op_decl_dat(set, 1, "double", (double *)nullptr, "x");
  op_par_loop(outside, "outside", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
  delete[] small;
  op_exit();
}
