// Loops that the compiler splits do what they do whole: the program prints the
// same without --op2-split, with the header's own loops, and for any number of
// threads. Its numbers are such that sums do not depend on their order.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq | grep -v '^op2:' > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-split=always --op2-vector-bits=256 --op2-report --op2-target=openmp,seq %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %t > %t.out
// RUN: grep -v '^op2:' %t.out | diff %t.expected -
// RUN: FileCheck %s < %t.out
// RUN: env OP2_TARGET=seq %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_CHECK=1 %t | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O2 -Werror=op2-sequential --op2-split --op2-strategy=owner --op2-report %s -o %t.owner 2>&1 | FileCheck %s --check-prefix=OWNER
// RUN: env OMP_NUM_THREADS=5 OP2_OWNER=always %t.owner > %t.owned
// RUN: grep -v '^op2:' %t.owned | diff %t.expected -
// RUN: FileCheck %s --check-prefix=OWNED < %t.owned
//
// With `always`: all that may be split. Without: what the model chooses.
// REMARK-DAG: remark: loop 'flux' split for openmp: its parts hold
// REMARK-DAG: remark: loop 'pack' split for openmp: one part can be vectorized
// REMARK-DAG: remark: loop 'both' split for openmp: its parts hold 2 values of an element at most, instead of 3
// REMARK-DAG: remark: loop 'chained' not split: [X3] argument 1 of 'chained' goes into what is computed for argument 2
// OWNER-DAG: remark: loop 'flux' split for openmp: one part can be divided by ownership
// OWNED: op2: loop flux.1: ran 4 times on openmp (ownership)
// OWNER-DAG: remark: loop 'both' not split: its parts would not run better than the whole
//
// The first call checks the handles, by the loop's own name. Where two handles
// are one dat, the loop runs whole.
// CHECK-DAG: op2: loop flux: ran 1 times on openmp
// CHECK-DAG: op2: loop flux.1: ran 4 times on openmp
// CHECK-DAG: op2: loop both: ran 4 times on openmp
// CHECK-DAG: op2: loop both.1: ran 2 times on openmp

#include "op_seq.h"

#include <vector>

static void flux(const double *l, const double *r, double *resl, double *resr,
                 double *seen, double *total) {
  double d = l[0] - r[1];
  for (int i = 0; i < 2; ++i) {
    resl[i] += d;
    resr[i] -= d;
  }
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += l[i] * 2;
  if (sum > 10)
    *seen = sum;
  else
    *seen = *seen / 2 + 1;
  *total += *seen;
}

// The second part has an argument that cannot be vectorized.
static void pack(const double *a, double *b, double *bump) {
  b[0] = a[0] * a[1] + 1;
  bump[1] = bump[1] * 2 + a[0];
}

static void both(const double *x, double *a, double *b) {
  a[0] = x[0] + 1;
  b[0] = x[0] + 2;
}

static void chained(const double *x, double *a, double *b) {
  b[0] = a[0] * 2;
  a[0] = x[0] + 3;
}

static void show(const char *what, op_dat dat) {
  std::vector<double> values(size_t(dat->set->size) * size_t(dat->dim));
  op_fetch_data(dat, values.data());
  double weighted = 0;
  for (size_t n = 0; n < values.size(); ++n)
    weighted += values[n] * double(n % 17 + 1);
  op_printf("%s %s %.17g\n", what, dat->name, weighted);
}

static void runBoth(op_set set, op_dat x, op_dat a, op_dat b) {
  op_par_loop(both, "both", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  const int numCells = 1009, numEdges = numCells - 1;
  op_set cells = op_decl_set(numCells, "cells");
  op_set edges = op_decl_set(numEdges, "edges");
  std::vector<int> ends(size_t(numEdges) * 2),
      own(static_cast<size_t>(numEdges));
  for (int e = 0; e < numEdges; ++e) {
    ends[size_t(e) * 2] = e;
    ends[size_t(e) * 2 + 1] = e + 1;
    own[size_t(e)] = numEdges - 1 - e;
  }
  op_map toCells = op_decl_map(edges, cells, 2, ends.data(), "toCells");
  op_map toOne = op_decl_map(edges, cells, 1, own.data(), "toOne");
  std::vector<double> values(size_t(numCells) * 2), one(size_t(numCells), 0);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = double(i % 23) / 4;
  op_dat q = op_decl_dat(cells, 2, "double", values.data(), "q");
  op_dat res = op_decl_dat(cells, 2, "double", values.data(), "res");
  op_dat x = op_decl_dat(cells, 1, "double", one.data(), "x");
  op_dat a = op_decl_dat(cells, 1, "double", one.data(), "a");
  op_dat b = op_decl_dat(cells, 1, "double", one.data(), "b");
  op_dat seen = op_decl_dat(edges, 1, "double", one.data(), "seen");
  op_dat pair = op_decl_dat(edges, 2, "double", values.data(), "pair");

  double total = 0;
  for (int i = 0; i < 5; ++i)
    op_par_loop(flux, "flux", edges,
                op_arg_dat(q, 0, toCells, 2, "double", OP_READ),
                op_arg_dat(q, 1, toCells, 2, "double", OP_READ),
                op_arg_dat(res, 0, toCells, 2, "double", OP_INC),
                op_arg_dat(res, 1, toCells, 2, "double", OP_INC),
                op_arg_dat(seen, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&total, 1, "double", OP_INC));
  op_printf("total %.17g\n", total);
  show("flux", res);
  show("flux", seen);

  for (int i = 0; i < 3; ++i)
    op_par_loop(pack, "pack", edges,
                op_arg_dat(pair, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(seen, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(res, 0, toOne, 2, "double", OP_RW));
  show("pack", seen);
  show("pack", res);

  for (int i = 0; i < 3; ++i)
    runBoth(cells, x, a, b);
  show("both", a);
  show("both", b);
  // One part would change what the other one reads.
  for (int i = 0; i < 3; ++i)
    runBoth(cells, a, a, b);
  show("aliased", a);
  show("aliased", b);
  op_par_loop(chained, "chained", cells,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(a, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE));
  show("chained", a);
  show("chained", b);
  op_exit();
}
