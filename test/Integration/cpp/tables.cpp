// Kernels that read tables of the program: arrays by an index that is computed,
// and what pointers in variables lead to. They are raised, wherever the pointer
// comes from, and most are vectorized; the bits are those of the header's loops.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s --check-prefix=VALUES < %t.expected
//
// UBSan's checks of arithmetic keep kernels from being raised.
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report --op2-target=openmp,seq --op2-vector-bits=256 %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OMP_NUM_THREADS=2 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=10 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
// RUN: %op2cxx %unoptimized -O1 -g -fno-strict-aliasing -Werror=op2-sequential --op2-vector-bits=512 %s -o %t
// RUN: env OMP_NUM_THREADS=3 %t > %t.out && diff %t.expected %t.out
//
// A device has no copy of what a pointer leads to.
// RUN: not %op2cxx -O0 -Werror=op2-sequential --op2-target=emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %clangxx -O0 -std=c++17 -DARRAYS %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %emulate %t.expected %s -DARRAYS -- %op2cxx
//
// VALUES: an array 890.4527648877
// VALUES: the storage of a dat, after 2767.970286949
// DEVICE-DAG: kernel 'readList' uses the pointer in the variable 'list', which leads to the host's memory

// CHECK-DAG: loop 'a struct': vectorized across 4 elements
// CHECK-DAG: loop 'by a global': vectorized across 4 elements
// CHECK-DAG: loop 'by an element, and more': vectorized across 4 elements
// CHECK-DAG: loop 'for some elements': vectorized across 4 elements
// CHECK-DAG: loop 'the same for some': vectorized across 4 elements
// CHECK-DAG: loop 'a search': vectorized across 4 elements
// CHECK-DAG: loop 'by an element': not vectorized: what lanes read, store or divide one by one would take longer than vectors save
// CHECK-DAG: loop 'one of many': not vectorized: all of its branches would run, of which an element takes one
// CHECK-DAG: loop 'an array': kernel raised
// CHECK-DAG: loop 'a local array': kernel raised
// CHECK-DAG: loop 'one of two': kernel raised
// CHECK-DAG: loop 'one of three': kernel raised
// CHECK-DAG: loop 'array or pointer': kernel raised
// CHECK-DAG: loop 'rows of pointers': kernel raised
// CHECK-DAG: loop 'a moving pointer': kernel raised
// CHECK-DAG: loop 'below the pointer': kernel raised
// CHECK-DAG: loop 'small numbers': kernel raised
// CHECK-DAG: loop 'unaligned': kernel raised
// CHECK-DAG: loop 'a list': kernel not raised: it compares pointers
// CHECK-DAG: loop 'the storage of a dat' may be delayed

#include "op_seq.h"

#include <cmath>
#include <vector>

static const int kCells = 1001;
static const int kMask[3][2] = {{0, 1}, {1, 2}, {2, 0}};
double weights[4] = {0.25, 0.5, 0.125, 0.0625};
struct Rule {
  int n;
  double w[3];
  float f[2];
};
Rule rules[2] = {{3, {1, 2, 3}, {4, 5}}, {2, {6, 7, 8}, {9, 10}}};

