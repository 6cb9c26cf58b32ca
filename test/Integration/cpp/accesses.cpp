// Every access that a dat can have, direct, through one slot of a map and
// through whole rows of it, for rows of 1 to 5 values of several types, on
// every target. All numbers are small integers: sums are exact in any order.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=5 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=7 %t > %t.out && diff %t.dev.out %t.out
// RUN: %t.dev few > %t.few.out
// RUN: %emulate --every-way %t.few.out %s -DFEW -- %op2cxx
//
// CHECK: double[2] direct
// CHECK: double[5] rows max
// CHECK: float[4] slot inc
// CHECK: int[5] rows write

#include "op_seq.h"

#include <vector>

static const int kEdges = 331, kNodes = 61, kArity = 3;

template <class T, int D> struct Kernels {
  static void direct(const T *read, T *write, T *rw, T *inc, T *min, T *max) {
    for (int i = 0; i < D; ++i) {
      write[i] = read[i] + 1;
      rw[i] = 2 * rw[i] + read[i];
      inc[i] += read[i] + T(i);
      if (read[i] < min[i])
        min[i] = read[i];
      if (read[i] > max[i])
        max[i] = read[i];
    }
  }
  static void slotIncrement(const T *x0, const T *x2, const T *edge, T *a, T *b,
                            T *sum, T *min, T *max) {
    for (int i = 0; i < D; ++i) {
      a[i] += x0[i] - x2[i] + edge[i];
      b[i] += x2[i] + T(1);
      sum[i] += edge[i];
      min[i] = x2[i] < min[i] ? x2[i] : min[i];
      max[i] = x0[i] > max[i] ? x0[i] : max[i];
    }
  }
  static void slotChange(const T *edge, T *rw, T *min, T *max, T *inc) {
    for (int i = 0; i < D; ++i) {
      rw[i] = rw[i] + edge[i];
      min[i] = edge[i] < min[i] ? edge[i] : min[i];
      max[i] = edge[i] > max[i] ? edge[i] : max[i];
      inc[i] += T(2);
    }
  }
  // Elements that reach the same target write the same values.
  static void slotWrite(const int *target, T *write) {
    for (int i = 0; i < D; ++i)
      write[i] = T(*target + i);
  }
  static void rowsIncrement(T **x, T **inc, T *edge) {
    for (int i = 0; i < D; ++i) {
      edge[i] = x[0][i] + x[1][i] - x[2][i];
      for (int slot = 0; slot < kArity; ++slot)
        inc[slot][i] += T(slot + 1) + x[2 - slot][i];
    }
  }
  static void rowsChange(const T *edge, T **rw, T **min, T **max) {
    for (int slot = 1; slot < kArity; ++slot)
      for (int i = 0; i < D; ++i) {
        T *a = rw[slot - 1], *b = min[slot - 1], *c = max[slot - 1];
        a[i] += edge[i];
        b[i] = edge[i] < b[i] ? edge[i] : b[i];
        c[i] = edge[i] > c[i] ? edge[i] : c[i];
      }
  }
  static void rowsWrite(T **write) {
    for (int slot = 0; slot < kArity; ++slot)
      for (int i = 0; i < D; ++i)
        write[slot][i] = T(i + 5);
  }
};

template <class T> static constexpr const char *nameOf() {
  return sizeof(T) == sizeof(double) ? "double"
         : T(1) / T(2) != T(0)       ? "float"
                                     : "int";
}

template <class T, int D> static void print(const char *what, op_dat dat) {
  std::vector<T> values(size_t(dat->set->size) * D);
  op_fetch_data(dat, values.data());
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += double(values[i]);
    weighted += double(values[i]) * double(i % 29);
  }
  op_printf("%s[%d] %s %.17g %.17g\n", nameOf<T>(), D, what, sum, weighted);
}

template <class T, int D>
static op_dat declare(op_set set, int factor, const char *name) {
  std::vector<T> values(size_t(set->size) * D);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T((int(i) * factor) % 11 - 3);
  return op_decl_dat(set, D, nameOf<T>(), values.data(), name);
}

#define DAT(DAT, ACCESS) op_arg_dat(DAT, -1, OP_ID, D, nameOf<T>(), ACCESS)
#define SLOT(DAT, SLOT, ACCESS)                                                \
  op_arg_dat(DAT, SLOT, map, D, nameOf<T>(), ACCESS)

