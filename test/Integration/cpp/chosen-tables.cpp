// Kernels that choose one of several tables of the program for each element:
// vectors read each table once. A table is read only where an element reads it:
// behind the short one no memory is, and the last one is not there at all.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s --check-prefix=VALUES < %t.expected
// RUN: %op2cxx -O2 -march=x86-64-v4 -Werror=op2-sequential --op2-report --op2-target=openmp,seq -c %s -o %t.o 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-vector-bits=256 --op2-target=openmp,seq %s -o %t
// RUN: env OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: %op2cxx -O1 -fno-strict-aliasing -Werror=op2-sequential --op2-vector-bits=512 %s -o %t
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_TILE_SIZE=10 %t | diff %t.expected -
//
// CHECK-DAG: loop 'two': vectorized across 8 elements
// CHECK-DAG: loop 'three': vectorized across 8 elements
// CHECK-DAG: loop 'face': vectorized across 8 elements
// CHECK-DAG: loop 'some': vectorized across 8 elements
// CHECK-DAG: loop 'length': vectorized across 8 elements
// CHECK-DAG: loop 'twice': vectorized across 8 elements
// CHECK-DAG: loop 'numbers': vectorized across 8 elements
// CHECK-DAG: loop 'moved': not vectorized: a loop that carries a type that has no lanes
//
// VALUES: two
// VALUES: moved
#include "op_seq.h"

#include <cmath>
#include <sys/mman.h>
#include <vector>

const int kCells = 1003;
double *longTable, *shortTable, *noTable;
int *longNumbers, *shortNumbers;

// An element without a choice never has the last one.
inline void two(const int *f, const double *u, double *r) {
  const double *m = *f == 0 ? shortTable : longTable;
  for (int i = 0; i < 4; ++i)
    r[i] = m[0] * u[i] + m[1] * r[i] + m[2] * std::sqrt(u[i]) + m[3];
}
inline void three(const int *f, const double *u, double *r) {
  const double *m;
  if (*f == 0)
    m = shortTable;
  else if (*f < 3)
    m = longTable;
  else
    m = noTable;
  for (int i = 0; i < 4; ++i)
    r[i] = (m[i] * u[0] + u[1] * u[2]) * (u[3] + m[3 - i]);
}
// What is added behind the choice.
inline void face(const int *f, const int *order, const double *u, double *r) {
  const double *m = *f == 1 ? &longTable[2] : *f == 2 ? longTable : shortTable;
  const double *row = m + (*order - 1) * 2;
  for (int i = 0; i < 4; ++i)
    r[i] = (row[i % 2] + u[i]) * (u[0] - row[0]) * (1 + u[1] * r[i]);
}
// More of the table than the others have is read by those who have it.
inline void some(const int *f, const double *u, double *r) {
  const double *m = *f == 0 ? shortTable : *f == 3 ? noTable : longTable;
  for (int i = 0; i < 4; ++i)
    r[i] = u[i] * (u[0] + m[i]);
  if (*f != 0) {
    for (int i = 0; i < 4; ++i)
      r[i] += m[4] * m[5 + i] * u[i];
    if (u[0] > 0.5)
      r[0] -= m[99];
  }
}
inline void length(const int *f, const double *u, double *r) {
  const double *m = *f == 0 ? shortTable : longTable;
  double sum = 0;
  for (int n = *f == 0 ? 4 : 100, i = 0; i < n; ++i) {
    double x = std::sqrt(u[i % 2] + i), y = std::sqrt(u[2] + sum * sum);
    sum = sum * 0.5 + std::sqrt(x + y) * m[i] / (1 + x) + u[3] / (y + 2) - x / y;
  }
  r[0] = sum;
}
inline void twice(const int *f, const int *g, const double *u, double *r) {
  const double *first = *f == 0 ? shortTable : longTable;
  const double *second = *g ? first : noTable;
  for (int i = 0; i < 4; ++i)
    if (*g)
      r[i] += second[i] * u[i] * u[i] + first[3 - i] * u[0] + second[0] / (1 + u[1]) + u[i] / (2 + u[2]);
}
inline void numbers(const int *f, const double *u, double *r) {
  const int *at = *f == 0 ? shortNumbers : longNumbers;
  for (int i = 0; i < 4; ++i)
    r[i] += at[i] * u[i] + (at[3 - i] % 3) * u[0] * u[1] * u[2] + u[3] * u[i] * u[i];
}
inline void moved(const int *f, const double *u, double *r) {
  const double *m = *f == 0 ? shortTable : longTable;
  for (int i = 0; i < 4; i += *f % 2 + 1, m += *f == 0 ? 1 : 2)
    r[i] += *m * u[i];
}

/// Where nothing can be read behind `count` values.
template <class T> T *allocate(int count) {
  const std::size_t page = 4096;
  auto *pages = static_cast<char *>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + page, page, PROT_NONE);
  T *values = reinterpret_cast<T *>(pages + page) - count;
  for (int i = 0; i < count; ++i)
    values[i] = T(3.5 + 1.25 * i) / T(1 + i % 3);
  return values;
}

int main(int argc, char **argv) {
  longTable = allocate<double>(100);
  shortTable = allocate<double>(4);
  longNumbers = allocate<int>(100);
  shortNumbers = allocate<int>(4);
  op_init(argc, argv, 0);
  std::vector<int> faces, groups;
  std::vector<double> values;
  for (int c = 0; c < kCells; ++c) {
    // Vectors of one kind of elements, and mixed ones.
    faces.push_back(c < 100 ? 0 : c < 200 ? 1 : c * 7 % 5 % 3);
    groups.push_back(c % 3 == 1);
    for (int i = 0; i < 4; ++i)
      values.push_back(0.25 + (c * 4 + i) % 97 / 100.);
  }
  op_set cells = op_decl_set(kCells, "cells");
  op_dat f = op_decl_dat(cells, 1, "int", faces.data(), "f");
  op_dat g = op_decl_dat(cells, 1, "int", groups.data(), "g");
  op_dat u = op_decl_dat(cells, 4, "double", values.data(), "u");
  op_dat r = op_decl_dat(cells, 4, "double", values.data(), "r");
  int order = 2;
  auto show = [&](const char *name) {
    op_fetch_data(r, values.data());
    double sum = 0;
    for (double value : values)
      sum = sum * 0.99 + value;
    op_printf("%s %.17g\n", name, sum);
    for (double &value : values)
      value = std::fmod(value, 2);
    op_upload_dat(r);
  };
#define RUN(kernel, access, ...)                                               \
  op_par_loop(kernel, #kernel, cells,                                          \
              op_arg_dat(f, -1, OP_ID, 1, "int", OP_READ), __VA_ARGS__         \
              op_arg_dat(u, -1, OP_ID, 4, "double", OP_READ),                  \
              op_arg_dat(r, -1, OP_ID, 4, "double", access));                  \
  show(#kernel)
#define NOTHING
  RUN(two, OP_RW, NOTHING);
  RUN(three, OP_WRITE, NOTHING);
  RUN(face, OP_RW, op_arg_gbl(&order, 1, "int", OP_READ),);
  RUN(some, OP_WRITE, NOTHING);
  RUN(length, OP_RW, NOTHING);
  RUN(twice, OP_RW, op_arg_dat(g, -1, OP_ID, 1, "int", OP_READ),);
  RUN(numbers, OP_RW, NOTHING);
  RUN(moved, OP_RW, NOTHING);
  op_exit();
}
