// Calls of op_par_loop that are not seen when a file is parsed run
// sequentially, too, and are reported as the others are.
// RUN: %op2cxx -c %s -isystem %S/Inputs/system -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -c %s -isystem %S/Inputs/system -Werror=op2-sequential -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
#include "op_seq.h"
#include <loops.h>
// CHECK: loops.h:4:{{.*}}warning: loop 'set one' is not compiled and runs sequentially: its call was not seen
// STRICT: loops.h:4:{{.*}}error: loop 'set one' is not compiled and runs sequentially: its call was not seen
void run(op_set set, op_dat d) { runSetOne(set, d); }
