// Blocks of a device that own rows leave the bits of the sequential loop, in sums
// that are not exact, also where shared memory has no room for what elements add:
// in layers, by rows of run-time dim, by wide rows; beside short ones, through
// vector and optional arguments, packed ones, on more blocks than a launch has
// memory for, where handles are one dat's. What a column adds to a row through one
// argument is summed by itself, whatever levels others have.
//
// Kernels with checks of sanitizers are not raised, and own nothing.
// REQUIRES: no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -std=c++17 -Werror=op2-sequential --op2-strategy=owner --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=3 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 OP2_EMULATOR_SEED=1 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=2 %t diags | FileCheck %s
// RUN: %op2cxx %unoptimized -O2 -std=c++17 --op2-strategy=owner --op2-layout=soa --op2-block-size=1 --op2-target=emulator %s -o %t.one
// RUN: env OP2_EMULATOR_SEED=3 %t.one | diff %t.seq -
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | diff %t.seq -
// Other strategies add in another order.
// RUN: %op2cxx %unoptimized -O2 -std=c++17 --op2-strategy=two-level --op2-target=emulator %s -o %t.colors
// RUN: env %t.colors > %t.colors.out && not diff %t.seq %t.colors.out
//
// CHECK-DAG: op2: loop columns: ran 4 times on emulator (owned rows)
// CHECK-DAG: op2: loop offsets: ran 4 times on emulator (owned rows)
// CHECK-DAG: op2: loop mixed: ran 4 times on emulator (owned rows)
// CHECK-DAG: op2: loop lengths: ran 8 times on emulator (owned rows)
// CHECK-DAG: op2: loop beside: ran 4 times on emulator (owned rows)
// CHECK-DAG: op2: loop maybe: ran 10 times on emulator (owned rows)
// CHECK-DAG: op2: loop wide: ran 4 times on emulator (owned rows)
// CHECK-DAG: op2: loop packed: ran 4 times on emulator (owned rows)

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

constexpr int kLevels = 7, kWide = 3100;

// Of a layer between two columns, and a column without levels.
static void columns(const double *x, const double *y, double *rx, double *ry,
                    double *own) {
  double f = (x[0] - y[1]) * 0.3 + x[1] / y[0];
  rx[0] += f;
  rx[1] -= f / 3;
  ry[0] -= f * f;
  ry[1] += f / 7;
  own[0] += f / 11;
}

// Of one dat: a level and the one above, of all corners and of one.
static void offsets(const double *x, double *low, double *high,
                    double (*both)[2]) {
  low[0] += x[0] / 3;
  high[0] -= x[0] / 7;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      both[i][k] += x[k] / (i + 11);
}

// Levels of one value and of two, of one dat.
static void sizes(const double *x, double *one, double *two) {
  one[0] += x[0] / 3;
  two[0] -= x[0] / 7;
  two[1] += x[1] / 11;
}

// Levels, and whole rows of the same dat; packed rows without levels.
static void mixed(const double *x, double *row, double *level,
                  double (*packed)[3]) {
  for (int k = 0; k <= kLevels; ++k)
    row[k] += x[0] / (k + 3);
  level[0] -= x[1] / 7;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k)
      packed[i][k] += x[0] / (k + 13);
}

// Rows of any length, added to more than once.
static void lengths(const double *v, double **r, float *s, const int *length) {
  for (int k = 0; k < *length; ++k) {
    r[0][k] += v[0] / (k + 3);
    r[1][k] -= v[1] * 0.1;
    r[0][k] += v[1] / 7;
  }
  s[0] += static_cast<float>(v[0] / 3);
}

static void maybe(const double *v, double *a, double *b, const int *flags,
                  const int *length) {
  for (int k = 0; k < *length; ++k) {
    if (flags[0])
      a[k] += v[0] / (k + 3);
    if (flags[1])
      b[k] -= v[1] / 11;
  }
}

static void wide(const double *v, double *a, double *b) {
  for (int k = 0; k < kWide; ++k) {
    a[k] += v[0] / (k + 3);
    b[k] -= v[1] / 7;
  }
}

// Beside them: threads have these in shared memory otherwise.
static void packed(const double *v, double (*r)[3], double *a, const int *length) {
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < 3; ++k)
      r[s][k] += v[s] / (k + 3);
  for (int k = 0; k < *length; ++k)
    a[k] -= v[0] / 7;
}

