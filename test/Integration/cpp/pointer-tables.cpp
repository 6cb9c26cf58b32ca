// Tables behind pointers of the program: a device reads what op_decl_const has
// been told of, as it is when the loop starts; of other memory it does not know
// how long it is, and the loop runs on the host.
//
// RUN: %clangxx -std=c++17 -O0 -ffp-contract=off %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -Wno-error=op2-sequential --op2-report --op2-target=seq,openmp,emulator %s -o %t 2> %t.report
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t 2> %t.log | diff %t.expected -
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 OP_FALLBACK_MODE=silent %t 2>&1 | diff %t.expected -
// RUN: not env OP2_TARGET=emulator OP2_STRICT=1 %t 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %op2cxx -O0 -Wno-error=op2-sequential --op2-target=seq,emulator %s -o %t
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 OP_FALLBACK_MODE=silent %t | diff %t.expected -
// RUN: %op2cxx -O2 -Wno-error=op2-sequential --op2-no-raise --op2-target=openmp,emulator %s -o %t
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 OP_FALLBACK_MODE=silent %t | diff %t.expected -
//
// REPORT-DAG: loop 'product' compiled for seq, openmp, emulator
// REPORT-DAG: loop 'one of two' compiled for seq, openmp, emulator
// REPORT-DAG: loop 'records' compiled for seq, openmp, emulator
// REPORT-DAG: loop 'rows' {{.*}}kernel 'rows' does more with the pointer in the variable 'table' than to read numbers that it leads to
// REPORT-DAG: loop 'kept' {{.*}}kernel 'kept' does more with the pointer in the variable 'D' than to read numbers that it leads to
//
// CHECK: declared {{[0-9.]+}}
// CHECK: changed {{[0-9.]+}}
// CHECK: longer {{[0-9.]+}}
// CHECK: inside {{[0-9.]+}}
// CHECK: reduced {{[0-9.e+]+}}
// CHECK: null {{[0-9.e+]+}}
// CHECK: elsewhere {{[0-9.e+]+}}
// CHECK: of a dat {{[0-9.e+]+}}
//
// LOG: op2 warning: loop one of two runs on the host: its kernel reads what the pointer 'E' leads to, of which op_decl_const has not been told [op2-fallback]
// LOG: op2 warning: loop product runs on the host: its kernel reads what the pointer 'D' leads to, of which op_decl_const has not been told
// STRICT: op2 error: loop one of two: may not run on the device: its kernel reads what the pointer 'E' leads to, of which op_decl_const has not been told; OP2_STRICT=1 makes that an error
#include "op_seq.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int n = 1000;
struct Record {
  float weight;
  int8_t shift;
  double values[2];
};
double *D, *E;
Record *records;
double **table;

static void product(const int *p, const double *u, double *r) {
  if (!D)
    return;
  const double *m = &D[(*p - 1) * 9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r[i] += m[i * 3 + j] * u[j];
}
static void oneOfTwo(const int *p, const double *u, double *r) {
  const double *m = *p == 1 ? D : E;
  for (int i = 0; i < 3; ++i)
    r[i] += m[*p + i] * u[i];
}
static void byRecord(const int *p, const double *u, double *r) {
  const Record &own = records[*p % 3];
  Record copy = own;
  r[0] += own.weight * u[0] + copy.values[*p % 2];
  r[1] += own.values[own.shift] + copy.weight;
}
static void rows(const int *p, const double *u, double *r) {
  r[2] += table[*p % 2][*p] * u[1];
}
static void kept(const int *p, const double *u, double *r) {
  const double *places[2] = {D, u};
  r[0] += places[*p % 2][*p % 3];
}
static void sumUp(const double *u, double *s) { *s += u[1] * 1e-4; }
static void bump(double *r) { r[0] += 0.5; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> ps(n);
  std::vector<double> us(3 * n), rs(3 * n);
  for (int i = 0; i < n; ++i) {
    ps[i] = i % 3 + 1;
    for (int j = 0; j < 3; ++j)
      us[3 * i + j] = 0.1 * i + j;
  }
  op_set cells = op_decl_set(n, "cells");
  op_dat p = op_decl_dat(cells, 1, "int", ps.data(), "p");
  op_dat u = op_decl_dat(cells, 3, "double", us.data(), "u");
  op_dat r = op_decl_dat(cells, 3, "double", rs.data(), "r");
  auto tell = [&](const char *what) {
    op_fetch_data(r, rs.data());
    double sum = 0;
    for (double value : rs)
      sum = sum * 0.999 + value;
    std::printf("%s %.17g\n", what, sum);
  };
#define LOOP(kernel, name)                                                     \
  op_par_loop(kernel, name, cells, op_arg_dat(p, -1, OP_ID, 1, "int", OP_READ), \
              op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ),                  \
              op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW))
  std::vector<double> ds(27), es(27);
  std::vector<Record> own(3);
  for (int i = 0; i < 27; ++i) {
    ds[i] = 0.3 * i;
    es[i] = -0.7 * i;
  }
  for (int i = 0; i < 3; ++i)
    own[i] = {0.25f * i, int8_t(i % 2), {1.5 * i, 2.5}};
  D = ds.data();
  E = es.data();
  records = own.data();
  double *both[2] = {D, E};
  table = both;
  op_decl_const(27, "double", D);
  op_decl_const(int(own.size() * sizeof(Record)), "char", (char *)records);
  LOOP(product, "product");
  LOOP(oneOfTwo, "one of two");
  LOOP(byRecord, "records");
  LOOP(rows, "rows");
  LOOP(kept, "kept");
  tell("declared");
  op_decl_const(27, "double", E);
  ds[3] = 11;
  own[1].values[1] = 12;
  LOOP(product, "product");
  LOOP(oneOfTwo, "one of two");
  LOOP(byRecord, "records");
  tell("changed");
  // Another place, with more values.
  ds.resize(5000, 4.25);
  D = ds.data();
  op_decl_const(int(ds.size()), "double", D);
  D += 4000;
  LOOP(product, "product");
  tell("longer");
  D -= 3990;
  LOOP(product, "product");
  tell("inside");
  // Results of other loops, some of which are late on devices.
  double local[27] = {1, 2, 3};
  D = local;
  op_decl_const(27, "double", D);
  for (int step = 0; step < 3; ++step) {
    op_par_loop(sumUp, "sum up", cells, op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(&local[step], 1, "double", OP_INC));
    LOOP(product, "product");
    op_par_loop(sumUp, "sum up again", cells,
                op_arg_dat(r, -1, OP_ID, 3, "double", OP_READ),
                op_arg_gbl(&local[step + 4], 1, "double", OP_INC));
    LOOP(product, "product after");
  }
  tell("reduced");
  D = nullptr;
  LOOP(product, "product");
  tell("null");
  std::vector<double> other(27, 1.125);
  D = other.data();
  LOOP(product, "product");
  tell("elsewhere");
  // What a device has changed.
  D = (double *)r->data;
  op_decl_const(3 * n, "double", D);
  op_par_loop(bump, "bump", cells, op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW));
  double *before = (double *)u->data;
  D = before;
  op_decl_const(3 * n, "double", D);
  op_par_loop(bump, "bump", cells, op_arg_dat(u, -1, OP_ID, 3, "double", OP_RW));
  LOOP(product, "product");
  tell("of a dat");
  op_exit();
}
