// Loops in C++20's modules, compiled in one step and in two.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --precompile %S/Inputs/loops.cppm -o %t.dir/loops.pcm
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --op2-report -c %t.dir/loops.pcm -o %t.dir/loops.o 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: loops.cppm:7:{{.*}} loop 'fill' compiled for openmp
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential -fprebuilt-module-path=%t.dir %s %t.dir/loops.o -o %t && %t | FileCheck %s
//
// In one step, as CMake has it, loops of the module's own object are not compiled; who
// imports it has none of its stubs, nor messages, and compiles its inline functions.
// RUN: rm -rf %t.one && mkdir %t.one
// RUN: %op2cxx -std=c++20 -O1 -fmodule-output=%t.one/loops.pcm -c %S/Inputs/loops.cppm -o %t.one/loops.o 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: loops.cppm:7:{{.*}}warning: loop 'fill' is not compiled and runs sequentially: it stands in a module that is compiled and written in one step (-fmodule-output); compile it in two (--precompile, then -c)
// RUN: %op2cxx -std=c++20 -O1 -Werror=op2-sequential --op2-report -fprebuilt-module-path=%t.one %s %t.one/loops.o -o %t 2>&1 | FileCheck %s --check-prefix=IMPORTS
// IMPORTS: loop 'double' compiled for openmp
// RUN: env OP2_STRICT=0 %t | FileCheck %s
//
// Modules that import modules.
// RUN: rm -rf %t.two && mkdir %t.two && split-file %S/Inputs/modules.txt %t.two
// RUN: cd %t.two && %op2cxx -std=c++20 --precompile first.cppm -o first.pcm
// RUN: cd %t.two && %op2cxx -std=c++20 -fprebuilt-module-path=. --precompile second.cppm -o second.pcm
// RUN: cd %t.two && %op2cxx -std=c++20 -Werror=op2-sequential -fprebuilt-module-path=. -c second.pcm -o second.o --op2-report 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: loop 'many' compiled for openmp
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
