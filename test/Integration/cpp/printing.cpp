// Kernels that print on some paths, and go on, run in vectors where no element
// prints; where one does, all is as in sequence.
//
// RUN: %if no-undefined-sanitizer %{ %op2cxx -O3 -march=x86-64-v4 -ffp-contract=off -Wno-error=op2-sequential -Wno-error=op2-shared -c --op2-report %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REPORT %}
// RUN: %clangxx -O1 -ffp-contract=off -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.header
// RUN: FileCheck %s < %t.header
// RUN: %op2cxx -O3 -march=native -ffp-contract=off -Wno-error=op2-sequential -Wno-error=op2-shared --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.header -
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: sort %t.one > %t.a && sort %t.header > %t.b && diff %t.a %t.b
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t threads > %t.two
// RUN: %t.dev threads | sort > %t.sorted && sort %t.two | diff %t.sorted -
// RUN: %op2cxx -O2 -march=x86-64 -ffp-contract=off -Wno-error=op2-sequential -Wno-error=op2-shared %s -o %t.sse
// RUN: env OMP_NUM_THREADS=2 %t.sse threads | sort | diff %t.sorted -
#include "../ranks/Inputs/bits.h"
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

static const int kCells = 1003, kNodes = 517;

// REPORT-DAG: loop 'flux': vectorized across {{[0-9]+}} elements; threads divide them by block colours, because its kernel has paths that print or do not return
// REPORT-DAG: loop 'flux': kernel raised, but for paths that print or do not return{{$}}
static void flux(const double *a, const double *b, const int *number,
                 double *left, double *right, double *sum, int *wrong) {
  double p = a[0] * b[1] - b[0];
  if (p < -2) {
    std::printf("flux: pressure %a of %d\n", p, *number);
    *wrong += 1;
  }
  double c = std::sqrt(std::fabs(p) + 1) / (1 + a[1] * a[1]);
  left[0] += c;
  left[1] += p * c;
  right[0] -= c;
  *sum += p;
}
// What follows is another value.
// REPORT-DAG: loop 'mend': kernel raised, but for paths that print or do not return{{$}}
static void mend(const double *values, const int *number, double *result) {
  double p = values[0] - values[1] * 0.5;
  if (p < 0) {
    std::fprintf(stdout, "mend: %d\n", *number);
    result[1] = 7;
    p = 1e-6;
  }
  result[0] = std::sqrt(p) + result[1] / (values[1] * values[1] + 1);
}
// REPORT-DAG: loop 'search': kernel raised, but for paths that print or do not return{{$}}
static void search(const double *values, const int *number, double *result) {
  double x = values[0];
  int steps = 0;
  for (; steps < 5; ++steps) {
    x = x * 1.5 - values[1] / (1 + x * x);
    if (x > 12) {
      std::printf("search: %d in step %d\n", *number, steps);
      break;
    }
    if (x < -12)
      std::puts("search: too small");
  }
  result[0] = x + steps;
}
// Some throw, some print.
// REPORT-DAG: loop 'mixed': kernel raised, but for paths that print or do not return{{$}}
static void mixed(const double *values, const int *number, double *result) {
  if (values[0] < 0.01)
    std::printf("mixed: %d\n", *number);
  if (values[0] < -100)
    throw 1;
  result[0] = 1 / values[0];
  result[1] += std::sqrt(std::fabs(values[1]));
}

// Others must not go this way: elements that follow see what these change.
static int messages = 0;
// REPORT-DAG: loop 'few': kernel not raised: it calls 'printf'
static void few(const double *values, const int *number, double *result) {
  if (values[0] < 1 && messages < 5) {
    std::printf("few: %d\n", *number);
    ++messages;
  }
  result[0] = values[0] * messages;
}
static double limit = 0;
// REPORT-DAG: loop 'greatest': kernel not raised: it calls 'printf'
static void greatest(const double *values, double *result) {
  if (values[0] > limit) {
    std::printf("greatest: %a\n", values[0]);
    limit = values[0];
  }
  result[0] = limit;
}
static int length = 0;
// REPORT-DAG: loop 'measure': kernel not raised: it calls 'printf'
static void measure(const double *values, const int *number, double *result) {
  if (values[0] > 3)
    std::printf("measure: %d%n\n", *number * *number, &length);
  result[0] = length;
}
static std::FILE *ownStream = nullptr;
// REPORT-DAG: loop 'elsewhere': kernel not raised: it calls 'fprintf'
static void elsewhere(const double *values, const int *number, double *result) {
  if (values[0] > 3)
    std::fprintf(ownStream, "%d ", *number);
  result[0] = values[1];
}
// REPORT-DAG: loop 'always': kernel not raised: it calls 'printf'
static void always(const double *values, const int *number, double *result) {
  std::printf("always: %d\n", *number);
  result[0] = values[1];
}

