// Flags for the host have no say in device code: it is optimised always, and
// has neither debug information nor instrumentation, whatever the host has.
// RUN: %op2cxx -w -O2 --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %op2cxx -w -O0 --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O0 -g --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O2 -g3 -march=native -fstack-protector-all -finstrument-functions --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O1 -g -fsanitize=address,undefined --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O1 -fsanitize=undefined -fno-sanitize-recover=all --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other
// RUN: FileCheck %s < %t.other
// RUN: %op2cxx -w -O0 -fsanitize=undefined -fno-sanitize-recover=all --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other
// RUN: FileCheck %s < %t.other
// RUN: %op2cxx -w -O2 -fsanitize=thread --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O2 -fprofile-instr-generate -fcoverage-mapping --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
// RUN: %op2cxx -w -O0 --coverage --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.other && diff %t.ptx %t.other
//
// The host's part has what it asks for.
// RUN: %op2cxx -w -O0 -g -fsanitize=address,undefined --op2-target=openmp,cuda --op2-gpu-format=ptx -Werror=op2-sequential -S -emit-llvm %s -o %t.ll
// RUN: opt -passes=verify -disable-output %t.ll
//
// What the emulator runs LLVM does not optimise again, nor make smaller.
// RUN: %op2cxx -w -Os --op2-target=emulator -S -emit-llvm %s -o %t.ll && opt -passes=verify -disable-output %t.ll
// RUN: FileCheck %s --check-prefix=EMULATOR < %t.ll
// EMULATOR: define internal {{.*}}@__op2_run_{{.*}}__emulator({{.*}} #[[PLAIN:[0-9]+]]
// EMULATOR: attributes #[[PLAIN]] = { {{.*}}optnone
#include "op_seq.h"

// CHECK-NOT: .local
// CHECK-NOT: .func
// CHECK-NOT: .loc
// CHECK-NOT: .debug
// CHECK: .visible .entry op2_rows(
static __attribute__((noinline)) double add(double a, double b) { return a + b; }
static void rows(double const *x, double *y, int const *n) {
  double sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i)
    sum[i] = add(x[i], sum[i] + 100 / *n);
  for (int i = 0; i < 4; ++i)
    y[i] += sum[i];
}

void run(op_set set, op_map map, op_dat x, op_dat y, op_dat n) {
  op_par_loop(rows, "rows", set, op_arg_dat(x, 0, map, 4, "double", OP_READ),
              op_arg_dat(y, 1, map, 4, "double", OP_INC),
              op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ));
}
