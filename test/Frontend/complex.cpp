// Products of complex numbers that care for infinities are calls of the
// compiler's library; what does without is said.
// RUN: %op2cxx -Wno-error=op2-sequential -O2 --op2-target=openmp,emulator --op2-report -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -fcomplex-arithmetic=basic --op2-target=openmp,emulator --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BASIC
// CHECK: warning: loop 'product' is not compiled for emulator and runs on openmp there: kernel 'product' calls '__muldc3' (-fcomplex-arithmetic=basic does without), whose body is not in this file
// CHECK: remark: loop 'product': kernel not raised: it calls '__muldc3' (-fcomplex-arithmetic=basic does without)
// BASIC-NOT: warning:
// BASIC: remark: loop 'product': kernel raised
#include "op_seq.h"
#include <complex>

static void product(const double *x, double *y) {
  std::complex<double> c = std::complex<double>(x[0], x[1]) * std::complex<double>(x[2], x[3]);
  y[0] += c.real();
  y[1] += c.imag();
}

void run(op_set set, op_dat x, op_dat y) {
  op_par_loop(product, "product", set, op_arg_dat(x, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 2, "double", OP_RW));
}
