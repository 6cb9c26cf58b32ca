// What canonicalization, MLIR's import, and vectors must leave as the program has
// it: two roundings of an integer on its way to float; switches on 128 bits;
// functions of the program's own that have a name of the C library's; variables
// that may not be there, and places beyond what a file knows of a table; products
// of types that no processor adds in one step; integers of numbers without one.
//
// RUN: split-file %s %t
// RUN: %clangxx -x c -O1 -fno-builtin -c %t/trunc.c -o %t/trunc.o
// RUN: %clangxx -std=c++17 -O0 -fno-builtin -fno-strict-float-cast-overflow %op2api %t/main.cpp %t/trunc.o -o %t/dev %op2lib && %t/dev > %t/expected
// RUN: FileCheck %s < %t/expected
// RUN: %op2cxx -O2 -Wno-error=op2-sequential -fno-builtin-trunc -fno-strict-float-cast-overflow --op2-target=seq,openmp,emulator %t/main.cpp %t/trunc.o -o %t/all 2> %t/log
// RUN: FileCheck %s --check-prefix=LOG < %t/log
// RUN: env OP2_TARGET=seq %t/all | diff %t/expected -
// RUN: env OP2_TARGET=openmp %t/all | diff %t/expected -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t/all | diff %t/expected -
// RUN: %op2cxx -O3 -march=native -fno-builtin -fno-strict-float-cast-overflow --op2-target=openmp %t/main.cpp %t/trunc.o -o %t/wide && %t/wide | diff %t/expected -
// RUN: %op2cxx -O2 -march=native -fno-builtin -fno-strict-float-cast-overflow --op2-no-raise --op2-target=openmp %t/main.cpp %t/trunc.o -o %t/unraised && %t/unraised | diff %t/expected -
//
// LOG: loop 'own' is not compiled for emulator and runs on openmp there: kernel 'own' calls 'trunc', which may be the program's own (-fno-builtin)
//
// CHECK: rounded 1.15292150e+18 1.15292150e+18
// CHECK: switched 3 -1 77 -1 5 -1 99 -1
// CHECK: own 0.5 8.5
// CHECK: absent 63
// CHECK: long 0
// CHECK: nearest -9223372036854775808 -9223372036854775808 3 -2
// CHECK: half -2147483648 -2147483648

//--- trunc.c
double trunc(double x) { return (double)(long)(x * 2) / 2; }
double table[4];

//--- main.cpp
#include "op_seq.h"

#include <cmath>
#include <cstdio>

extern "C" double trunc(double);
extern "C" double table[];
extern double bonus __attribute__((weak));

static void rounded(const long long *x, float *y) {
  y[0] = (float)(double)x[0];
  y[1] = (float)(double)(unsigned long long)x[0];
}
static void switched(const long long *n, double *y) {
  unsigned __int128 value = ((unsigned __int128)(unsigned long long)n[1] << 64) | (unsigned long long)n[0];
  switch (value) {
  case 3: *y = 3; break;
  case 5: *y = 4; break;
  case 7:
  case 8: *y = 5; break;
  case (unsigned __int128)1 << 64: *y = 77; break;
  case ((unsigned __int128)1 << 64) + 7: *y = 99; break;
  default: *y = -1;
  }
}
static void own(const double *x, double *y) { *y = trunc(*x); }
static void absent(const int *n, double *y) {
  *y = n[0];
  if (n[0] > 100)
    *y += bonus + table[1 << 24];
}
static void longer(const double *x, double *y) {
  long double a = x[0], b = x[0] * 3, c = a * b;
  *y = (double)(a * b - c);
}
static long toNearest(double x) { return std::lround(x); }
static void nearest(const double *x, long long *n) { *n = toNearest(*x); }
static void none(const double *x, long long *n) { *n = toNearest(-HUGE_VAL); }
__attribute__((no_sanitize("float-cast-overflow"))) static int whole(_Float16 x) {
  return (int)x;
}
static void half(const double *x, int *n) {
  n[0] = whole(*x > 2 ? (_Float16)*x : (_Float16)-INFINITY);
  n[1] = whole((_Float16)-INFINITY);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  {
    const int n = 9;
    long long x[n];
    float y[2 * n];
    for (long long &v : x)
      v = (1ll << 60) + (1ll << 36) + 1;
    op_set set = op_decl_set(n, "integers");
    op_dat dx = op_decl_dat(set, 1, "long", x, "x"), dy = op_decl_dat(set, 2, "float", y, "y");
    op_par_loop(rounded, "rounded", set, op_arg_dat(dx, -1, OP_ID, 1, "long", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 2, "float", OP_WRITE));
    op_fetch_data(dy, y);
    std::printf("rounded %.8e %.8e\n", y[0], y[2 * n - 1]);
  }
  {
    const int n = 8;
    long long words[] = {3, 0, 3, 1, 0, 1, 0, 0, 8, 0, 5, 1, 7, 1, 7, 2};
    double y[n];
    op_set set = op_decl_set(n, "words");
    op_dat dx = op_decl_dat(set, 2, "long", words, "w"), dy = op_decl_dat(set, 1, "double", y, "z");
    op_par_loop(switched, "switched", set, op_arg_dat(dx, -1, OP_ID, 2, "long", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(dy, y);
    std::printf("switched");
    for (double v : y)
      std::printf(" %g", v);
    std::printf("\n");
  }
  {
    const int n = 9;
    double x[n], y[n];
    for (int i = 0; i < n; ++i)
      x[i] = i + 0.75;
    op_set set = op_decl_set(n, "numbers");
    op_dat dx = op_decl_dat(set, 1, "double", x, "f"), dy = op_decl_dat(set, 1, "double", y, "g");
    op_par_loop(own, "own", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(dy, y);
    std::printf("own %g %g\n", y[0], y[n - 1]);
  }
  {
    const int n = 64;
    int x[n];
    double y[n];
    for (int i = 0; i < n; ++i)
      x[i] = i;
    op_set set = op_decl_set(n, "few");
    op_dat dx = op_decl_dat(set, 1, "int", x, "h"), dy = op_decl_dat(set, 1, "double", y, "i");
    op_par_loop(absent, "absent", set, op_arg_dat(dx, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(dy, y);
    std::printf("absent %g\n", y[n - 1]);
  }
  {
    const int n = 9;
    double x[n] = {0.1, HUGE_VAL, 2.5, -1.5}, y[n];
    long long integers[n] = {1, 2, 3}, least[n] = {4, 5};
    int small[2 * n] = {6, 7};
    op_set set = op_decl_set(n, "real");
    op_dat dx = op_decl_dat(set, 1, "double", x, "j"), dy = op_decl_dat(set, 1, "double", y, "k");
    op_dat di = op_decl_dat(set, 1, "ll", integers, "l"), dl = op_decl_dat(set, 1, "ll", least, "m");
    op_dat ds = op_decl_dat(set, 2, "int", small, "n");
    op_par_loop(longer, "longer", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(nearest, "nearest", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(di, -1, OP_ID, 1, "ll", OP_WRITE));
    op_par_loop(none, "none", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dl, -1, OP_ID, 1, "ll", OP_WRITE));
    op_par_loop(half, "half", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(ds, -1, OP_ID, 2, "int", OP_WRITE));
    op_fetch_data(dy, y);
    op_fetch_data(di, integers);
    op_fetch_data(dl, least);
    op_fetch_data(ds, small);
    std::printf("long %g\n", y[0]);
    std::printf("nearest %lld %lld %lld %lld\n", integers[1], least[0], integers[2], integers[3]);
    std::printf("half %d %d\n", small[0], small[1]);
  }
  op_exit();
}