inline void array(const int *f, const double *u, double *r) {
  for (int i = 0; i < 2; i++)
    r[i] = u[kMask[*f][i]] * weights[*f];
}
inline void localArray(const int *f, const double *u, double *r) {
  const double t[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  for (int i = 0; i < 3; i++)
    r[i] = t[*f][i] * u[i];
}
inline void record(const int *f, const double *u, double *r) {
  const Rule &rule = rules[*f % 2];
  for (int i = 0; i < rule.n; i++)
    r[i] = rule.w[i] * u[i] + rule.f[i & 1];
}
// Where no element of a vector searches, there need be no end, either.
int marks[4] = {3, 5, 0, 7};
inline void search(const int *f, const double *u, double *r) {
  if (u[0] > 900) {
    int at = 0;
    while (marks[at] != 0)
      at++;
    r[0] = at * u[1];
    for (int i = 0; i < marks[at + 1]; i++)
      r[0] -= u[2];
  }
  r[1] = u[0] / (1 + u[1]);
}

#ifndef ARRAYS
double *table, *other, *none;
double **rows;
unsigned char *numbers;
struct __attribute__((packed)) Unaligned {
  char c;
  double value;
} *unaligned;
struct Node {
  Node *next;
  double value;
} *list;
double *storage;

inline void byGlobal(const int *order, const double *u, double *r) {
  const double *m = &table[(*order - 1) * 9];
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++)
      sum += m[i * 3 + j] * u[j];
    r[i] = sum;
  }
}
inline void byElement(const int *f, const double *u, double *r) {
  const double *m = &table[*f * 9];
  for (int i = 0; i < 3; i++)
    r[i] = m[i * 3] * u[0] + m[i * 3 + 1] * u[1] + m[i * 3 + 2] * u[2];
}
inline void byElementAndMore(const int *f, const double *u, double *r) {
  const double *m = &table[*f * 9];
  for (int i = 0; i < 3; i++)
    r[i] = std::sqrt(m[i] * u[0]) / (m[i + 3] + u[1]) / (m[i + 6] + u[2]);
}
// Where no element of a vector reads, there need be no memory, either.
inline void forSome(const int *f, const double *u, double *r) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += std::sqrt(u[i] / (1 + u[i])) / (2 + u[i]);
  if (u[0] < 0)
    r[0] = none[*f] * u[0];
  if (*f == 1)
    r[1] = other[*f] + table[4 * *f];
  r[2] = sum;
}
// What those that read share is a number, a divisor, a condition, an index, a bound.
inline void sameForSome(const int *f, const double *u, double *r) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += std::sqrt(u[i] / (1 + u[j])) / (2 + u[i]);
  if (u[0] < 0)
    r[0] = none[3] * 2 + (none[2] > 1 ? u[0] : u[1]);
  if (*f == 1) {
    const unsigned n = numbers[1];
    r[0] = (float)table[n % 7] * u[0] + (long)(table[2] * 10) % n;
    r[1] = n > 20 ? table[n] : u[1] / n;
    for (unsigned i = 0; i < n / 8; i++)
      r[1] += other[i] * i;
  }
  r[2] = sum;
}
// Most elements take one of many branches.
inline void oneOfMany(const int *f, const double *u, double *r) {
  switch (*f) {
  case 0:
    r[0] = u[0] * u[1] + u[2] * u[0] - u[1];
    break;
  case 1:
    r[1] = u[0] / u[1] + u[2] * u[2] - u[0];
    break;
  case 2:
    r[2] = u[0] - u[1] * u[1] * u[2] - u[2];
    break;
  case 3:
    r[0] = r[1] + u[1] * u[1] * u[1] * u[2];
    break;
  default:
    r[0] = r[1] - u[1] * u[2] + u[1] * u[1];
  }
}
inline void oneOfTwo(const int *f, const double *u, double *r) {
  const double *m = *f > 1 ? table : other;
  for (int i = 0; i < 3; i++)
    r[i] = m[i] * u[i];
}
inline void oneOfThree(const int *f, const double *u, double *r) {
  const double *m;
  switch (*f) {
  case 1:
    m = table;
    break;
  case 2:
    m = other + 1;
    break;
  default:
    m = weights;
  }
  for (int i = 0; i < 3; i++)
    r[i] = m[i] * u[i];
}
inline void arrayOrPointer(const int *f, const double *u, double *r) {
  const double *m = *f > 1 ? weights : table;
  r[*f] = m[*f] * u[0];
}
inline void rowsOfPointers(const int *f, const double *u, double *r) {
  for (int i = 0; i < 3; i++)
    r[i] = rows[*f][i] + rows[i][*f] * u[i];
}
inline void moving(const int *f, const double *u, double *r) {
  const double *m = table;
  for (int i = 0; i < *f + 2; i++) {
    r[i % 3] += *m * u[i % 3];
    m += *f + 1;
  }
}
inline void below(const int *f, const double *u, double *r) {
  for (long i = -1; i < 2; i++)
    r[i + 1] = other[i - *f] * u[i + 1];
}
inline void smallNumbers(const int *f, const double *u, double *r) {
  for (int i = 0; i < 3; i++)
    r[i] = table[numbers[*f + i]] * u[i] + numbers[i];
}
inline void readUnaligned(const int *f, const double *u, double *r) {
  r[0] = unaligned[*f].value * u[0];
}
inline void readList(const int *f, const double *u, double *r) {
  r[0] = 0;
  for (const Node *node = list; node; node = node->next)
    r[0] += node->value * u[*f];
}
inline void readStorage(const int *f, const double *u, double *r) {
  r[1] = storage[*f] + u[1];
}
inline void doubleIt(double *s) { *s *= 2; }
#endif

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> face(kCells);
  std::vector<double> values(3 * kCells), results(3 * kCells);
  for (int n = 0; n < kCells; n++) {
    face[n] = n % 3;
    for (int i = 0; i < 3; i++)
      values[3 * n + i] = n + i * 0.1;
  }
  op_set cells = op_decl_set(kCells, "cells");
  op_dat f = op_decl_dat(cells, 1, "int", face.data(), "f");
  op_dat u = op_decl_dat(cells, 3, "double", values.data(), "u");
  op_dat r = op_decl_dat(cells, 3, "double", results.data(), "r");
