// What depends on the target and its options: whether char has a sign, and what
// says how far code may be moved, which the generated code has as the rest.
//
// RUN: not %op2cxx -funsigned-char -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CHAR
// RUN: %op2cxx -fPIE -fcf-protection -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FLAGS
//
// FLAGS-DAG: !{i32 8, !"cf-protection-branch", i32 1}
// FLAGS-DAG: !{i32 8, !"PIC Level", i32 2}

#include "op_seq.h"

static void flip(char *c) { *c = char(-*c); }

void run(op_set set, op_dat c) {
  // CHAR: [[#@LINE+3]]:{{.*}}error: type string 'char' does not match kernel parameter 'c' of type 'char *'
  // CHAR: [[#@LINE-4]]:{{.*}}note: kernel parameter declared here
  // CHAR: [[#@LINE+1]]:{{.*}}note: char is unsigned here, and "char" is a type with a sign; -fsigned-char makes it one
  op_par_loop(flip, "flip", set, op_arg_dat(c, -1, OP_ID, 1, "char", OP_RW));
}
