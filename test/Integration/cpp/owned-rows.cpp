// Blocks of a device that own rows leave the bits of the sequential loop, in sums
// that are not exact: two maps into two sets, float and double, vector arguments,
// a row that more elements reach than a block has, elements that reach a row
// twice, handles of one dat, arguments that are off, subsets, random numbers;
// what elements add to rows of their own, or write there and read again; kernels
// that are not raised.
//
// Kernels with checks of sanitizers are not raised, and own nothing.
// REQUIRES: no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -std=c++17 -Werror=op2-sequential --op2-strategy=owner --op2-report --op2-target=seq,openmp,emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=3 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 OP2_EMULATOR_SEED=1 %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=2 OP2_RENUMBER=none %t diags | FileCheck %s
// RUN: %op2cxx %unoptimized -O2 -std=c++17 --op2-strategy=owner --op2-layout=soa --op2-block-size=20 --op2-target=emulator %s -o %t.soa
// RUN: env OP2_CHECK_PLAN=1 OP2_EMULATOR_SEED=3 %t.soa | diff %t.seq -
// Other strategies add in another order.
// RUN: %op2cxx %unoptimized -O2 -std=c++17 --op2-strategy=two-level --op2-target=emulator %s -o %t.colors
// RUN: env %t.colors > %t.colors.out && not diff %t.seq %t.colors.out
//
// CHECK: op2: plan for loop flux over edges (1384 elements): {{[0-9]+}} blocks of 128, 1 colours
// CHECK-NEXT: op2:   {{[1-9][0-9]*}} elements twice or more
// Everything of one row: eleven blocks, one after the other.
// CHECK: op2: plan for loop gather over edges (1384 elements): 11 blocks of 128, 11 colours
// Two handles: one element at a time.
// CHECK: op2: plan for loop both over edges (1384 elements): {{[0-9]+}} blocks of 128, 128 colours
// Or in their order.
// CHECK: op2: plan for loop look over edges (1384 elements): 1384 blocks of 128, 1384 colours
// CHECK: op2: loop flux: ran {{[0-9]+}} times on emulator (owned rows)
// CHECK: op2: loop gauss: ran {{[0-9]+}} times on emulator (owned rows)
// CHECK: op2: loop own: ran {{[0-9]+}} times on emulator (owned rows)
// CHECK: op2: loop chooses: ran {{[0-9]+}} times on emulator (owned rows)
// CHECK: op2: loop pair: ran {{[0-9]+}} times on emulator (owned rows)
// CHECK: op2: loop add: ran {{[0-9]+}} times on emulator (owned rows)
//
// REPORT: remark: loop 'gauss' compiled for
// REPORT-NOT: do not own
// REPORT: loop 'chooses': kernel not raised: it computes which row
// REPORT-NOT: do not own

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

static void flux(const double *a, const double *b, double *ra, double *rb,
                 float *half) {
  double f = (a[0] - b[1]) * 0.3 + a[1] / b[0];
  ra[0] += f;
  rb[0] -= f;
  ra[1] += f / 3;
  rb[1] -= f / 7;
  ra[2] += f * f;
  rb[2] -= f * 1.1;
  half[0] += static_cast<float>(f);
}

static void ends(double **r, const double *a) {
  for (int k = 0; k < 2; ++k)
    if (a[0] > 1.1)
      r[k][0] += a[k] / 7;
    else
      r[k][2] -= a[k] / 3;
}

static void gather(double *all, const double *a) { all[0] += a[0] / 3; }

static void both(double *x, double *y, const double *a) {
  x[0] += a[0] / 3;
  y[0] += a[1] / 7;
}

static void maybe(double *x, double *y, const double *a, const int *flags) {
  if (flags[0])
    x[1] += a[0] / 3;
  if (flags[1])
    y[2] += a[1] / 7;
}

// Two additions for a component by one store: the order in which these are done
// is lost in a private row.
static void gauss(const double *a, double *r) { r[0] = r[0] + a[0] + a[1]; }

static void counted(double *r, int *count) {
  r[0] += 1;
  *count += 1;
}

// Additions to rows of an element's own are in place, one after the other.
static void own(const double *a, double *ra, double *rb, double *mine, float *few) {
  double f = a[0] * 0.3 - a[1] / 7;
  ra[1] += f;
  rb[2] -= f / 3;
  mine[0] += f;
  mine[1] -= f / 11;
  mine[0] += a[1] * 0.1;
  few[0] += static_cast<float>(f / 3);
}

// Of two handles, which may be one dat's, and what is written is read again.
static void pair(const double *a, double *r, double *x, double *y) {
  x[0] = a[0] / 3;
  y[1] = a[1] / 7;
  x[0] = x[0] * x[0] + y[1] / 3;
  y[1] -= x[1] * 0.1;
  r[0] += x[0] / 3;
}
static void add(const double *a, double *r, double *x, double *y) {
  x[0] += a[0] / 3;
  y[0] += a[1] / 7;
  x[0] += a[1] / 11;
  r[0] += a[0] / 3;
}

