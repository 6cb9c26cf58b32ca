// Reductions by functions of the program: what becomes of them, and what is
// wrong with an argument, at its place.
// RUN: not %op2cxx -fsyntax-only -DWRONG %s 2>&1 | FileCheck %s
// RUN: %op2cxx -O1 --op2-emit=op2 -c %s -o - | FileCheck %s --check-prefix=IR
// RUN: %op2cxx -O2 --op2-target=openmp,cuda --op2-gpu-format=ptx --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REPORT
#include "op_seq.h"

// IR: op2.par_loop @{{.*}}enclose{{.*}} args(
// IR-NEXT: read %{{.*}} : !op2.dat<2xf64>,
// IR-NEXT: reduce %[[F:.*]] from %[[I:.*]] global %[[G:.*]] : memref<4xf64>) {loop_name = "enclose"}
inline void enclose(const double *x, double *box) {
  box[0] = x[0] < box[0] ? x[0] : box[0];
}
inline void observe(const double *x, double *box) { box[0] += x[0]; }
inline void constant(const double *x, const double *box) {}
inline void join(double *into, const double *from) { into[0] += from[0]; }

double box[4];
static const double empty[4] = {};

void run(op_set set, op_dat x, void (*merge)(double *, const double *)) {
  // REPORT: reduce.cpp:[[#@LINE+2]]:{{.*}}loop 'enclose' compiled for openmp, cuda
  // Any function of that type will do, also one that is not known before.
  op_par_loop(enclose, "enclose", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 4, "double", merge, empty));
#ifdef WRONG
  // CHECK: [[#@LINE+2]]:{{.*}}error: op_arg_reduce needs a function 'void (T *into, const T *from)' that combines two results, not a null pointer
  op_par_loop(enclose, "null", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 4, "double", nullptr, empty));
  // CHECK: [[#@LINE+2]]:{{.*}}error: op_arg_reduce needs the identity of its function, not a null pointer
  op_par_loop(enclose, "no identity", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 4, "double", join, nullptr));
  // CHECK: [[#@LINE+2]]:{{.*}}error: type string 'float' does not match kernel parameter 'box' of type 'double *'
  op_par_loop(enclose, "type", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 4, "float", join, empty));
  // CHECK: [[#@LINE+2]]:{{.*}}error: the dim must be at least 1
  op_par_loop(enclose, "dim", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 0, "double", join, empty));
  // CHECK: [[#@LINE+2]]:{{.*}}error: OP_REDUCE is the access of op_arg_reduce, which takes a function and its identity
  op_par_loop(enclose, "gbl", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_gbl(box, 4, "double", OP_REDUCE));
  // CHECK: [[#@LINE+1]]:{{.*}}error: OP_REDUCE is not an access mode of a dat
  op_par_loop(enclose, "dat", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_REDUCE),
              op_arg_reduce(box, 4, "double", join, empty));
  // CHECK: [[#@LINE+2]]:{{.*}}warning: kernel parameter 'box' of type 'const double *' cannot be written, but op_arg_reduce gives it a result to change
  op_par_loop(constant, "const", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_reduce(box, 4, "double", join, empty));
#endif
}
