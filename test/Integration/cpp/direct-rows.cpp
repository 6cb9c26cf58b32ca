// Direct rows of every size that vectors of elements take together, and of others,
// of every type and alongside each other: what loops leave must be, bit for bit,
// what plain code leaves. Blocks and sets are no whole number of groups.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=seq,openmp --op2-vector-bits=128 --op2-block-size=27 %s -o %t.128
// RUN: env OP2_TARGET=seq %t.128 | FileCheck %s
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t.128 | FileCheck %s
// RUN: %op2cxx -O3 -march=native -Werror=op2-sequential --op2-target=openmp --op2-vector-bits=256 --op2-block-size=27 %s -o %t.256
// RUN: env OMP_NUM_THREADS=3 %t.256 | FileCheck %s
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=openmp --op2-vector-bits=512 --op2-block-size=45 %s -o %t.512
// RUN: env OMP_NUM_THREADS=2 %t.512 | FileCheck %s
// On a device kernels get copies of the rows that they change.
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=emulator --op2-block-size=27 %s -o %t.device
// RUN: %t.device | FileCheck %s
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-target=emulator --op2-no-raise %s -o %t.imported
// RUN: %t.imported | FileCheck %s
// CHECK: all good
//
// RUN: %op2cxx -O1 --op2-target=openmp --op2-vector-bits=512 --op2-emit=plan %s -o - | FileCheck %s --check-prefix=PLAN
// PLAN-COUNT-22: lanes {{8|16}} %

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

template <class T, int D>
static void change(const T *read, T *write, T *some, T *rw, T *inc) {
  for (int i = 0; i < D; ++i) {
    write[i] = read[D - 1 - i] + T(i);
    rw[i] = rw[i] * read[i];
    inc[i] += read[(i + 1) % D];
  }
  if (read[0] > T(2))
    some[D - 1] = read[0];
}

/// Rows of several types and sizes: lanes of one are wider than of another.
static void mix(const double *d, float *f, int *n, double *one) {
  f[0] = float(d[2]);
  f[1] = float(d[0]);
  f[2] += float(d[1]);
  n[0] = int(d[1]);
  n[1] += n[0];
  *one = d[0] - d[1];
}

template <class T> static constexpr const char *nameOf() {
  return sizeof(T) == sizeof(double) ? "double"
         : T(1) / T(2) != T(0)       ? "float"
                                     : "int";
}

static bool good = true;

/// One dat read and written.
static void mirror(const double *from, double *to) {
  to[1] = from[0] + 1;
  to[0] = from[1] * 2;
}

/// Two rows that may be one: what is written to one shows in the other at once.
static void shift(double *own, const double *same, double *out) {
  own[0] += 1;
  own[1] = same[0] + out[1];
  out[0] = same[1] * 3 + own[0];
}

/// A dat, and a copy of it that plain code works on.
template <class T> struct Both {
  Both(op_set set, int dim, int seed) : plain(size_t(set->size) * size_t(dim)) {
    for (size_t i = 0; i < plain.size(); ++i)
      plain[i] = T((int(i) * seed + 3) % 101) / T(7);
    dat = op_decl_dat(set, dim, nameOf<T>(), plain.data(), "dat");
  }
  T *row(int element) { return &plain[size_t(element) * size_t(dat->dim)]; }
  void compare(const char *what) {
    std::vector<T> values(plain.size());
    op_fetch_data(dat, values.data());
    for (size_t i = 0; i < plain.size(); ++i) {
      if (std::memcmp(&values[i], &plain[i], sizeof(T)) == 0)
        continue;
      std::printf("%s, %s[%d] of %d: element %zu, component %zu: %g, not %g\n",
                  what, nameOf<T>(), dat->dim, dat->set->size, i / dat->dim,
                  i % dat->dim, double(values[i]), double(plain[i]));
      good = false;
      return;
    }
  }
  std::vector<T> plain;
  op_dat dat;
};