template <class T, int D>
static void run(op_set edges, op_set nodes, op_map map) {
  using K = Kernels<T, D>;
  op_dat e1 = declare<T, D>(edges, 5, "e1"), e2 = declare<T, D>(edges, 7, "e2"),
         e3 = declare<T, D>(edges, 3, "e3");
  op_dat least = declare<T, D>(edges, 8, "least"),
         most = declare<T, D>(edges, 9, "most"),
         inc = declare<T, D>(edges, 1, "inc");
  op_par_loop(K::direct, "direct", edges, DAT(e1, OP_READ), DAT(e2, OP_WRITE),
              DAT(e3, OP_RW), DAT(inc, OP_INC), DAT(least, OP_RW),
              DAT(most, OP_RW));
  for (op_dat dat : {e1, e2, e3, inc, least, most})
    print<T, D>("direct", dat);

  op_dat x = declare<T, D>(nodes, 4, "x"), a = declare<T, D>(nodes, 0, "a"),
         b = declare<T, D>(nodes, 2, "b"), c = declare<T, D>(nodes, 3, "c");
  T sum[D], min[D], max[D];
  for (int i = 0; i < D; ++i)
    sum[i] = min[i] = max[i] = T(i - 1);
  op_par_loop(K::slotIncrement, "slot inc", edges, SLOT(x, 0, OP_READ),
              SLOT(x, 2, OP_READ), DAT(e1, OP_READ), SLOT(a, 1, OP_INC),
              SLOT(a, 2, OP_INC), op_arg_gbl(sum, D, nameOf<T>(), OP_INC),
              op_arg_gbl(min, D, nameOf<T>(), OP_MIN),
              op_arg_gbl(max, D, nameOf<T>(), OP_MAX));
  print<T, D>("slot inc", a);
  for (int i = 0; i < D; ++i)
    op_printf("sum %g min %g max %g\n", double(sum[i]), double(min[i]),
              double(max[i]));
  op_par_loop(K::slotChange, "slot change", edges, DAT(e1, OP_READ),
              SLOT(a, 0, OP_RW), SLOT(b, 1, OP_RW), SLOT(c, 2, OP_RW),
              SLOT(x, 1, OP_INC));
  print<T, D>("slot rw", a);
  print<T, D>("slot min", b);
  print<T, D>("slot max", c);
  print<T, D>("slot inc", x);
  op_par_loop(K::slotWrite, "slot write", edges, op_arg_idx(1, map),
              SLOT(b, 1, OP_WRITE));
  print<T, D>("slot write", b);

  op_par_loop(K::rowsIncrement, "rows inc", edges, SLOT(x, -3, OP_READ),
              SLOT(a, -3, OP_INC), DAT(e2, OP_WRITE));
  print<T, D>("rows inc", a);
  print<T, D>("rows read", e2);
  op_par_loop(K::rowsChange, "rows change", edges, DAT(e2, OP_READ),
              SLOT(a, -2, OP_RW), SLOT(b, -2, OP_RW), SLOT(c, -2, OP_RW));
  print<T, D>("rows rw", a);
  print<T, D>("rows min", b);
  print<T, D>("rows max", c);
  op_par_loop(K::rowsWrite, "rows write", edges, SLOT(c, -3, OP_WRITE));
  print<T, D>("rows write", c);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  // Some nodes have many edges, some edges lead to one node more than once.
  std::vector<int> table;
  for (int e = 0; e < kEdges; ++e) {
    table.push_back(e % kNodes);
    table.push_back((e * e) % 13);
    table.push_back(e % 17 == 0 ? (e * e) % 13 : (7 * e + 1) % kNodes);
  }
  op_set edges = op_decl_set(kEdges, "edges"),
         nodes = op_decl_set(kNodes, "nodes");
  op_map map = op_decl_map(edges, nodes, kArity, table.data(), "map");
  run<double, 2>(edges, nodes, map);
  run<int, 1>(edges, nodes, map);
#ifndef FEW // there are many ways to compile them all
  if (argc == 1 || argv[1][0] != 'f') {
    run<double, 3>(edges, nodes, map);
    run<double, 5>(edges, nodes, map);
    run<float, 4>(edges, nodes, map);
    run<int, 5>(edges, nodes, map);
  }
#endif
  op_exit();
}