// All of them are in the device's memory then.
static void beside(const double *v, double (*r)[3], double *a) {
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < 3; ++k)
      r[s][k] += v[s] / (k + 5);
  for (int k = 0; k < 2 * kWide; ++k)
    a[k] -= v[0] / (k + 7);
}

template <class T> static void print(const char *name, op_dat dat, T) {
  std::vector<T> all(std::size_t(dat->set->size) * std::size_t(dat->dim));
  op_fetch_data(dat, all.data());
  unsigned long long hash = 1469598103934665603ull;
  for (T value : all) {
    unsigned long long word = 0;
    std::memcpy(&word, &value, sizeof value);
    hash = (hash ^ word) * 1099511628211ull;
  }
  std::printf("%s %016llx\n", name, hash);
}

static void runLengths(op_set edges, op_map ends, op_dat v, op_dat r, op_dat s,
                       int length) {
  op_par_loop(lengths, "lengths", edges,
              op_arg_dat(v, 0, ends, 2, "double", OP_READ),
              op_arg_dat(r, -2, ends, length, "double", OP_INC),
              op_arg_dat(s, 1, ends, 1, "float", OP_INC),
              op_arg_gbl(&length, 1, "int", OP_READ));
}

static void runMaybe(op_set edges, op_map ends, op_dat v, op_dat a, op_dat b,
                     int first, int second, int length) {
  int flags[2] = {first, second};
  op_par_loop(maybe, "maybe", edges,
              op_arg_dat(v, 1, ends, 2, "double", OP_READ),
              op_opt_arg_dat(first, a, 0, ends, length, "double", OP_INC),
              op_opt_arg_dat(second, b, 1, ends, length, "double", OP_INC),
              op_arg_gbl(flags, 2, "int", OP_READ),
              op_arg_gbl(&length, 1, "int", OP_READ));
}

