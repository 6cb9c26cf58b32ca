// Loops in C++20's modules, compiled in one step and in two.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --precompile %S/Inputs/loops.cppm -o %t.dir/loops.pcm
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --op2-report -c %t.dir/loops.pcm -o %t.dir/loops.o 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: loops.cppm:7:{{.*}} loop 'fill' compiled for openmp
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --op2-report -fmodule-output=%t.dir/one.pcm -c %S/Inputs/loops.cppm -o %t.dir/one.o 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential -fprebuilt-module-path=%t.dir %s %t.dir/loops.o -o %t && %t | FileCheck %s
#include "op_seq.h"
#include <cstdio>
import loops;

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double data[] = {0, 0};
  op_set set = op_decl_set(2, "set");
  op_dat d = op_decl_dat(set, 1, "double", data, "d");
  runFill(set, d);
  runAdd<double>(set, d);
  runInline(set, d);
  op_fetch_data(d, data);
  // CHECK: 16 16
  std::printf("%g %g\n", data[0], data[1]);
  op_exit();
}
