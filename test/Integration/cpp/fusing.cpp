// Loops that the compiler fuses do what they do alone, whatever happens between
// them: the program prints the same with --op2-no-fuse, with the header's own
// loops, and for any number of threads.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq | grep -v '^op2:' > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,seq,emulator %s -o %t
// RUN: %t > %t.out
// RUN: grep -v '^op2:' %t.out | diff %t.expected -
// RUN: FileCheck %s < %t.out
// RUN: env OP2_TARGET=seq %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=8 %t | grep -v '^op2:' | diff %t.expected -
// RUN: %t OP_NO_REALLOC | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O2 -Werror=op2-sequential --op2-no-fuse %s -o %t.unfused
// RUN: %t.unfused | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx -O3 -g -fno-strict-aliasing -Werror=op2-sequential --op2-vector-bits=256 --op2-block-size=7 %s -o %t.wide
// RUN: env OMP_NUM_THREADS=5 %t.wide | grep -v '^op2:' | diff %t.expected -
//
// On a device.
// RUN: env OP2_TARGET=emulator %t > %t.out
// RUN: grep -v '^op2:' %t.out | diff %t.expected -
// RUN: FileCheck %s --check-prefix=DEVICE < %t.out
// DEVICE-DAG: op2: loop bump+twice: ran {{[0-9]+}} times on emulator
// DEVICE-DAG: op2: loop sum+bump: ran 4 times on emulator

// What was fused is booked under both names; alone it ran at the first call, in
// which its handles were checked, and where it could not wait.
// CHECK-DAG: op2: loop bump+twice: ran {{[0-9]+}} times on openmp
// CHECK-DAG: op2: loop bump: ran {{[0-9]+}} times on openmp
// CHECK-DAG: op2: loop sum+bump: ran 4 times on openmp
// The second one needs fewer slots of the map than the first.
// CHECK-DAG: op2: loop ends+first: ran 3 times on openmp
// CHECK-DAG: op2: loop sum: ran 2 times on openmp (direct), at fusing.cpp:[[#@LINE+59]]

#include "op_seq.h"
#include <stdexcept>
#include <utility>
#include <vector>

static void bump(double *q) { q[0] += 1; }
static void twice(const double *q, double *p) { p[0] = 2 * q[0] + p[0]; }
static void sum(const double *q, double *total) {
  *total += q[0];
  *total += 1;
}
static void scale(double *q, const double *factor) { q[0] *= *factor; }
static void gather(const double *left, const double *right, double *p) {
  p[0] = left[0] - right[0] + p[0];
}

static double offset = 1;
static void shift(double *q) { q[0] += offset > 1000 ? 1 : 2; }

struct Mesh {
  op_set cells, nodes;
  op_map next;
  op_dat q, p;
};

static void show(const char *what, op_dat dat) {
  std::vector<double> values(size_t(dat->set->size));
  op_fetch_data(dat, values.data());
  double weighted = 0;
  for (size_t n = 0; n < values.size(); ++n)
    weighted += values[n] * double(n % 17 + 1);
  op_printf("%s %s %.17g\n", what, dat->name, weighted);
}

// The handles of both loops are what they seem.
static void plain(const Mesh &m, op_dat q, op_dat p, const char *what) {
  for (int i = 0; i < 5; ++i) {
    op_par_loop(bump, "bump", m.cells,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(twice, "twice", m.cells,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
  }
  show(what, q);
  show(what, p);
}

// Around the back edge of a loop, with a reduction that is looked at behind it.
static double around(const Mesh &m) {
  double total = 0;
  for (int i = 0; i < 6; ++i) {
    op_par_loop(bump, "bump", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(gather, "gather", m.cells,
                op_arg_dat(m.q, 0, m.next, 1, "double", OP_READ),
                op_arg_dat(m.q, 1, m.next, 1, "double", OP_READ),
                op_arg_dat(m.p, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(sum, "sum", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&total, 1, "double", OP_INC));
  }
  return total;
}

// Between the loops, sometimes: output, a value that is looked at, the end.
static double sometimes(const Mesh &m, int when, int kind) {
  double total = 0, seen = 0;
  for (int i = 0; i < 5; ++i) {
    op_par_loop(sum, "sum", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&total, 1, "double", OP_INC));
    if (i == when) {
      if (kind == 0)
        op_printf("between %d\n", i);
      else if (kind == 1)
        seen += total;
      else if (kind == 2)
        show("between", m.q);
      else if (kind == 3)
        return total;
      else if (kind == 4)
        throw std::runtime_error("between");
      else if (kind == 5)
        total = 0;
    }
    op_par_loop(bump, "bump", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_RW));
  }
  return total + seen;
}

// A value that the first loop reads changes before the second one.
static void changing(const Mesh &m) {
  double factor = 1;
  for (int i = 0; i < 4; ++i) {
    op_par_loop(scale, "scale", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&factor, 1, "double", OP_READ));
    factor = 4 - factor;
    op_par_loop(twice, "twice", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(m.p, -1, OP_ID, 1, "double", OP_RW));
  }
  show("changing", m.q);
  show("changing", m.p);
}

// The second kernel reads by its name what the first loop sums up.
static double byName(const Mesh &m) {
  for (int i = 0; i < 4; ++i) {
    offset = 0;
    op_par_loop(sum, "sum", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&offset, 1, "double", OP_INC));
    op_par_loop(shift, "shift", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_RW));
  }
  return offset;
}

