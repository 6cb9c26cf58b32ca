// Calls of the library that are wrong by themselves: a message that names the
// call, exit status 1.
//
// RUN: %clangxx -std=c++17 %op2api %s %op2lib -o %t
// RUN: not %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %t inside 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not %t const 2>&1 | FileCheck %s --check-prefix=CONST
// RUN: not %t old-map 2>&1 | FileCheck %s --check-prefix=OLD-MAP
// RUN: not %t old-dat 2>&1 | FileCheck %s --check-prefix=OLD-DAT
// RUN: not %t old-parts 2>&1 | FileCheck %s --check-prefix=OLD-PARTS
// RUN: not %t no-table 2>&1 | FileCheck %s --check-prefix=NO-TABLE
// RUN: not %t profile 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not %t type 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %t row 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: %t struct | FileCheck %s --check-prefix=STRUCT
//
// TWICE: op2 error: op_init: called twice without op_exit between
// INSIDE: op2 error: op_exit: called inside loop leaves
// CONST: op2 error: op_decl_const alpha: the data pointer is NULL
// OLD-MAP: op2 error: loop touch{{.*}}, argument 0: 0x{{.*}} is not a living map (declared before op_exit, freed, or never declared)
// OLD-DAT: op2 error: loop touch{{.*}}, argument 0: 0x{{.*}} is not a living dat (declared before op_exit, freed, or never declared)
// OLD-PARTS: op2 error: op_partition: 0x{{.*}} is not a living dat (declared before op_exit, freed, or never declared)
// NO-TABLE: op2 error: loop touch{{.*}}, argument 0: map later was declared without a table and has not been filled
// PROFILE: op2 error: op_profile_output_json: cannot write "none/profile.json": No such file or directory
// TYPE: op2 error: loop narrow, argument 0: the kernel takes values of type float, but its type is "double" [op2-kernel-parameter]
// ROW: op2 error: loop third, argument 0: the kernel takes rows of 3 values, but they have 1 [op2-dim]
// STRUCT: 2 1

#include "op_seq.h"
#include "op_profile.h"

#include <cstdio>
#include <cstring>

static void touch(double *x) { *x += 1; }
static void narrow(float *x) { *x += 1; }
struct Pair {
  double a, b;
};
static void shift(Pair *x) { x->a += 1; }
static void third(double (*x)[3]) { x[0][2] = 1; }
static void leaves(double *) { op_exit(); }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
  int table[] = {0, 1, 2};
  double values[3] = {};
  op_set set = op_decl_set(3, "set");
  op_map map = op_decl_map(set, set, 1, is("no-table") ? nullptr : table, "later");
  op_dat dat = op_decl_dat(set, 1, "double", values, "dat");
  if (is("twice"))
    op_init(argc, argv, 0);
  if (is("inside"))
    op_par_loop(leaves, "leaves", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
  if (is("const"))
    op_decl_const2("alpha", 1, "double", static_cast<double *>(nullptr));
  if (is("profile")) {
    op_profile_start("main");
    op_profile_end();
    op_profile_output_json("none/profile.json");
  }
  if (is("type"))
    op_par_loop(narrow, "narrow", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
  if (is("row"))
    op_par_loop(third, "third", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
  if (is("struct")) {
    double pairs[6] = {1, 1, 1, 1, 1, 1};
    op_dat pair = op_decl_dat(set, 2, "double", pairs, "pair");
    op_par_loop(shift, "shift", set, op_arg_dat(pair, -1, OP_ID, 2, "double", OP_RW));
    op_fetch_data(pair, pairs);
    std::printf("%g %g\n", pairs[4], pairs[5]);
  }
  if (is("old-map") || is("old-dat") || is("old-parts")) {
    op_exit();
    op_init(argc, argv, 0);
    set = op_decl_set(3, "set");
    if (is("old-parts"))
      op_partition("PTSCOTCH", "KWAY", set, nullptr, dat);
    if (is("old-map"))
      dat = op_decl_dat(set, 1, "double", values, "dat");
  }
  op_par_loop(touch, "touch", set, op_arg_dat(dat, 0, map, 1, "double", OP_INC));
  op_exit();
}
