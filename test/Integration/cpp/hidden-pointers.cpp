// More ways to the storage of dats (see host-pointers.cpp): copies of copies, as
// bytes, by value; numbers and unions whose types do not tell; pointers to what a
// dat's storage is a part of; a pointer that is known beside one that is not.
//
// RUN: %op2cxx -O2 -Wno-error=op2-sequential --op2-target=seq,openmp,emulator %s -o %t 2> %t.log
// RUN: env OP2_TARGET=seq %t OP_NO_REALLOC > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp %t OP_NO_REALLOC | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t OP_NO_REALLOC | diff %t.seq -
// RUN: %op2cxx -O3 -march=native --op2-target=openmp %s -o %t && env OP2_CHAIN=always %t OP_NO_REALLOC | diff %t.seq -
// RUN: %op2cxx -O0 -Wno-error=op2-sequential --op2-target=seq,emulator %s -o %t 2> %t.log
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t OP_NO_REALLOC | diff %t.seq -
//
// CHECK: twice 1, bytes 2, value 3, union 4, member 5, number 6
// CHECK: part 6, slice 6, both 7

#include "op_seq.h"

#include <cstdio>
#include <cstring>

constexpr int n = 9;
struct Table {
  double weight;
  double *rows;
};
struct Tables {
  Table all[3];
} tables;
union Place {
  int number;
  double *rows;
} place = {7};
struct Record {
  int kind;
  Place place;
  long address;
} record = {1, {7}, 2};
struct State {
  double head[4];
  double rows[n];
} state, *whole = &state;
double both[2 * n], *slice = both, *known, *some[3];
double ones[n] = {1, 1, 1, 1, 1, 1, 1, 1, 1};

static void bump(double *a) {
  a[0] += 1;
  a[1] += 1;
}
static void twice(const int *i, double *y) {
  Tables first = tables;
  first.all[*i % 3].weight += 1;
  Tables second = first;
  second.all[(*i + 1) % 3].weight += 1;
  *y += second.all[*i % 3].rows[*i];
}
static void bytes(const int *i, double *y) {
  long words[6];
  Table own[3];
  std::memcpy(words, &tables, sizeof words);
  words[*i % 6 & ~1] ^= 1;
  words[*i % 6 & ~1] ^= 1;
  std::memcpy(own, words, sizeof own);
  *y += own[*i % 3].rows[*i];
}
[[gnu::noinline]] static double look(Tables of, int i) {
  of.all[i % 3].weight += 1;
  return of.all[i % 3].rows[i] + 0 * of.all[(i + 1) % 3].weight;
}
static void value(const int *i, double *y) { *y += look(tables, *i); }
static void united(const int *i, double *y) { *y += place.rows[*i]; }
static void member(const int *i, double *y) { *y += record.place.rows[*i]; }
static void numbered(const int *i, double *y) {
  double *rows;
  std::memcpy(&rows, &record.address, sizeof rows);
  *y += rows[*i];
}

// Each element looks at its own row only.
static void readPart(const int *i, double *y, double *z) {
  *y += 1;
  double before = whole->rows[*i];
  *y *= 2;
  *z = before + whole->rows[*i];
}
static void readSlice(const int *i, double *y, double *z) {
  *y += 1;
  double before = slice[n + *i];
  *y *= 2;
  *z = before + slice[n + *i];
}
static void readBoth(const int *i, double *y, double *z) {
  *y += 1;
  double before = known[*i];
  *y *= 2;
  *z = before + known[*i] + some[*i % 3][*i];
}

static double last(op_dat dat) {
  double values[n];
  op_fetch_data(dat, values);
  return values[n - 1];
}

#define FOLLOW(kernel)                                                         \
  op_par_loop(bump, "bump", set, op_arg_dat(a, -1, OP_ID, 2, "double:soa", OP_RW)); \
  op_par_loop(kernel, #kernel, set, op_arg_idx(-1, OP_ID),                     \
              op_arg_dat(sum, -1, OP_ID, 1, "double", OP_WRITE))
#define READ(kernel, dat)                                                      \
  op_par_loop(+[](double *v) { *v = 1; }, "set", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_WRITE)); \
  op_par_loop(kernel, #kernel, set, op_arg_idx(-1, OP_ID),                     \
              op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW),                  \
              op_arg_dat(z, -1, OP_ID, 1, "double", OP_WRITE))
#define SET(kernel)                                                            \
  static void kernel##Set(const int *i, double *y) {                           \
    double sum = 0;                                                            \
    kernel(i, &sum);                                                           \
    *y = sum;                                                                  \
  }
SET(twice) SET(bytes) SET(value) SET(united) SET(member) SET(numbered)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[2 * n] = {}, zeros[n] = {}, more[n] = {}, third[n] = {};
  op_set set = op_decl_set(n, "set");
  op_dat a = op_decl_dat(set, 2, "double:soa", values, "a");
  op_dat sum = op_decl_dat(set, 1, "double", zeros, "sum");
  op_dat z = op_decl_dat(set, 1, "double", more, "z");
  op_dat part = op_decl_dat(set, 1, "double", state.rows, "part");
  op_dat end = op_decl_dat(set, 1, "double", both + n, "end");
  op_dat y = op_decl_dat(set, 1, "double", third, "y");
  auto *rows = (double *)a->data;
  for (Table &table : tables.all)
    table = {0, rows};
  place.rows = record.place.rows = rows;
  record.address = (long)rows;
  known = (double *)y->data;
  for (double *&other : some)
    other = ones;

  FOLLOW(twiceSet);
  std::printf("twice %g, ", last(sum));
  FOLLOW(bytesSet);
  std::printf("bytes %g, ", last(sum));
  FOLLOW(valueSet);
  std::printf("value %g, ", last(sum));
  FOLLOW(unitedSet);
  std::printf("union %g, ", last(sum));
  FOLLOW(memberSet);
  std::printf("member %g, ", last(sum));
  FOLLOW(numberedSet);
  std::printf("number %g\n", last(sum));

  READ(readPart, part);
  std::printf("part %g, ", last(z));
  READ(readSlice, end);
  std::printf("slice %g, ", last(z));
  READ(readBoth, y);
  std::printf("both %g\n", last(z));
  op_exit();
}
