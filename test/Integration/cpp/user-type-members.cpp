// Types of the application: elements that change other members of one value;
// sums that are not those of the members, also out of sight; memory at the
// addresses that a type asks for; type strings.
//
// RUN: %clangxx -O1 -std=c++17 -march=x86-64-v3 %op2api -I%S/Inputs/user-type-members %s -DBODIES %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O1 -I%S/Inputs/user-type-members -DBODIES -DONLY -c %s -o %t.bodies.o 2>/dev/null
// RUN: %op2cxx -O2 -march=x86-64-v3 -Wno-error=op2-sequential -I%S/Inputs/user-type-members --op2-target=seq,openmp,emulator %s %t.bodies.o -o %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env OP2_STRICT=0 OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_STRICT=0 OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OP2_STRICT=0 OP2_TARGET=openmp OP2_CHECK=warn OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | diff %t.expected -
// RUN: not %t type 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %t number 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %t width 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not %t.dev other 2>&1 | FileCheck %s --check-prefix=OTHER
//
// CHECK: written 1 77 88
// CHECK: packed 1 1
// CHECK: capped 15 8
// CHECK: hidden 15
// CHECK: many 2000 4000
// CHECK: aligned 4
// WARN: warning: loop 'sumTwo' is not compiled and runs sequentially: OP_INC adds values of type 'Two', which has a += of its own
// WARN: warning: loop 'sumHidden' is not compiled and runs sequentially: OP_INC adds values of the application's type in a function whose body is elsewhere (parameter 's')
// WARN-NOT: loop 'sumMany'
// TYPE: op2 error: op_arg_dat: type string is "Full", but dat m holds Mixed
// NUMBER: op2 error: loop numbers ({{.*}}), argument 0: type is double, but dat w holds Wide
// WIDTH: op2 error: loop numbers ({{.*}}), argument 0: dat x has components of 16 bytes; double needs 8
// OTHER: op2 error: loop take, argument 0: the kernel takes values of 32 bytes, but those of type "Mixed" have 16 [op2-kernel-parameter]

#define OP_USER_DATATYPES
#include "op_seq.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#ifdef BODIES
Capped &Capped::operator+=(const Capped &other) {
  v = std::min(v + other.v, 15);
  return *this;
}
void Hidden::add(int n) { v = std::min(v + n, 15); }
#endif
#ifndef ONLY

inline void write(const int *i, Mixed *g) {
  if (*i == 5)
    g->n = 77;
  if (*i == 600)
    g->m = 88;
}
inline void change(Mixed *a) {
  a[0].n += 1;
  a[1].m += 1;
}
inline void sumTwo(const int *i, Two *s) {
  s->a += Capped{*i % 3};
  s->b += *i % 2;
}
inline void sumHidden(const int *i, Hidden *s) { s->add(*i % 3); }
inline void sumMany(const Many *one, Many *s) {
  s->add(*one);
  s->add(*one);
}
template <class T> int off(const T *value) {
  return reinterpret_cast<std::uintptr_t>(value) % alignof(T) != 0;
}
inline void place(const Wide *packed, Wide *changed, Full *set, Wide *work,
                  int *good) {
  work->x[0] = changed[1].x[0] + packed[1].x[1];
  set[0].x[2] = set[1].x[2] = work->x[0];
  *good = !off(packed) + !off(changed) + !off(set) + !off(work);
}
inline void take(Full *x) { x->x[0] = 1; }
inline void numbers(double *x) { x[0] = 1; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 1000;
  int twice[2 * size], next[2 * size];
  for (int n = 0; n < size; ++n) {
    twice[2 * n] = twice[2 * n + 1] = n;
    next[2 * n] = n;
    next[2 * n + 1] = (n + 1) % size;
  }
  op_set set = op_decl_set(size, "set"), rows = op_decl_set(size, "rows");
  op_map both = op_decl_map(set, rows, 2, twice, "both");
  op_map pair = op_decl_map(set, rows, 2, next, "pair");
  op_dat m = op_decl_dat(rows, 1, "Mixed", (Mixed *)nullptr, "m");
  op_dat w = op_decl_dat(rows, 1, "Wide", (Wide *)nullptr, "w");
  op_dat v = op_decl_dat(rows, 1, "Wide", (Wide *)nullptr, "v");
  op_dat f = op_decl_dat(rows, 1, "Full", (Full *)nullptr, "f");
  op_dat good = op_decl_dat(set, 1, "int", (int *)nullptr, "good");
  std::string what = argc > 1 ? argv[1] : "";
  op_dat volatile any = what == "type" ? m : w; // nobody knows at compile time
  if (what == "type")
    op_par_loop(take, "take", rows, op_arg_dat(any, -1, OP_ID, 1, "Full", OP_RW));
  if (what == "number")
    op_par_loop(numbers, "numbers", rows, op_arg_dat(any, -1, OP_ID, 1, "double", OP_RW));
  if (what == "width") {
    op_dat x = op_decl_dat_char(rows, 1, "double", 16, nullptr, "x");
    op_par_loop(numbers, "numbers", rows, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  }
#ifndef __OP2CXX__ // which refuses it
  if (what == "other")
    op_par_loop(take, "take", rows, op_arg_dat(m, -1, OP_ID, 1, "Mixed", OP_RW));
#endif
  Mixed g{1, 2, 3};
  op_par_loop(write, "write", set, op_arg_idx(-1, OP_ID),
              op_arg_gbl(&g, 1, "Mixed", OP_WRITE));
  std::printf("written %g %d %d\n", g.v, g.n, g.m);
  op_par_loop(change, "change", set, op_arg_dat(m, -2, both, 1, "Mixed", OP_RW));
  Mixed values[size];
  op_fetch_data(m, values);
  std::printf("packed %d %d\n", values[7].n, values[7].m);
  Two two{};
  op_par_loop(sumTwo, "sumTwo", set, op_arg_idx(-1, OP_ID),
              op_arg_gbl(&two, 1, "Two", OP_INC));
  std::printf("capped %d %d\n", two.a.v, two.b % 123);
  Hidden hidden{};
  op_par_loop(sumHidden, "sumHidden", set, op_arg_idx(-1, OP_ID),
              op_arg_gbl(&hidden, 1, "Hidden", OP_INC));
  std::printf("hidden %d\n", hidden.v);
  Many one{{1}, {}, {}, {0, 0, 0, 0, 0, 2}}, many{};
  op_par_loop(sumMany, "sumMany", set, op_arg_gbl(&one, 1, "Many", OP_READ),
              op_arg_gbl(&many, 1, "Many", OP_INC));
  std::printf("many %g %g\n", many.v[0], many.y[5]);
  Wide work{};
  op_par_loop(place, "place", set, op_arg_dat(w, -2, pair, 1, "Wide", OP_READ),
              op_arg_dat(v, -2, pair, 1, "Wide", OP_RW),
              op_arg_dat(f, -2, both, 1, "Full", OP_WRITE),
              op_arg_gbl(&work, 1, "Wide", OP_WORK),
              op_arg_dat(good, -1, OP_ID, 1, "int", OP_WRITE));
  int counts[size];
  op_fetch_data(good, counts);
  std::printf("aligned %d\n", *std::min_element(counts, counts + size));
  op_exit();
}
#endif
