// Kernels that reach the storage of dats by other ways than their arguments:
// through pointers that the program keeps in a variable, a union, a number, or a
// table that is copied. None of that is memory of a device, so these loops run on
// the host there, with what devices have changed; and no compiled loop believes
// that nothing else leads to the rows that it writes.
//
// RUN: %op2cxx -O2 -Wno-error=op2-sequential --op2-target=seq,openmp,emulator %s -o %t 2> %t.log
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: env OP2_TARGET=seq %t OP_NO_REALLOC > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp %t OP_NO_REALLOC | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t OP_NO_REALLOC 2> %t.log | diff %t.seq -
// RUN: FileCheck %s --check-prefix=KEPT < %t.log
// RUN: %op2cxx -O3 -march=native --op2-target=openmp %s -o %t
// RUN: env OP2_TARGET=openmp %t OP_NO_REALLOC | diff %t.seq -
// RUN: env OP2_CHAIN=always %t OP_NO_REALLOC | diff %t.seq -
// RUN: %op2cxx -O0 -Wno-error=op2-sequential --op2-target=seq,emulator %s -o %t 2> %t.log
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t OP_NO_REALLOC | diff %t.seq -
//
// KEPT: op2 warning: loop variable runs on the host: its kernel reads what the pointer 'variable' leads to, of which op_decl_const has not been told
// LOG-DAG: loop 'union' {{.*}} uses the pointer in the variable 'place'
// LOG-DAG: loop 'number' {{.*}} takes a number for a pointer, which leads to the host's memory
// LOG-DAG: loop 'copies' {{.*}} uses the pointer in the variable 'tables'
//
// CHECK: variable 3 8 16 28
// CHECK: union 3 8 16 28
// CHECK: number 3 8 16 28
// CHECK: copies 3 8 16 28
// CHECK: named 6, followed 6, united 6

#include "op_seq.h"

#include <cstdint>
#include <cstdio>

constexpr int n = 9;
union Place {
  long number;
  double *rows;
};
struct Table {
  double weight;
  double *rows;
};
double *variable;
Place place;
uintptr_t number;
Table tables[3];
double named[n];

static void bump(double *a) {
  a[0] += 1;
  a[1] += 1;
}
static void useVariable(const int *i, double *y) { *y += variable[*i]; }
static void useUnion(const int *i, double *y) { *y += place.rows[*i]; }
static void useNumber(const int *i, double *y) {
  *y += reinterpret_cast<double *>(number)[*i];
}
static void useCopies(const int *i, double *y) {
  Table own[3];
  for (int k = 0; k < 3; ++k)
    own[k] = tables[k];
  own[*i % 3].weight += 1;
  *y += own[*i % 3].rows[*i] + own[*i % 3].weight - 1;
}

// Each element looks at its own row only.
static void readNamed(const int *i, double *y, double *z) {
  *y += 1;
  double before = named[*i];
  *y *= 2;
  *z = before + named[*i];
}
static void readFollowed(const int *i, double *y, double *z) {
  *y += 1;
  double before = variable[*i];
  *y *= 2;
  *z = before + variable[*i];
}
static void readUnited(const int *i, double *y, double *z) {
  *y += 1;
  double before = place.rows[*i];
  *y *= 2;
  *z = before + place.rows[*i];
}

#define INDEX op_arg_idx(-1, OP_ID)
#define ROW(dat, access) op_arg_dat(dat, -1, OP_ID, 1, "double", access)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[2 * n], zeros[n] = {}, found[n];
  for (double &x : values)
    x = 0;
  op_set set = op_decl_set(n, "set");
  op_dat a = op_decl_dat(set, 2, "double:soa", values, "a");
  op_dat y = op_decl_dat(set, 1, "double", named, "y");
  op_dat z = op_decl_dat(set, 1, "double", zeros, "z");
  for (Table &table : tables)
    table = {0, (double *)a->data};
  place.rows = variable = (double *)a->data;
  number = (uintptr_t)a->data;
  const char *names[] = {"variable", "union", "number", "copies"};
  op_dat sums[4];
  for (int k = 0; k < 4; ++k)
    sums[k] = op_decl_dat(set, 1, "double", (double *)nullptr, names[k]);
  double sum[4][4];
  for (int step = 0; step < 4; ++step) {
    for (int k = 0; k < (step ? step + 1 : 3); ++k)
      op_par_loop(bump, "bump", set, op_arg_dat(a, -1, OP_ID, 2, "double:soa", OP_RW));
    op_par_loop(useVariable, "variable", set, INDEX, ROW(sums[0], OP_RW));
    op_par_loop(useUnion, "union", set, INDEX, ROW(sums[1], OP_RW));
    op_par_loop(useNumber, "number", set, INDEX, ROW(sums[2], OP_RW));
    op_par_loop(useCopies, "copies", set, INDEX, ROW(sums[3], OP_RW));
    for (int k = 0; k < 4; ++k) {
      op_fetch_data(sums[k], found);
      sum[k][step] = found[n - 1];
    }
  }
  for (int k = 0; k < 4; ++k)
    std::printf("%s %g %g %g %g\n", names[k], sum[k][0], sum[k][1], sum[k][2], sum[k][3]);

  double results[3];
  place.rows = variable = (double *)y->data;
  for (int k = 0; k < 3; ++k) {
    op_par_loop(+[](double *v) { *v = 1; }, "set", set, ROW(y, OP_WRITE));
    if (k == 0)
      op_par_loop(readNamed, "named", set, INDEX, ROW(y, OP_RW), ROW(z, OP_WRITE));
    if (k == 1)
      op_par_loop(readFollowed, "followed", set, INDEX, ROW(y, OP_RW), ROW(z, OP_WRITE));
    if (k == 2)
      op_par_loop(readUnited, "united", set, INDEX, ROW(y, OP_RW), ROW(z, OP_WRITE));
    op_fetch_data(z, found);
    results[k] = found[n - 1];
  }
  std::printf("named %g, followed %g, united %g\n", results[0], results[1], results[2]);
  op_exit();
}