// Another handle looks at what is added directly; whole numbers, since threads have
// colours then.
static void look(double *r, double *mine, const double *theirs) {
  mine[0] += 2;
  r[0] += theirs[0];
  mine[0] += theirs[0];
}

// Which row is computed: not raised.
static void chooses(const double *a, double **r, double *mine, double *sum, double *written) {
  int first = a[0] > 1.05;
  written[0] = a[0] / 3;
  written[1] = written[0] * written[0];
  r[first][0] += written[1] / 7;
  r[1 - first][2] -= a[1] / 3;
  r[first][0] += a[1] / 11;
  mine[1] += written[0] / 3;
  mine[1] += written[1] / 7;
  *sum += written[0] / 3;
}

static void print(const char *name, op_dat dat, int values) {
  std::vector<double> all(values);
  op_fetch_data(dat, all.data());
  unsigned long long hash = 1469598103934665603ull;
  for (double value : all) {
    unsigned long long word;
    std::memcpy(&word, &value, sizeof word);
    hash = (hash ^ word) * 1099511628211ull;
  }
  std::printf("%s %016llx\n", name, hash);
}

static void runBoth(op_set edges, op_map map, op_dat x, op_dat y, op_dat v) {
  op_par_loop(both, "both", edges, op_arg_dat(x, 0, map, 3, "double", OP_INC),
              op_arg_dat(y, 1, map, 3, "double", OP_INC),
              op_arg_dat(v, 0, map, 2, "double", OP_READ));
}

static void runPairs(op_set edges, op_map map, op_dat v, op_dat r, op_dat x, op_dat y) {
  op_par_loop(pair, "pair", edges, op_arg_dat(v, 1, map, 2, "double", OP_READ),
              op_arg_dat(r, 0, map, 3, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_WRITE),
              op_arg_dat(y, -1, OP_ID, 2, "double", OP_WRITE));
  op_par_loop(add, "add", edges, op_arg_dat(v, 1, map, 2, "double", OP_READ),
              op_arg_dat(r, 1, map, 3, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_INC),
              op_arg_dat(y, -1, OP_ID, 2, "double", OP_INC));
}

static void runLook(op_set edges, op_map map, op_dat r, op_dat x, op_dat y) {
  op_par_loop(look, "look", edges, op_arg_dat(r, 0, map, 3, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_INC),
              op_arg_dat(y, -1, OP_ID, 2, "double", OP_READ));
}

static void runMaybe(op_set edges, op_map map, op_dat x, op_dat v, int first,
                     int second) {
  int flags[2] = {first, second};
  op_par_loop(maybe, "maybe", edges,
              op_opt_arg_dat(first, x, 0, map, 3, "double", OP_INC),
              op_opt_arg_dat(second, x, 1, map, 3, "double", OP_INC),
              op_arg_dat(v, 0, map, 2, "double", OP_READ),
              op_arg_gbl(flags, 2, "int", OP_READ));
}