// One expression, but another handle behind it.
static void exchanged(const Mesh &m) {
  op_dat q = m.q, p = m.p;
  op_set set = m.cells;
  for (int i = 0; i < 5; ++i) {
    op_par_loop(bump, "bump", set,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    op_dat other = q;
    q = p;
    p = other;
    op_par_loop(twice, "twice", set,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
  }
  show("exchanged", m.q);
  show("exchanged", m.p);
}

// Other sets of another size.
static void sets(const Mesh &m, op_dat n) {
  for (int i = 0; i < 4; ++i) {
    op_set set = m.cells;
    op_dat dat = m.q;
    op_par_loop(bump, "bump", set,
                op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
    set = m.nodes;
    dat = n;
    op_par_loop(bump, "bump2", set,
                op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
  }
  show("sets", m.q);
  show("sets", n);
}

static void slots(const Mesh &m, op_dat p) {
  for (int i = 0; i < 4; ++i) {
    op_par_loop(gather, "ends", m.cells,
                op_arg_dat(m.q, 0, m.next, 1, "double", OP_READ),
                op_arg_dat(m.q, 1, m.next, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(twice, "first", m.cells,
                op_arg_dat(m.q, 0, m.next, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
  }
  show("slots", p);
}

// What the first loop changes, the second one reads through a map: only the
// handles of the run tell.
static void neighbors(const Mesh &m, op_dat changed, op_dat read) {
  for (int i = 0; i < 4; ++i) {
    op_par_loop(twice, "twice", m.cells,
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(changed, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(gather, "gather", m.cells,
                op_arg_dat(read, 0, m.next, 1, "double", OP_READ),
                op_arg_dat(read, 1, m.next, 1, "double", OP_READ),
                op_arg_dat(m.q, -1, OP_ID, 1, "double", OP_RW));
  }
  show("neighbors", m.q);
  show("neighbors", changed);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  const int n = 1003;
  std::vector<int> next;
  for (int i = 0; i < n; ++i)
    next.insert(next.end(), {i, (i + 17) % n});
  std::vector<double> q(n), p(n), r(n), s(n);
  for (int i = 0; i < n; ++i)
    q[size_t(i)] = i % 7;
  Mesh m;
  m.cells = op_decl_set(n, "cells");
  m.nodes = op_decl_set(10, "nodes");
  m.next = op_decl_map(m.cells, m.cells, 2, next.data(), "next");
  m.q = op_decl_dat(m.cells, 1, "double", q.data(), "q");
  m.p = op_decl_dat(m.cells, 1, "double", p.data(), "p");
  op_dat other = op_decl_dat(m.cells, 1, "double", r.data(), "other");
  op_dat results = op_decl_dat(m.cells, 1, "double", s.data(), "results");
  op_decl_const(1, "double", &offset);
  op_dat small = op_decl_dat(m.nodes, 1, "double", r.data() + 100, "small");

  plain(m, m.q, m.p, "plain");
  plain(m, m.q, m.q, "one dat");
  op_printf("around %.17g\n", around(m));
  for (int kind = 0; kind < 6; ++kind)
    for (int when = 0; when < 5; when += 2) {
      try {
        op_printf("sometimes %d %.17g\n", kind, sometimes(m, when, kind));
      } catch (const std::runtime_error &error) {
        op_printf("caught %s\n", error.what());
      }
      show("sometimes", m.q);
    }
  changing(m);
  op_printf("by name %.17g\n", byName(m));
  exchanged(m);
  slots(m, results);
  sets(m, small);
  neighbors(m, m.p, other);
  neighbors(m, m.p, m.p);
  // The same storage under another handle.
  op_dat overlay = op_decl_dat_overlay(m.cells, m.p);
  neighbors(m, m.p, overlay);
  plain(m, m.q, op_decl_dat_overlay(m.cells, m.q), "overlay");
  // Another dat in the place of a dead one.
  for (int i = 0; i < 3; ++i) {
    double *none = nullptr;
    op_dat temporary =
        op_decl_dat_temp(m.cells, 1, "double", none, "temporary");
    plain(m, m.q, temporary, "temporary");
    op_free_dat_temp(temporary);
  }
  op_exit();
}
