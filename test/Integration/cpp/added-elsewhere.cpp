// One dat that elements add to directly and through a map, on devices. What the
// kernel adds to its own row comes before what others add there: behind a barrier
// before the first colour, or by atomic operations.
//
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=0 %t | FileCheck %s --check-prefix=DEVICE
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=1 %t | FileCheck %s --check-prefix=DEVICE
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=2 %t | FileCheck %s --check-prefix=DEVICE
// RUN: %optimizing_op2cxx -O2 --op2-target=cuda --op2-gpu-format=ptx --op2-emit=ptx --op2-strategy=atomics %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
//
// By the order of the elements, and by blocks, which depend on nothing else.
// CHECK: known 1 of 100, length 1 of 100, seen 1 of 100
// DEVICE: known 100 of 100, length 100 of 100, seen 100 of 100
//
// PTX: .visible .entry op2_known(
// PTX: atom.global.add.f64
// PTX: atom.global.add.f64
// A row of any length is no thread's own: colours.
// PTX: .visible .entry op2_length(
// PTX-NOT: atom
// PTX: bar.sync
// PTX: .visible .entry op2_seen(
// PTX-NOT: atom
// PTX: bar.sync

#include "op_seq.h"

#include <cstdio>
#include <vector>

static void known(const float *x, double *own, double *other) {
  own[0] += x[0];
  other[0] -= x[0];
}
// What is read may be the same dat, by another handle, in which the element would
// not see what it has added atomically.
static void seen(const double *x, double *own, double *other) {
  own[0] += x[0];
  other[0] -= x[0];
}
static void length(const double *x, double *own, double *other) {
  own[0] += x[0];
  other[0] -= x[0];
}

static int count(op_dat dat, int size) {
  std::vector<double> values(size);
  op_fetch_data(dat, values.data());
  int first = 0; // rows to which the direct addition came first
  for (double value : values)
    first += value == 0;
  return first;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 100;
  std::vector<double> x(n, 9007199254740992.), r(n, 1.); // 2^53
  std::vector<int> to(n);
  for (int i = 0; i < n; ++i)
    to[i] = (i + 1) % n;
  op_set s = op_decl_set(n, "s");
  op_map m = op_decl_map(s, s, 1, to.data(), "m");
  op_dat dx = op_decl_dat(s, 1, "double", x.data(), "x");
  op_dat a = op_decl_dat(s, 1, "double", r.data(), "a");
  op_dat b = op_decl_dat(s, 1, "double", r.data(), "b");
  int dim = argc; // 1
  std::vector<float> y(n, 9007199254740992.f);
  op_dat dy = op_decl_dat(s, 1, "float", y.data(), "y");
  op_dat c = op_decl_dat(s, 1, "double", r.data(), "c");
  op_par_loop(known, "known", s, op_arg_dat(dy, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_INC),
              op_arg_dat(a, 0, m, 1, "double", OP_INC));
  op_par_loop(length, "length", s,
              op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, dim, "double", OP_INC),
              op_arg_dat(b, 0, m, 1, "double", OP_INC));
  op_par_loop(seen, "seen", s, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(c, -1, OP_ID, 1, "double", OP_INC),
              op_arg_dat(c, 0, m, 1, "double", OP_INC));
  std::printf("known %d of %d, length %d of %d, seen %d of %d\n", count(a, n), n,
              count(b, n), n, count(c, n), n);
  op_exit();
}
