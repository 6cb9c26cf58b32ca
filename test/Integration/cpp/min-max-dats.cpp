// OP_MIN and OP_MAX on dats: directly, through one slot, through a row of a
// map; of every number type, with targets that several elements reach, and
// targets that none reaches and that keep their values.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=5 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: double indirect: 5 104 5 104 50
// CHECK-NEXT: double rows: 1 100 2 100 50
// CHECK-NEXT: double direct: 1 30
// CHECK-NEXT: float indirect: 5 104 5 104 50
// CHECK: ull direct: 1 30

#include "op_seq.h"

#include <vector>

template <class T> void both(const int *x, T *least, T *most) {
  T value = T(*x + 4);
  least[0] = value < least[0] ? value : least[0];
  most[0] = value > most[0] ? value : most[0];
}
template <class T> void rows(const int *x, T **least, T *most) {
  for (int slot = 0; slot < 2; ++slot)
    for (int c = 0; c < 2; ++c)
      if (T(*x + c) < least[slot][c])
        least[slot][c] = T(*x + c);
  if (T(*x) > *most)
    *most = T(*x);
}
template <class T> void clip(const int *x, T *low, T *high) {
  if (T(*x) < *low)
    *low = T(*x);
  if (T(*x) > *high)
    *high = T(*x);
}

template <class T> struct Range {
  T low = 1000, high = 0;
  explicit Range(op_dat dat) {
    std::vector<T> values(size_t(dat->set->size * dat->dim));
    op_fetch_data(dat, values.data());
    for (T value : values) {
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    last = values.back();
  }
  T last;
};

template <class T> static constexpr const char *nameOf() {
  if (T(0.5) != T(0))
    return sizeof(T) == sizeof(double) ? "double" : "float";
  if (T(-1) < T(0))
    return sizeof(T) == sizeof(int) ? "int" : "ll";
  return sizeof(T) == sizeof(int) ? "uint" : "ull";
}

template <class T>
static void run(op_set set, op_set to, op_map map, op_dat x) {
  constexpr const char *type = nameOf<T>();
  // The last target is reached by no element.
  std::vector<T> half(size_t(2 * to->size), T(50)),
      limit(size_t(set -> size), T(30));
  op_dat least = op_decl_dat(to, 1, type, half.data(), "least");
  op_dat most = op_decl_dat(to, 1, type, half.data(), "most");
  op_dat pair = op_decl_dat(to, 2, type, half.data(), "pair");
  op_dat other = op_decl_dat(to, 1, type, half.data(), "other");
  op_par_loop(both<T>, "both", set, op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(least, 0, map, 1, type, OP_MIN),
              op_arg_dat(most, 1, map, 1, type, OP_MAX));
  Range<T> a(least), b(most);
  op_printf("%s indirect: %g %g %g %g %g\n", type, double(a.low),
            double(b.high), double(a.low), double(b.high), double(a.last));
  op_par_loop(rows<T>, "rows", set, op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(pair, -2, map, 2, type, OP_MIN),
              op_arg_dat(other, 0, map, 1, type, OP_MAX));
  std::vector<T> pairs(size_t(2 * to->size));
  op_fetch_data(pair, pairs.data());
  Range<T> c(pair), d(other);
  op_printf("%s rows: %g %g %g %g %g\n", type, double(c.low), double(d.high),
            double(pairs[1]), double(d.high), double(c.last));
  op_dat low = op_decl_dat(set, 1, type, limit.data(), "low");
  op_dat high = op_decl_dat(set, 1, type, limit.data(), "high");
  op_par_loop(clip<T>, "clip", set, op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(low, -1, OP_ID, 1, type, OP_MIN),
              op_arg_dat(high, -1, OP_ID, 1, type, OP_MAX));
  Range<T> e(low), f(high);
  op_printf("%s direct: %g %g\n", type, double(e.low), double(f.low));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 100, m = 12;
  std::vector<int> table, values;
  for (int i = 0; i < n; ++i) {
    table.push_back(i % (m - 1));
    table.push_back((i * i + 3) % (m - 1));
    values.push_back(i + 1);
  }
  op_set set = op_decl_set(n, "elements"), to = op_decl_set(m, "targets");
  op_map map = op_decl_map(set, to, 2, table.data(), "map");
  op_dat x = op_decl_dat(set, 1, "int", values.data(), "x");
  run<double>(set, to, map, x);
  run<float>(set, to, map, x);
  run<int>(set, to, map, x);
  run<unsigned>(set, to, map, x);
  run<ll>(set, to, map, x);
  run<ull>(set, to, map, x);
  op_exit();
}