#define RUN(kernel, name)                                                      \
  op_par_loop(kernel, name, cells, op_arg_dat(f, -1, OP_ID, 1, "int", OP_READ),\
              op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ),                  \
              op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW));                   \
  op_fetch_data(r, results.data());                                            \
  {                                                                            \
    double sum = 0;                                                            \
    for (double value : results)                                               \
      sum = sum * 0.75 + value;                                                \
    op_printf("%s %.17g\n", name, sum);                                        \
  }

  RUN(array, "an array");
  RUN(localArray, "a local array");
  RUN(record, "a struct");
  RUN(search, "a search");
  weights[1] = 3;
  rules[1].w[2] = 11;
  RUN(array, "an array");
  RUN(record, "a struct");

#ifndef ARRAYS
  std::vector<double> numbersOfTable(27), storageOfDat(kCells, 1.0);
  for (int i = 0; i < 27; i++)
    numbersOfTable[i] = 1.0 / (i + 1);
  table = numbersOfTable.data();
  other = table + 5;
  double *starts[3] = {table + 1, other, weights};
  rows = starts;
  unsigned char bytes[5] = {3, 26, 0, 255 - 250, 1};
  numbers = bytes;
  Unaligned odd[3] = {{'a', 1.5}, {'b', 2.5}, {'c', 3.5}};
  unaligned = odd;
  Node nodes[2] = {{&nodes[1], 0.5}, {nullptr, 0.25}};
  list = nodes;
  int order = 2;
  op_par_loop(byGlobal, "by a global", cells,
              op_arg_gbl(&order, 1, "int", OP_READ),
              op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ),
              op_arg_dat(r, -1, OP_ID, 3, "double", OP_WRITE));
  RUN(byElement, "by an element");
  RUN(byElementAndMore, "by an element, and more");
  RUN(forSome, "for some elements");
  RUN(sameForSome, "the same for some");
  RUN(oneOfMany, "one of many");
  RUN(oneOfTwo, "one of two");
  RUN(oneOfThree, "one of three");
  RUN(arrayOrPointer, "array or pointer");
  RUN(rowsOfPointers, "rows of pointers");
  RUN(moving, "a moving pointer");
  RUN(below, "below the pointer");
  RUN(smallNumbers, "small numbers");
  RUN(readUnaligned, "unaligned");
  RUN(readList, "a list");
  // What is changed just before, by a loop that could wait.
  op_dat s = op_decl_dat(cells, 1, "double", storageOfDat.data(), "s");
  storage = reinterpret_cast<double *>(s->data);
  for (int times = 0; times < 3; times++) {
    op_par_loop(doubleIt, "double it", cells,
                op_arg_dat(s, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(readStorage, "the storage of a dat", cells,
                op_arg_dat(f, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ),
                op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW));
  }
  RUN(readStorage, "the storage of a dat, after");
#endif
  op_exit();
}
