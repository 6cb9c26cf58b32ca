// The host waits for what a loop on a device reduces where the program looks at
// it: whatever way it does, it finds the value. The program prints the same as
// with the header's own loops.
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq > %t.expected
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=openmp,seq,emulator,cuda --op2-gpu-format=ptx %s -o %t
// RUN: env OP2_TARGET=emulator %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=5 %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: %op2cxx %unoptimized -O3 -g -fno-strict-aliasing -Werror=op2-sequential --op2-target=emulator --op2-block-size=7 %s -o %t.plain
// RUN: env OP2_TARGET=emulator %t.plain | diff %t.expected -
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=emulator %s -o %t.debug
// RUN: env OP2_TARGET=emulator %t.debug | diff %t.expected -
//
// On a device whose kernels do nothing: one wait where the program looks, behind
// the loop that comes first; none for what it overwrites without having looked.
// RUN: rm -f %t.log && env OP2_TARGET=cuda OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_LOG=%t.log %t stages > %t.fake
// (With UndefinedBehaviorSanitizer kernels are not raised, so nothing is fused.)
// RUN: %if no-undefined-sanitizer %{ FileCheck %s --check-prefix=LOG < %t.log %}
// RUN: not env OP2_TARGET=cuda OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_FAIL=cuEventSynchronize=700 %t stages 2>&1 | FileCheck %s --check-prefix=FAIL
//
// LOG:      launch op2_sum
// LOG-NEXT: launch __op2_finish_sum_f64
// LOG-NOT:  {{wait|download}}
// LOG:      launch op2_bump
// LOG-NOT:  wait
// LOG:      launch op2_sum_bump
// LOG-NEXT: launch __op2_finish_sum_f64
// LOG-NEXT: wait
// FAIL: op2 error: waiting for the result of a reduction of loop sum{{(.bump)?}} failed on Fake GPU

#include "op_seq.h"
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

static void bump(double *q) { q[0] += 1; }
static void sum(const double *q, double *total) { *total += q[0]; }
static void range(const double *q, double *least, double *most) {
  if (q[0] < *least)
    *least = q[0];
  if (q[0] > *most)
    *most = q[0];
}
static void count(const double *q, int *n) { *n += q[0] > 5; }
static void scale(const double *factor, double *q) { q[0] *= *factor; }
static void flag(const double *q, int *found) {
  if (q[0] > 9)
    *found = 1;
}
double offset = 1;
static void shift(double *q) { q[0] += offset; }

static op_set cells;
static op_dat q;

#define BUMP op_par_loop(bump, "bump", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define SUM(total)                                                             \
  op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))

static double stages() {
  double total = 0;
  for (int stage = 0; stage < 2; ++stage) {
    total = 0;
    SUM(&total);
    BUMP;
  }
  return total;
}

static double throughPointer() {
  double total = 0, *known = &total;
  SUM(&total);
  BUMP;
  return *known;
}

[[gnu::noinline]] static void show(const double *value) {
  op_printf("seen %g\n", *value);
}
static void inAnotherFunction() {
  double total = 0;
  SUM(&total);
  BUMP;
  show(&total);
}

[[gnu::noinline]] static void fail(int when) {
  if (when > 2)
    throw std::runtime_error("late");
}
static double afterException() {
  double total = 0;
  for (int i = 0;; ++i)
    try {
      SUM(&total);
      BUMP;
      fail(i);
    } catch (const std::exception &error) {
      op_printf("%s\n", error.what());
      return total;
    }
}

struct Reporter {
  const double &value;
  ~Reporter() { op_printf("at the end %g\n", value); }
};
static void inDestructor() {
  double total = 0;
  Reporter reporter{total};
  SUM(&total);
  BUMP;
}

// Every value of an array, in one way or the other; the last one as bytes.
static double history() {
  double totals[6] = {}, seen = 0;
  for (int i = 0; i < 6; ++i) {
    SUM(&totals[i]);
    BUMP;
    if (i % 2)
      seen += totals[i - 1];
  }
  double last;
  std::memcpy(&last, &totals[5], sizeof last);
  return seen + totals[1] + last;
}

// Later loops add to it, read it, and change what it lies in.
static double chained() {
  double total = 0;
  SUM(&total);
  BUMP;
  SUM(&total);
  const double before = total;
  double factor = 0;
  SUM(&factor);
  op_par_loop(scale, "scale", cells,
              op_arg_gbl(&factor, 1, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  double sums[2] = {0, 0};
  SUM(sums);
  factor = 1 / factor;
  op_par_loop(scale, "scale back", cells,
              op_arg_gbl(&factor, 1, "double", OP_READ),
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  return before + total + sums[0];
}

static void severalResults() {
  double least = 1e9, most = -1e9, total = 0;
  int n = 0, found = 0;
  op_par_loop(range, "range", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_gbl(&most, 1, "double", OP_MAX));
  op_par_loop(count, "count", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&n, 1, "int", OP_INC));
  SUM(&total);
  op_par_loop(flag, "flag", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&found, 1, "int", OP_WRITE));
  BUMP;
  op_printf("%d %d", n, found);
  op_printf(" %g %g %g\n", least, total, most);
}

// A kernel reads by name what another one has reduced.
static void constant() {
  offset = -54;
  SUM(&offset);
  op_par_loop(shift, "shift", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  BUMP;
  op_printf("offset %g\n", offset);
}

// In a loop of the host's, on the heap, and only now and then.
static double onTheHeap() {
  auto values = std::make_unique<double[]>(4);
  double seen = 0;
  for (int i = 0; i < 8; ++i) {
    SUM(&values[i % 4]);
    BUMP;
    if (i == 5)
      for (int k = 0; k < 4; ++k) {
        seen += values[k];
        values[k] = 0;
      }
  }
  return seen + values[3];
}

static double early(int when) {
  double total = 0;
  SUM(&total);
  if (when == 0)
    return total;
  BUMP;
  if (when == 1)
    return total;
  if (when == 2)
    goto last;
  total = 0;
last:
  BUMP;
  return total;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<double> values;
  for (int i = 0; i < 10; ++i)
    values.push_back(i + 1);
  cells = op_decl_set(10, "cells");
  q = op_decl_dat(cells, 1, "double", values.data(), "q");
  op_decl_const(1, "double", &offset);

  op_printf("stages %g\n", stages());
  if (argc > 1 && !std::strcmp(argv[1], "stages")) {
    op_exit();
    return 0;
  }
  op_printf("pointer %g\n", throughPointer());
  inAnotherFunction();
  op_printf("exception %g\n", afterException());
  inDestructor();
  op_printf("history %g\n", history());
  op_printf("chained %.10g\n", chained());
  severalResults();
  constant();
  op_printf("heap %g\n", onTheHeap());
  for (int when = 0; when < 4; ++when)
    op_printf("early %g\n", early(when));
  op_fetch_data(q, values.data());
  for (double value : values)
    op_printf("%.10g\n", value);
  op_exit();
}
