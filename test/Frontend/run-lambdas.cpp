// Lambdas as kernels, several in one file and beside others: each loop runs its
// own, on every target and at every level of optimisation.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref | FileCheck %s
// RUN: %op2cxx -O0 -Werror=op2-sequential %s -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report --op2-target=seq,openmp,emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT-COUNT-9: compiled for seq, openmp, emulator
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_TARGET=openmp %t | FileCheck %s
// RUN: env OP2_TARGET=emulator %t | FileCheck %s
#include "op_seq.h"
#include <algorithm>
#include <cstdio>

// The first lambdas of the file: 1 + 1, times 10.
static void addAndMultiply(op_set set, op_dat d) {
  op_par_loop(+[](double *q) { *q += 1; }, "add", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(+[](double *q) { *q *= 10; }, "multiply", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
}

static auto descending = [](int a, int b) { return a > b; };

namespace {
struct Local {
  double v;
};
} // namespace

// Types without a name: what the loops are made from has none, either.
struct {
  double v;
} unnamed;
static void addUnnamed(decltype(unnamed) *q) { q->v += 1; }
static void addLocal(Local *q) { q->v += 2; }

constexpr auto tenfold = +[](double *q) { *q *= 10; };

template <int N> constexpr auto choose() {
  if constexpr (N == 0)
    return +[](double *q) { *q -= 3; };
  else
    return +[](double *q) { *q /= 2; };
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double one[] = {1, 1};
  op_set set = op_decl_set(2, "set");
  op_dat d = op_decl_dat(set, 1, "double", one, "d");
  int order[] = {1, 3, 2};
  std::sort(order, order + 3, descending);
  std::sort(order, order + 2, [](int a, int b) { return a < b; });
  addAndMultiply(set, d);
  op_fetch_data(d, one);
  // CHECK: 20 20 2
  std::printf("%g %g %d\n", one[0], one[1], order[0]);
  op_par_loop(tenfold, "tenfold", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(choose<0>(), "minus", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(choose<1>(), "half", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(addUnnamed, "unnamed", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(addLocal, "local", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  auto generic = [](auto *q) { *q += 0.25; };
  op_par_loop(+[](double *q) { *q += 0.5; }, "last", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(static_cast<void (*)(double *)>(generic), "generic", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(d, one);
  // CHECK: 102.25 102.25
  std::printf("%g %g\n", one[0], one[1]);
  op_exit();
}
