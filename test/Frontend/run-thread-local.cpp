// A kernel that reads a thread_local variable means the one of the thread that
// calls the loop: it is not run by others.
// RUN: %op2cxx -O2 --op2-target=openmp,emulator,seq %s -o %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env OP2_STRICT=0 OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=seq %t | FileCheck %s
// RUN: not %op2cxx -O2 -Werror=op2-sequential -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// WARN-DAG: warning: loop 'scale' is not compiled for openmp and runs sequentially there: kernel 'scale' uses the thread-local variable 'factor'
// WARN-DAG: warning: loop 'scale' is not compiled for emulator and runs sequentially there: kernel 'scale' uses the thread-local variable 'factor'
// WARN-DAG: warning: loop 'by_pointer' is not compiled for openmp and runs sequentially there: kernel 'by_pointer' calls a function through a pointer, and may so use the thread-local variable 'factor'
// WARN-DAG: warning: loop 'by_virtual' is not compiled for openmp and runs sequentially there: kernel 'by_virtual' calls a function through a pointer, and may so use the thread-local variable 'factor'
// WARN-DAG: warning: loop 'by_function' is not compiled for openmp and runs sequentially there: kernel 'by_function' calls a function through a pointer, and may so use the thread-local variable 'factor'
// WARN-DAG: warning: loop 'by_other_file' is not compiled for openmp and runs sequentially there: kernel 'by_other_file' calls a function through a pointer, and may so use the thread-local variable 'factor'
// WARN-NOT: loop 'other' is not compiled for openmp
// STRICT: error: loop 'scale' is not compiled and runs sequentially: kernel 'scale' uses the thread-local variable 'factor'
#include "op_seq.h"
#include <cstdio>
#include <functional>
#include <vector>

static thread_local double factor = 1;
inline void scale(double *q) { *q *= factor; }

// Through pointers, to functions of the file.
struct Law {
  virtual double apply(double q) const { return q * factor; }
  virtual int count(int) const { return 1; }
};
static double law(double q) { return q * factor; }
static double (*pointer)(double);
static std::function<double(double)> function;
static int one(int) { return 1; }
static int (*counter)(int);
static Law *theLaw;
inline void by_pointer(double *q) { *q = pointer(*q); }
inline void by_virtual(double *q) { *q = theLaw->apply(*q); }
inline void by_function(double *q) { *q = function(*q); }
// Of which another file may take the address.
float away(float q) { return q * float(factor); }
float (*fromAway)(float);
inline void by_other_file(double *q) {
  if (fromAway)
    *q = fromAway(float(*q));
}
inline void other(double *q) { *q *= counter(1); }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::vector<double> ones(4000, 1);
  op_set set = op_decl_set(4000, "set");
  op_dat d = op_decl_dat(set, 1, "double", ones.data(), "d");
  factor = 3;
  op_par_loop(scale, "scale", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  pointer = law;
  function = law;
  counter = one;
  theLaw = new Law;
  op_par_loop(by_pointer, "by_pointer", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(by_virtual, "by_virtual", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(by_function, "by_function", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(by_other_file, "by_other_file", set,
              op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(other, "other", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(d, ones.data());
  double sum = 0;
  for (double x : ones)
    sum += x;
  // CHECK: 324000
  std::printf("%g\n", sum);
  op_exit();
}