int main(int argc, char **argv) {
  bool inThreads = argc > 1;
  op_init(1, argv, 0);
  std::vector<int> map(2 * kCells), numbers(kCells);
  std::vector<double> x(2 * kCells), zeros(2 * kCells), y(2 * kNodes);
  for (int n = 0; n < kCells; ++n) {
    map[2 * n] = n * 7 % kNodes;
    map[2 * n + 1] = (n * 7 + 1 + n % 5) % kNodes;
    numbers[n] = n;
    x[2 * n] = 1.5 + std::sin(n * 0.37) * (n % 50 == 9 ? 2 : 1.2);
    x[2 * n + 1] = std::cos(n * 0.11);
  }
  for (int n = 0; n < kNodes; ++n) {
    y[2 * n] = 1 + std::sin(n * 0.53);
    y[2 * n + 1] = n % 71 == 3 ? -3 : std::cos(n * 0.17);
  }
  op_set cells = op_decl_set(kCells, "cells");
  op_set nodes = op_decl_set(kNodes, "nodes");
  op_map ends = op_decl_map(cells, nodes, 2, map.data(), "ends");
  op_dat values = op_decl_dat(cells, 2, "double", x.data(), "values");
  op_dat number = op_decl_dat(cells, 1, "int", numbers.data(), "number");
  op_dat result = op_decl_dat(cells, 2, "double", zeros.data(), "result");
  op_dat at = op_decl_dat(nodes, 2, "double", y.data(), "at");
  std::vector<double> none(2 * kNodes);
  op_dat into = op_decl_dat(nodes, 2, "double", none.data(), "into");
  for (int turn = 0; turn < 2; ++turn) {
    double sum = 0;
    int wrong = 0;
    op_par_loop(flux, "flux", cells,
                op_arg_dat(at, 0, ends, 2, "double", OP_READ),
                op_arg_dat(at, 1, ends, 2, "double", OP_READ),
                op_arg_dat(number, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(into, 0, ends, 2, "double", OP_INC),
                op_arg_dat(into, 1, ends, 2, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&wrong, 1, "int", OP_INC));
    // The order of what is added to a row is that of colours.
    std::vector<double> copy(2 * kNodes);
    op_fetch_data(into, copy.data());
    for (double &value : copy)
      value = std::round(value * 1e6);
    std::printf("flux: %a, %d wrong\n", sum, wrong);
    printBits("flux", copy);
#define OP2_LOOP(kernel)                                                       \
  op_par_loop(kernel, #kernel, cells,                                          \
              op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),             \
              op_arg_dat(number, -1, OP_ID, 1, "int", OP_READ),                \
              op_arg_dat(result, -1, OP_ID, 2, "double", OP_RW));              \
  print(#kernel, result)
    OP2_LOOP(mend);
    OP2_LOOP(search);
    OP2_LOOP(mixed);
    if (inThreads)
      continue;
    OP2_LOOP(few);
    op_par_loop(greatest, "greatest", cells,
                op_arg_dat(values, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(result, -1, OP_ID, 2, "double", OP_RW));
    print("greatest", result);
    OP2_LOOP(measure);
    static char text[1 << 16];
    ownStream = fmemopen(text, sizeof(text), "w");
    OP2_LOOP(elsewhere);
    std::fclose(ownStream);
    std::printf("elsewhere: %.40s\n", text);
    OP2_LOOP(always);
  }
  // CHECK: flux: pressure -0x{{.*}} of
  // CHECK: mend: {{[0-9]+$}}
  // CHECK: search: {{[0-9]+}} in step
  // CHECK: mixed: {{[0-9]+$}}
  // CHECK: few: {{[0-9]+$}}
  // CHECK: greatest: 0x
  // CHECK: measure: {{[0-9]+$}}
  // CHECK: always: 1002
  op_exit();
}
