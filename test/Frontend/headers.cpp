// Loops in headers are compiled, whichever way these come: as headers of the system,
// in a module of headers, precompiled, and precompiled as CMake does, for which all
// that a header includes belongs to the system.
//
// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/loops.h %t/loops.h
// RUN: %op2cxx -Werror=op2-sequential -O1 -isystem %t %s -o %t/app && %t/app | FileCheck %s
//
// RUN: echo 'module loops { header "loops.h" export * }' > %t/module.modulemap
// RUN: %op2cxx -Werror=op2-sequential -O1 -fmodules -fmodules-cache-path=%t/cache -I%t %s -o %t/app && %t/app | FileCheck %s
//
// RUN: %op2cxx -Werror=op2-sequential -O1 -x c++-header %t/loops.h -o %t/loops.pch
// RUN: %op2cxx -Werror=op2-sequential -O1 -include-pch %t/loops.pch -I%t %s -o %t/app && %t/app | FileCheck %s
//
// RUN: printf '#pragma clang system_header\n#include "%t/loops.h"\n' > %t/cmake.h
// RUN: %op2cxx -Werror=op2-sequential -O1 -x c++-header %t/cmake.h -o %t/cmake.pch
// RUN: %op2cxx -Werror=op2-sequential -O1 -include-pch %t/cmake.pch -I%t %s -o %t/app && %t/app | FileCheck %s
//
// A template that is instantiated where the header comes in.
// RUN: %op2cxx -Werror=op2-sequential -O1 -DTEMPLATE -x c++-header %t/loops.h -o %t/loops.pch
// RUN: %op2cxx -Werror=op2-sequential -O1 -DTEMPLATE -include-pch %t/loops.pch -I%t %s -o %t/app && %t/app | FileCheck %s
//
// The library's records are not packed.
// RUN: not %op2cxx -fpack-struct -I%t -c %s -o %t/app.o 2>&1 | FileCheck %s --check-prefix=PACKED
// PACKED: OP2's headers are included where structs are packed (#pragma pack, -fpack-struct); expected that it ends before

#include <loops.h>

#include <cstdio>

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  double values[2] = {0, 0};
  op_set set = op_decl_set(2, "set");
  chosen = op_decl_dat(set, 2, "double", (double *)nullptr, "wide");
  choose(op_decl_dat(set, 1, "double", values, "narrow"));
  runSetOne(set, chosen);
  op_par_loop(setOne, "again", set, op_arg_dat(chosen, -1, OP_ID, 1, "double", OP_WRITE));
  // CHECK-DAG: op2: loop set one: compiled for openmp
  // CHECK-DAG: op2: loop again: compiled for openmp
  op_exit();
}
