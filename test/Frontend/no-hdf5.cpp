// A build without HDF5 says so where a program needs it, not when it links.
// RUN: not %clangxx -std=c++17 -fsyntax-only -I%S/Inputs/no-hdf5 %op2api %s 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++17 -fsyntax-only -DWITHOUT -I%S/Inputs/no-hdf5 %op2api %s
#include "op_seq.h"

op_set set(char const *file) {
#ifdef WITHOUT
  return op_decl_set(1, file);
#else
  // CHECK: [[#@LINE+1]]:{{.*}} error: 'op_decl_set_hdf5' is unavailable: this OP2 was built without HDF5; configure it with -DOP2_ENABLE_HDF5=ON
  return op_decl_set_hdf5(file, "set");
#endif
}