/// A grid of width * height nodes in random order; some edges are loops.
static void run(int width, int height, int few) {
  const int nodes = width * height;
  std::vector<int> number(nodes), table, varying;
  std::mt19937 random(7);
  for (int n = 0; n < nodes; ++n) {
    number[n] = n;
    std::swap(number[n], number[random() % (n + 1)]);
  }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int other : {x + 1 < width ? 1 : 0, y + 1 < height ? width : 0})
        if (other) {
          int a = number[y * width + x], b = number[y * width + x + other];
          table.insert(table.end(), {a, random() % 9 == 0 ? a : b});
        }
  const int edges = int(table.size()) / 2;
  for (int e = 0; e < edges; ++e) {
    int first = int(random() % kLevels);
    varying.insert(varying.end(),
                   {first, first + int(random() % (kLevels - first + 1))});
  }
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_set edgeSet = op_decl_set(edges, "edges");
  op_set fewSet = op_decl_set(few, "few");
  op_map ends = op_decl_map(edgeSet, nodeSet, 2, table.data(), "ends");
  std::vector<int> fewTable(table.begin(), table.begin() + 2 * few);
  op_map fewEnds = op_decl_map(fewSet, nodeSet, 2, fewTable.data(), "few ends");
  std::vector<double> values(std::size_t(nodes) * (kLevels + 1));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = 1 + 1.0 / (double(n % 977) + 1.5);
  std::vector<double> none(std::size_t(nodes) * kWide);
  std::vector<float> nothing(nodes);
  op_dat x = op_decl_dat(nodeSet, kLevels + 1, "double", values.data(), "x");
  op_dat r = op_decl_dat(nodeSet, kLevels + 1, "double", none.data(), "r");
  op_dat x2 = op_decl_dat(nodeSet, kLevels + 1, "double", none.data(), "x2");
  op_dat pairs = op_decl_dat(nodeSet, 2 * (kLevels + 1), "double",
                             none.data(), "pairs");
  op_dat total = op_decl_dat(nodeSet, 1, "double", none.data(), "total");
  op_dat v = op_decl_dat(nodeSet, 2, "double", values.data(), "v");
  op_dat rows = op_decl_dat(nodeSet, 5, "double", none.data(), "rows");
  op_dat more = op_decl_dat(nodeSet, 5, "double", none.data(), "more");
  op_dat shorts = op_decl_dat(nodeSet, 3, "double", none.data(), "shorts");
  op_dat single = op_decl_dat(nodeSet, 1, "float", nothing.data(), "single");
  op_dat large = op_decl_dat(nodeSet, kWide, "double", none.data(), "large");
  std::vector<double> many(std::size_t(nodes) * kWide * 2);
  op_dat larger =
      op_decl_dat(nodeSet, 2 * kWide, "double", many.data(), "larger");
  op_layers layers = op_decl_layers_varying(edgeSet, varying.data(), "layers");
  for (int i = 0; i < 2; ++i) {
    op_par_loop(columns, "columns", layers,
                op_arg_dat_layers(x, 0, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(x, 1, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(r, 0, ends, 0, 2, 1, "double", OP_INC),
                op_arg_dat_layers(r, 1, ends, 0, 2, 1, "double", OP_INC),
                op_arg_dat(total, 0, ends, 1, "double", OP_INC));
    op_par_loop(offsets, "offsets", layers,
                op_arg_dat_layers(x, 0, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(r, 0, ends, 0, 1, 1, "double", OP_INC),
                op_arg_dat_layers(r, 1, ends, 1, 1, 1, "double", OP_INC),
                op_arg_dat_layers(r, -2, ends, 0, 2, 1, "double", OP_INC));
    op_par_loop(offsets, "offsets of two", layers,
                op_arg_dat_layers(x, 0, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(r, 0, ends, 0, 1, 1, "double", OP_INC),
                op_arg_dat_layers(x2, 1, ends, 1, 1, 1, "double", OP_INC),
                op_arg_dat_layers(r, -2, ends, 0, 2, 1, "double", OP_INC));
    op_par_loop(sizes, "sizes", layers,
                op_arg_dat_layers(x, 0, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(pairs, 0, ends, 0, 1, 1, "double", OP_INC),
                op_arg_dat_layers(pairs, 1, ends, 0, 1, 2, "double", OP_INC));
    op_par_loop(mixed, "mixed", layers,
                op_arg_dat_layers(x, 0, ends, 0, 2, 1, "double", OP_READ),
                op_arg_dat(r, 1, ends, kLevels + 1, "double", OP_INC),
                op_arg_dat_layers(r, 0, ends, 1, 1, 1, "double", OP_INC),
                op_arg_dat(shorts, -2, ends, 3, "double", OP_INC));
    runLengths(edgeSet, ends, v, rows, single, 5);
    runLengths(edgeSet, ends, v, shorts, single, 3);
  }
  // Two handles of one dat.
  runMaybe(edgeSet, ends, v, rows, rows, 1, 1, 5);
  for (int flags = 0; flags < 4; ++flags)
    runMaybe(edgeSet, ends, v, flags & 1 ? rows : nullptr,
             flags & 2 ? more : nullptr, flags & 1, flags & 2, 5);
  for (int i = 0; i < 2; ++i) {
    op_par_loop(wide, "wide", fewSet,
                op_arg_dat(v, 0, fewEnds, 2, "double", OP_READ),
                op_arg_dat(large, 0, fewEnds, kWide, "double", OP_INC),
                op_arg_dat(large, 1, fewEnds, kWide, "double", OP_INC));
    op_par_loop(beside, "beside", fewSet,
                op_arg_dat(v, 0, fewEnds, 2, "double", OP_READ),
                op_arg_dat(shorts, -2, fewEnds, 3, "double", OP_INC),
                op_arg_dat(larger, 1, fewEnds, 2 * kWide, "double", OP_INC));
    int length = 5;
    op_par_loop(packed, "packed", edgeSet,
                op_arg_dat(v, 0, ends, 2, "double", OP_READ),
                op_arg_dat(shorts, -2, ends, 3, "double", OP_INC),
                op_arg_dat(rows, 1, ends, length, "double", OP_INC),
                op_arg_gbl(&length, 1, "int", OP_READ));
  }
  print("r", r, 0.0);
  print("x2", x2, 0.0);
  print("pairs", pairs, 0.0);
  print("total", total, 0.0);
  print("rows", rows, 0.0);
  print("more", more, 0.0);
  print("shorts", shorts, 0.0);
  print("single", single, 0.0F);
  print("large", large, 0.0);
  print("larger", larger, 0.0);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  run(13, 17, 40);
  run(40, 60, 10);
  op_exit();
}
