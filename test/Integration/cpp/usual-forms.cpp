// Kernels with paths that print or do not return (exceptions, asserts, exit) run in vectors
// where no element takes one; where one does, all is as in sequence.
//
// RUN: %if no-undefined-sanitizer %{ %op2cxx -O3 -march=x86-64-v4 -ffp-contract=off -Wno-error=op2-inc -c --op2-report %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REPORT %}
// RUN: %op2cxx -O3 -march=native -ffp-contract=off -Wno-error=op2-inc --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OMP_NUM_THREADS=1 %t > %t.one && diff %t.seq %t.one
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t > %t.two && diff %t.seq %t.two
// RUN: %op2cxx -O3 -march=x86-64-v3 -ffp-contract=off -Wno-error=op2-inc %s -o %t.avx2
// RUN: env OMP_NUM_THREADS=2 %t.avx2 > %t.two && diff %t.seq %t.two
// RUN: %op2cxx -O2 -march=x86-64 -ffp-contract=off -Wno-error=op2-inc %s -o %t.sse
// RUN: env OMP_NUM_THREADS=2 %t.sse > %t.two && diff %t.seq %t.two
//
// What the elements before the one that throws have done, and none behind it.
// RUN: env OP2_TARGET=seq %t one > %t.seq
// RUN: env OMP_NUM_THREADS=1 %t one > %t.one && diff %t.seq %t.one
//
// Aborts and exits: the program ends as in sequence.
// RUN: not --crash env OMP_NUM_THREADS=2 %t assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: *values > -1
// RUN: not env OMP_NUM_THREADS=2 %t exit | FileCheck %s --check-prefix=EXIT
// EXIT: value 77 is negative
#undef NDEBUG
#include "op_seq.h"

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

static const int kCells = 1003, kNodes = 517;

static double root(double x) {
  if (x < 0)
    throw std::domain_error(std::string("root of ") + "a negative number");
  return std::sqrt(x);
}

// REPORT-DAG: loop 'direct': vectorized
// REPORT-DAG: loop 'direct': kernel raised, but for paths that print or do not return{{$}}
static void direct(const double *values, double *result) {
  result[0] = root(values[0]);
  result[1] = root(values[0] + 1) + values[1];
}
// What has been written before an element throws stays.
// REPORT-DAG: loop 'inTheMiddle': vectorized
static void inTheMiddle(const double *values, double *result) {
  result[0] += 1;
  if (values[1] < 0)
    throw std::runtime_error("in the middle");
  result[1] *= 2;
}
// REPORT-DAG: loop 'scatter': vectorized across {{[0-9]+}} elements; threads divide them by block colours, because its kernel has paths that print or do not return
static void scatter(const double *a, const double *b, double *left, double *right,
                    double *sum, int *count, double *largest) {
  double flux = root(a[0]) * 0.25 - b[1];
  left[0] += flux;
  left[1] += root(b[0]);
  left[0] += root(b[0]) * 0.5;
  right[0] -= flux;
  *sum += flux;
  *count += flux > 0;
  *largest = std::fmax(*largest, flux);
}
// REPORT-DAG: loop 'send': vectorized
static void send(const double *a, const double *b, double *left, double *right) {
  double flux = root(a[0]) - root(b[0]);
  left[0] += flux;
  left[0] += a[1];
  right[1] -= flux;
}
// A place in a table that only the check makes safe.
static double table[4] = {1, 2, 4, 8};
// REPORT-DAG: loop 'lookUp': vectorized
static void lookUp(const double *values, double *result) {
  int place = int(values[1]);
  if (place < 0 || place >= 4)
    throw std::out_of_range("place " + std::to_string(place));
  result[0] = std::sqrt(table[place] / values[0]) / std::sqrt(values[0] + 1);
}
// REPORT-DAG: loop 'loops': vectorized
static void loops(const double *values, const int *number, double *result) {
  double x = values[0];
  for (int n = 0; n < 3 + int(values[1]); ++n) {
    if (x > 1e6)
      throw std::overflow_error("element " + std::to_string(*number));
    x = x * 1.5 + 1;
  }
  result[1] = x;
}
// REPORT-DAG: loop 'asserts': vectorized
static void asserts(const double *values, float *result, bool *flag) {
  assert(*values > -1);
  *result = float(values[0] * 2);
  *flag = values[0] > 3;
}
// REPORT-DAG: loop 'exits': vectorized
static void exits(const double *values, const int *number, double *result) {
  if (values[0] < 0) {
    std::printf("value %d is negative\n", *number);
    std::fflush(stdout);
    std::exit(3);
  }
  result[0] = values[0];
}
// REPORT-DAG: loop 'rows': vectorized
static void rows(const double *const *values, double *result) {
  switch (int(values[0][1])) {
  case 0:
    result[0] = values[1][0];
    break;
  case 1:
    result[0] = values[1][1];
    break;
  default:
    throw values[0][1];
  }
  result[1] = 1;
}
// What an element does depends on what others have added.
// REPORT-DAG: loop 'full': not vectorized
static void full(double *row) {
  row[0] += 1;
  if (row[0] > 4e9)
    throw std::length_error("full");
}
// Its paths return.
// REPORT-DAG: loop 'catches': not vectorized
static void catches(const double *values, double *result) {
  try {
    result[0] = root(values[0]);
  } catch (const std::exception &) {
    result[0] = -1;
  }
}