/// A grid of 20 * 36 nodes, numbered as `number` says.
static void run(const std::vector<int> &number, bool isLooped) {
  const int width = 20, height = 36, nodes = width * height;
  std::vector<int> table, halves, zeros, some;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int other : {x + 1 < width ? 1 : 0, y + 1 < height ? width : 0})
        if (other)
          table.insert(table.end(), {number[y * width + x],
                                     number[y * width + x + other]});
  const int edges = int(table.size()) / 2;
  for (int n = 0; n < edges; ++n) {
    if (isLooped && n % 5 == 0) // both ends in one node
      table[2 * n + 1] = table[2 * n];
    halves.push_back(table[2 * n] / 2);
    zeros.push_back(0);
    if (n % 3)
      some.push_back(n);
  }
  std::vector<double> values(2 * nodes), none(3 * nodes);
  for (int n = 0; n < 2 * nodes; ++n)
    values[n] = 1 + 1.0 / (number[n / 2] + 1.5 + n % 2);
  std::vector<float> nothing(nodes);
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_set edgeSet = op_decl_set(edges, "edges");
  op_set halfSet = op_decl_set(nodes / 2, "halves");
  op_map map = op_decl_map(edgeSet, nodeSet, 2, table.data(), "ends");
  op_map toHalf = op_decl_map(edgeSet, halfSet, 1, halves.data(), "half");
  op_map toFirst = op_decl_map(edgeSet, nodeSet, 1, zeros.data(), "first");
  op_dat v = op_decl_dat(nodeSet, 2, "double", values.data(), "v");
  op_dat sum = op_decl_dat(nodeSet, 3, "double", none.data(), "sum");
  op_dat other = op_decl_dat(nodeSet, 3, "double", none.data(), "other");
  op_dat half = op_decl_dat(halfSet, 1, "float", nothing.data(), "half");
  for (int i = 0; i < 3; ++i) {
    op_par_loop(flux, "flux", edgeSet,
                op_arg_dat(v, 0, map, 2, "double", OP_READ),
                op_arg_dat(v, 1, map, 2, "double", OP_READ),
                op_arg_dat(sum, 0, map, 3, "double", OP_INC),
                op_arg_dat(sum, 1, map, 3, "double", OP_INC),
                op_arg_dat(half, 0, toHalf, 1, "float", OP_INC));
    op_par_loop(ends, "ends", edgeSet,
                op_arg_dat(sum, -2, map, 3, "double", OP_INC),
                op_arg_dat(v, 1, map, 2, "double", OP_READ));
  }
  print("flux", sum, 3 * nodes);
  std::vector<float> halfSums(nodes / 2);
  op_fetch_data(half, halfSums.data());
  for (int n = 0; n < nodes / 2; n += 90)
    std::printf("%a\n", halfSums[n]);
  op_par_loop(gather, "gather", edgeSet,
              op_arg_dat(sum, 0, toFirst, 3, "double", OP_INC),
              op_arg_dat(v, 0, map, 2, "double", OP_READ));
  print("gather", sum, 3 * nodes);
  runBoth(edgeSet, map, sum, other, v);
  print("both", sum, 3 * nodes);
  runBoth(edgeSet, map, other, other, v);
  print("one", other, 3 * nodes);
  for (int flags = 0; flags < 4; ++flags) {
    runMaybe(edgeSet, map, sum, v, flags & 1, flags >> 1);
    print("maybe", sum, 3 * nodes);
  }
  op_subset part =
      op_decl_subset(edgeSet, int(some.size()), some.data(), "some");
  op_par_loop(ends, "ends of some", part,
              op_arg_dat(sum, -2, map, 3, "double", OP_INC),
              op_arg_dat(v, 1, map, 2, "double", OP_READ));
  print("some", sum, 3 * nodes);
  // Coloured: sums that are exact.
  std::vector<double> halvesOf(2 * nodes, 0.5);
  op_dat exact = op_decl_dat(nodeSet, 2, "double", halvesOf.data(), "exact");
  op_par_loop(gauss, "gauss", edgeSet,
              op_arg_dat(exact, 0, map, 2, "double", OP_READ),
              op_arg_dat(other, 1, map, 3, "double", OP_INC));
  int count = 0;
  op_dat counts = op_decl_dat(nodeSet, 3, "double", none.data(), "counts");
  op_par_loop(counted, "counted", edgeSet,
              op_arg_dat(counts, 0, map, 3, "double", OP_INC),
              op_arg_gbl(&count, 1, "int", OP_INC));
  print("counted", counts, 3 * nodes);
  std::printf("%d\n", count);
  std::vector<double> ones(2 * edges, 1.0 / 3);
  op_dat mine = op_decl_dat(edgeSet, 2, "double", ones.data(), "mine");
  op_dat written = op_decl_dat(edgeSet, 2, "double", ones.data(), "written");
  std::vector<float> tenths(edges, 0.1F);
  op_dat few = op_decl_dat(edgeSet, 1, "float", tenths.data(), "few");
  double total = 0;
  for (int i = 0; i < 3; ++i) {
    op_par_loop(own, "own", edgeSet, op_arg_dat(v, 1, map, 2, "double", OP_READ),
                op_arg_dat(sum, 0, map, 3, "double", OP_INC),
                op_arg_dat(sum, 1, map, 3, "double", OP_INC),
                op_arg_dat(mine, -1, OP_ID, 2, "double", OP_INC),
                op_arg_dat(few, -1, OP_ID, 1, "float", OP_INC));
    op_par_loop(chooses, "chooses", edgeSet,
                op_arg_dat(v, 0, map, 2, "double", OP_READ),
                op_arg_dat(sum, -2, map, 3, "double", OP_INC),
                op_arg_dat(mine, -1, OP_ID, 2, "double", OP_INC),
                op_arg_gbl(&total, 1, "double", OP_INC),
                op_arg_dat(written, -1, OP_ID, 2, "double", OP_WRITE));
  }
  runPairs(edgeSet, map, v, sum, mine, written);
  print("mine", mine, 2 * edges);
  print("written", written, 2 * edges);
  runPairs(edgeSet, map, v, sum, written, written);
  print("written", written, 2 * edges);
  print("sum", sum, 3 * nodes);
  op_dat whole = op_decl_dat(nodeSet, 3, "double", none.data(), "whole");
  std::vector<double> twos(2 * edges, 2);
  op_dat steps = op_decl_dat(edgeSet, 2, "double", twos.data(), "steps");
  op_dat others = op_decl_dat(edgeSet, 2, "double", twos.data(), "others");
  for (op_dat theirs : {steps, others, steps}) {
    runLook(edgeSet, map, whole, steps, theirs);
    print("whole", whole, 3 * nodes);
    print("steps", steps, 2 * edges);
  }
  op_fetch_data(few, tenths.data());
  std::printf("%a %a\n", tenths[edges / 2], total);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  std::vector<int> number(720);
  for (int n = 0; n < 720; ++n)
    number[n] = n;
  run(number, false);
  run(number, true);
  std::mt19937 random(3);
  for (int n = 719; n > 0; --n)
    std::swap(number[n], number[random() % (n + 1)]);
  run(number, true);
  op_exit();
}