template <class T, int D> static void test(op_set set) {
  Both<T> read(set, D, 17), write(set, D, 29), some(set, D, 31), rw(set, D, 41),
      inc(set, D, 53);
  op_par_loop(change<T, D>, "change", set,
              op_arg_dat(read.dat, -1, OP_ID, D, nameOf<T>(), OP_READ),
              op_arg_dat(write.dat, -1, OP_ID, D, nameOf<T>(), OP_WRITE),
              op_arg_dat(some.dat, -1, OP_ID, D, nameOf<T>(), OP_WRITE),
              op_arg_dat(rw.dat, -1, OP_ID, D, nameOf<T>(), OP_RW),
              op_arg_dat(inc.dat, -1, OP_ID, D, nameOf<T>(), OP_INC));
  for (int e = 0; e < set->size; ++e)
    change<T, D>(read.row(e), write.row(e), some.row(e), rw.row(e), inc.row(e));
  read.compare("read");
  write.compare("write");
  some.compare("some");
  rw.compare("rw");
  inc.compare("inc");
}

template <class T> static void testSizes(op_set set) {
  test<T, 1>(set);
  test<T, 2>(set);
  test<T, 3>(set);
  test<T, 4>(set);
  test<T, 5>(set);
  test<T, 6>(set);
  test<T, 7>(set);
}

static void testMix(op_set set) {
  Both<double> d(set, 3, 17), one(set, 1, 29);
  Both<float> f(set, 3, 31);
  Both<int> n(set, 2, 41);
  op_par_loop(mix, "mix", set,
              op_arg_dat(d.dat, -1, OP_ID, 3, "double", OP_READ),
              op_arg_dat(f.dat, -1, OP_ID, 3, "float", OP_RW),
              op_arg_dat(n.dat, -1, OP_ID, 2, "int", OP_RW),
              op_arg_dat(one.dat, -1, OP_ID, 1, "double", OP_WRITE));
  for (int e = 0; e < set->size; ++e)
    mix(d.row(e), f.row(e), n.row(e), one.row(e));
  d.compare("mix");
  f.compare("mix");
  n.compare("mix");
  one.compare("mix");
}

static void testMirror(op_set set) {
  Both<double> d(set, 2, 17);
  op_par_loop(mirror, "mirror", set,
              op_arg_dat(d.dat, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(d.dat, -1, OP_ID, 2, "double", OP_WRITE));
  for (int e = 0; e < set->size; ++e)
    mirror(d.row(e), d.row(e));
  d.compare("mirror");
}

/// Handles that may be of one dat, and here are.
[[gnu::noinline]] static void mirrorBetween(op_set set, op_dat from,
                                            op_dat to) {
  op_par_loop(mirror, "mirror_between", set,
              op_arg_dat(from, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(to, -1, OP_ID, 2, "double", OP_WRITE));
}

static void testSame(op_set set) {
  Both<double> d(set, 2, 17), other(set, 2, 29), out(set, 2, 31);
  mirrorBetween(set, d.dat, d.dat);
  mirrorBetween(set, d.dat, other.dat);
  for (int e = 0; e < set->size; ++e) {
    mirror(d.row(e), d.row(e));
    mirror(d.row(e), other.row(e));
  }
  // Through a map that leads every element to itself.
  std::vector<int> table(size_t(set->size));
  for (int e = 0; e < set->size; ++e)
    table[size_t(e)] = e;
  op_map self = op_decl_map(set, set, 1, table.data(), "self");
  op_par_loop(shift, "shift", set,
              op_arg_dat(d.dat, -1, OP_ID, 2, "double", OP_RW),
              op_arg_dat(d.dat, 0, self, 2, "double", OP_READ),
              op_arg_dat(out.dat, -1, OP_ID, 2, "double", OP_RW));
  for (int e = 0; e < set->size; ++e)
    shift(d.row(e), d.row(e), out.row(e));
  d.compare("same");
  other.compare("same");
  out.compare("same");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  for (int size : {331, 128, 5}) {
    op_set set = op_decl_set(size, "set");
    testSizes<double>(set);
    testSizes<float>(set);
    testSizes<int>(set);
    testMix(set);
    testMirror(set);
    testSame(set);
  }
  std::printf("%s\n", good ? "all good" : "differences");
  op_exit();
}
