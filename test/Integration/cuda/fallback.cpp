// Loops on the GPU and loops that stay on the host, in turn: values move when
// the other side needs them, and only then. The device's kernels do nothing
// here (a driver without a device); what moves shows in the driver's log and in
// the values.
// RUN: %lenient_op2cxx -O2 -w --op2-target=openmp,cuda --op2-gpu-format=ptx %s -o %t
// RUN: rm -f %t.log && env OP2_STRICT=0 OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_LOG=%t.log OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: %lenient_op2cxx -O2 -w --op2-target=cuda --op2-gpu-format=ptx %s -o %t
// RUN: rm -f %t.log && env OP2_STRICT=0 OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_LOG=%t.log %t | FileCheck %s --check-prefix=SEQ
// RUN: FileCheck %s --check-prefix=LOG < %t.log
#include "op_seq.h"
#include <cstdio>

static volatile int counter;
static void device(double *x) { *x += 100; }
static void read(double const *x, double *y) { *y = *x; }
static void host(double *x) {
  counter = 1;
  *x *= 2;
}
static void look(double const *x, double *sum) {
  counter = 1;
  *sum += *x;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  double values[5] = {1, 2, 3, 4, 5}, sum = 0;
  op_set set = op_decl_set(5, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  op_dat y = op_decl_dat(set, 1, "double", values, "y");
#define X(access) op_arg_dat(x, -1, OP_ID, 1, "double", access)
  // LOG: upload 40
  // LOG: launch op2_device
  op_par_loop(device, "device", set, X(OP_RW));
  // LOG-NEXT: launch op2_device
  op_par_loop(device, "device again", set, X(OP_RW));
  // The host only looks: the device's copy stays good.
  // LOG-NEXT: download 40
  // LOG-NEXT: wait
  op_par_loop(look, "look", set, X(OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
  // LOG-NEXT: upload 40
  // LOG: launch op2_read blocks 1
  op_par_loop(read, "read", set, X(OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(host, "host", set, X(OP_RW));
  // LOG-NEXT: upload 40
  // LOG: launch op2_device
  op_par_loop(device, "device after the host", set, X(OP_RW));
  // LOG-NEXT: download 40
  op_fetch_data(x, values);
  // LOG-NOT: load
  // CHECK: sum 15, x 2 4 6 8 10
  // SEQ: sum 15, x 2 4 6 8 10
  std::printf("sum %g, x %g %g %g %g %g\n", sum, values[0], values[1], values[2], values[3], values[4]);
  // CHECK: loop host: compiled for openmp (direct), at
  // CHECK: loop device: compiled for openmp (direct), cuda (direct), at
  // CHECK: loop device: ran 1 times on cuda (direct)
  // CHECK: loop host: ran 1 times on openmp (direct)
  // SEQ: loop host: ran 1 times on seq (op_seq.h, not compiled)
  op_exit();
}
