// Kernels need not be plain functions.
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-emit=op2 %s | FileCheck %s
//
// The modules of several targets, for op2-opt.
// RUN: %op2cxx %unoptimized -O1 --op2-target=openmp,seq --op2-emit=op2 %s -o %t.mlir && op2-opt --split-input-file %t.mlir -o %t.out && FileCheck %s < %t.out
#include "op_seq.h"

template <class T> static void fill(T *x) { *x = T(1); }


struct Solver {
  static void step(double *x) { *x += 1; }
  void run() {
    // CHECK-DAG: op2.par_loop @_ZN6Solver4stepEPd.op2
    op_par_loop(step, "step", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  }
  op_set set;
  op_dat x;
};


// CHECK-DAG: op2.par_loop @_ZL4fillIdEvPT_.op2
// CHECK-DAG: op2.par_loop @_ZL4fillIfEvPT_.op2
template <class T> void runFill(op_set set, op_dat x, char const *name) {
  constexpr bool isFloat = sizeof(T) == 4;
  constexpr char const *type = isFloat ? "float" : "double";
  op_par_loop(fill<T>, name, set, op_arg_dat(x, -1, OP_ID, 1, type, OP_WRITE));
}

void run(op_set set, op_dat x, Solver *solver) {
  runFill<double>(set, x, "fill");
  runFill<float>(set, x, "fill");
  solver->run();
  // CHECK-DAG: op2.par_loop @{{.*}}__invoke{{.*}}.op2
  op_par_loop(+[](double *v) { *v = 2; }, "lambda", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: loop_name = "address"
  op_par_loop((&fill<double>), "address", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
}