static op_set cells, nodes;
static op_map cellNodes;
static op_dat values, result, nodeValues, sums, floats, flags;

static unsigned long hash(op_dat dat) {
  const char *bytes = dat->data;
  unsigned long h = 14695981039346656037ul;
  for (int i = 0; i < dat->size * dat->set->size; ++i)
    h = (h ^ (unsigned char)bytes[i]) * 1099511628211ul;
  return h;
}

template <typename Loop> static void run(const char *name, Loop loop) {
  try {
    loop();
    std::printf("%s:", name);
  } catch (const std::exception &error) {
    std::printf("%s throws '%s':", name, error.what());
  } catch (double value) {
    std::printf("%s throws %g:", name, value);
  }
}

#define OWN(dat, dim, type, access) op_arg_dat(dat, -1, OP_ID, dim, type, access)

static int calls = 0;

static void runAll(bool isWhole) {
  bool isFirst = ++calls == 1;
  auto print = [&](op_dat dat) {
    // Which elements come before another one is the threads' choice.
    if (isWhole)
      std::printf(" %016lx", hash(dat));
    std::printf("\n");
  };
  // Blocks have colours: the order of elements is another one than in sequence.
  auto printSums = [&] {
    if (isFirst)
      std::printf(" %016lx", hash(sums));
    std::printf("\n");
  };
  run("direct", [&] {
    op_par_loop(direct, "direct", cells, OWN(values, 2, "double", OP_READ),
                OWN(result, 2, "double", OP_WRITE));
  });
  print(result);
  run("inTheMiddle", [&] {
    op_par_loop(inTheMiddle, "inTheMiddle", cells,
                OWN(values, 2, "double", OP_READ), OWN(result, 2, "double", OP_RW));
  });
  print(result);
  double sum = 0, largest = -1e300;
  int count = 0;
  run("scatter", [&] {
    op_par_loop(scatter, "scatter", cells,
                op_arg_dat(nodeValues, 0, cellNodes, 2, "double", OP_READ),
                op_arg_dat(nodeValues, 1, cellNodes, 2, "double", OP_READ),
                op_arg_dat(sums, 0, cellNodes, 2, "double", OP_INC),
                op_arg_dat(sums, 1, cellNodes, 2, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&count, 1, "int", OP_INC),
                op_arg_gbl(&largest, 1, "double", OP_MAX));
  });
  if (isFirst)
    std::printf(" %a %d %a", sum, count, largest);
  printSums();
  run("send", [&] {
    op_par_loop(send, "send", cells,
                op_arg_dat(nodeValues, 0, cellNodes, 2, "double", OP_READ),
                op_arg_dat(nodeValues, 1, cellNodes, 2, "double", OP_READ),
                op_arg_dat(sums, 0, cellNodes, 2, "double", OP_INC),
                op_arg_dat(sums, 1, cellNodes, 2, "double", OP_INC));
  });
  printSums();
  run("lookUp", [&] {
    op_par_loop(lookUp, "lookUp", cells, OWN(values, 2, "double", OP_READ),
                OWN(result, 2, "double", OP_RW));
  });
  print(result);
  run("loops", [&] {
    op_par_loop(loops, "loops", cells, OWN(values, 2, "double", OP_READ),
                op_arg_idx(-1, OP_ID), OWN(result, 2, "double", OP_RW));
  });
  print(result);
  run("rows", [&] {
    op_par_loop(rows, "rows", cells,
                op_arg_dat(nodeValues, -2, cellNodes, 2, "double", OP_READ),
                OWN(result, 2, "double", OP_WRITE));
  });
  print(result);
  run("full", [&] {
    op_par_loop(full, "full", cells,
                op_arg_dat(sums, 1, cellNodes, 2, "double", OP_INC));
  });
  printSums();
  run("catches", [&] {
    op_par_loop(catches, "catches", cells, OWN(values, 2, "double", OP_READ),
                OWN(result, 2, "double", OP_RW));
  });
  print(result);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::string mode = argc > 1 ? argv[1] : "";
  std::vector<int> map;
  for (int cell = 0; cell < kCells; ++cell) {
    map.push_back(cell * 7 % kNodes);
    map.push_back((cell * 7 + 1) % kNodes);
  }
  std::vector<double> ofCells(2 * kCells), ofNodes(2 * kNodes), zeros(2 * kCells);
  for (int i = 0; i < 2 * kCells; ++i)
    ofCells[i] = i % 2 ? i / 2 % 4 : 1 + i % 17 * 0.37;
  for (int i = 0; i < 2 * kNodes; ++i)
    ofNodes[i] = i % 2 ? i / 2 % 2 : (i % 13) * (i % 13); // exact sums
  std::vector<float> singles(kCells);
  std::vector<char> bools(kCells);
  cells = op_decl_set(kCells, "cells");
  nodes = op_decl_set(kNodes, "nodes");
  cellNodes = op_decl_map(cells, nodes, 2, map.data(), "cellNodes");
  values = op_decl_dat(cells, 2, "double", ofCells.data(), "values");
  result = op_decl_dat(cells, 2, "double", zeros.data(), "result");
  nodeValues = op_decl_dat(nodes, 2, "double", ofNodes.data(), "nodeValues");
  sums = op_decl_dat(nodes, 2, "double", zeros.data(), "sums");
  floats = op_decl_dat(cells, 1, "float", singles.data(), "floats");
  flags = op_decl_dat(cells, 1, "bool", (bool *)bools.data(), "flags");

  // CHECK: direct: {{[0-9a-f]+$}}
  // CHECK: inTheMiddle: {{[0-9a-f]+$}}
  // CHECK: scatter: {{.*$}}
  // CHECK: send: {{[0-9a-f]+$}}
  // CHECK: lookUp: {{[0-9a-f]+$}}
  // CHECK: loops: {{[0-9a-f]+$}}
  // CHECK: rows: {{[0-9a-f]+$}}
  // CHECK: full: {{[0-9a-f]+$}}
  // CHECK: catches: {{[0-9a-f]+$}}
  runAll(/*isWhole=*/true);
  op_par_loop(asserts, "asserts", cells,
              op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(floats, -1, OP_ID, 1, "float", OP_WRITE),
              op_arg_dat(flags, -1, OP_ID, 1, "bool", OP_WRITE));
  op_par_loop(exits, "exits", cells,
              op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),
              op_arg_idx(-1, OP_ID),
              op_arg_dat(result, -1, OP_ID, 2, "double", OP_RW));
  std::printf("%016lx %016lx\n", hash(floats), hash(flags));

  // One element of each that throws.
  ofCells[2 * 77] = -5;
  ofCells[2 * 78 + 1] = mode.empty() || mode == "one" ? -2 : 0;
  std::memcpy(values->data, ofCells.data(), ofCells.size() * sizeof(double));
  if (mode == "assert")
    op_par_loop(asserts, "asserts", cells,
                op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(floats, -1, OP_ID, 1, "float", OP_WRITE),
                op_arg_dat(flags, -1, OP_ID, 1, "bool", OP_WRITE));
  if (mode == "exit")
    op_par_loop(exits, "exits", cells,
                op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),
                op_arg_idx(-1, OP_ID),
                op_arg_dat(result, -1, OP_ID, 2, "double", OP_RW));
  ofNodes[2 * 91] = -4;
  ofNodes[2 * 91 + 1] = 9;
  std::memcpy(nodeValues->data, ofNodes.data(), ofNodes.size() * sizeof(double));
  // CHECK: direct throws 'root of a negative number':
  // CHECK: inTheMiddle throws 'in the middle':
  // CHECK: scatter throws 'root of a negative number':
  // CHECK: send throws 'root of a negative number':
  // CHECK: lookUp throws 'place -2':
  // CHECK: rows throws 9:
  // CHECK: full:
  runAll(/*isWhole=*/mode == "one");
  op_exit();
}
