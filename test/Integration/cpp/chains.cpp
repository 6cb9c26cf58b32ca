// Loops that wait for the next ones do what they do one after the other,
// whatever happens between them: the program prints the same with
// --op2-no-delay, with the header's own loops, and for any number of threads.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq | grep -v '^op2:' > %t.expected
// One kernel calls a function that devices do not have.
// RUN: %lenient_op2cxx -O1 --op2-target=openmp,seq,emulator %s -o %t
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 OMP_NUM_THREADS=2 OP2_TUNE=off OP2_CHECK_PLAN=1 %t > %t.out
// RUN: grep -v '^op2:' %t.out | diff %t.expected -
// RUN: FileCheck %s < %t.out
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=1 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=100 OMP_NUM_THREADS=3 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 OMP_NUM_THREADS=5 %t OP_NO_REALLOC | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 OMP_NUM_THREADS=5 OMP_THREAD_LIMIT=2 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=never OMP_NUM_THREADS=8 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_TARGET=seq %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_STRICT=0 OP2_CHAIN=always OP2_TARGET=emulator %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_CHECK=1 %t | grep -v '^op2' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-no-delay %s -o %t.off
// RUN: env OP2_CHAIN=always %t.off | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -g -fno-strict-aliasing -Werror=op2-sequential --op2-no-fuse --op2-vector-bits=256 --op2-block-size=7 %s -o %t.wide
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=30 OMP_NUM_THREADS=8 %t.wide | grep -v '^op2:' | diff %t.expected -
//
// CHECK-DAG: op2: chain add, bump+sum, add, bump+sum, {{.*}}: {{[0-9]+}} tiles
// CHECK-DAG: op2: chain bump, add, sum, both{{.*}}: {{[0-9]+}} tiles

#include "op_seq.h"
static op_set cells;
static op_map ends;
static op_dat q, p;
static double offset = 1;
#include "Inputs/chain-loops.h"
#include "Inputs/chain-state.h"
#include <csetjmp>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

static double limit = 1e6;
static void bump(double *q) { q[0] += 1; }
static void bound(double *q) {
  if (q[0] > limit)
    q[0] -= limit * int(q[0] / limit);
}
static void both(const double *q, double *totals) {
  totals[0] += q[0];
  totals[1] += 1;
}
static void scale(double *q, const double *factor) {
  q[0] = q[0] * *factor + 1;
}
static void range(const double *q, double *least, double *most) {
  *least = q[0] < *least ? q[0] : *least;
  *most = q[0] > *most ? q[0] : *most;
}
static void maybe(const double *other, double *q) {
  if (other)
    q[0] += other[0];
}
static void found(const double *q, int *any) {
  if (q[0] > 100)
    *any = 1;
}
static void says(double *q, const int *number) {
  if (*number == 3)
    op_printf("element 3: %g\n", q[0]);
}

static op_set nodes;

#define BOUND(dat) op_par_loop(bound, "bound", cells, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW))

// As in Airfoil.
static double stages() {
  double total = 0;
  for (int stage = 0; stage < 6; ++stage) {
    ADD(q, p);
    BUMP(q);
    total = 0;
    SUM(&total);
  }
  return total;
}

// The program looks, sometimes, in many ways.
static double looks(int when, int how) {
  double total = 0, seen = 0, totals[2] = {0, 0};
  double *inside = valuesOf(q) + 7, *factor = valuesOf(p) + 7;
  for (int i = 0; i < 6; ++i) {
    BUMP(q);
    ADD(q, p);
    SUM(&total);
    op_par_loop(both, "both", cells, op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(totals, 2, "double", OP_INC));
    if (i == when) {
      if (how == 0)
        seen += total;
      else if (how == 1)
        seen += valuesOf(p)[5];
      else if (how == 2)
        seen += *inside;
      else if (how == 3)
        *inside = 17;
      else if (how == 4)
        totals[0] = 5; // the other one stays
      else if (how == 5)
        totals[0] = totals[1] = 1;
      else if (how == 6)
        std::memset(totals, 0, sizeof totals);
      else if (how == 7)
        std::memcpy(&seen, &totals[1], sizeof seen);
      else if (how == 8)
        SCALE(factor); // in a dat
      else if (how == 9)
        return total;
      else if (how == 10)
        break;
      else if (how == 11)
        throw std::runtime_error("between");
      else if (how == 12)
        goto out;
    }
    BOUND(p);
  }
  BUMP(q);
out:
  ADD(p, q);
  BOUND(q);
  return total + seen + totals[0] + totals[1];
}

// A value that loops read changes; so does one that kernels read by its name.
static void changing() {
  double factor = 1;
  for (int i = 0; i < 6; ++i) {
    SCALE(&factor);
    factor = 3 - factor;
    BOUND(q);
    limit = i % 2 ? 1e6 : 1e5;
    ADD(q, p);
    BOUND(p);
  }
}

static double byName() {
  for (int i = 0; i < 6; ++i) {
    BOUND(q);
    offset = 0;
    SUM(&offset);
    op_par_loop(shift, "shift", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    BOUND(q);
  }
  return offset;
}

static void exchanged() {
  struct {
    op_dat first = q, second = p;
  } pair;
  op_dat from = q, to = p;
  for (int i = 0; i < 6; ++i) {
    ADD(from, to);
    std::swap(from, to);
    BUMP(from);
    BOUND(to);
    ADD(pair.first, pair.second);
    op_dat other = pair.first;
    pair.first = pair.second;
    pair.second = other;
    BOUND(pair.first);
  }
}

[[gnu::noinline]] static void inAnotherFunction(op_dat dat) {
  BUMP(dat);
  BOUND(dat);
}
[[gnu::noinline]] static void show(const double &value) {
  op_printf("seen %.17g\n", value);
}
static void calls() {
  double total = 0;
  for (int i = 0; i < 4; ++i) {
    ADD(q, p);
    SUM(&total);
    inAnotherFunction(p);
    BUMP(p);
    SUM(&total);
    show(total);
  }
}

static double recursive(int depth) {
  double total = 0;
  ADD(q, p);
  BOUND(p);
  SUM(&total);
  if (depth > 0)
    total += recursive(depth - 1);
  BUMP(q);
  ADD(p, q);
  BOUND(q);
  return total;
}

struct Reporter {
  const double &value;
  ~Reporter() { op_printf("at the end %.17g\n", value); }
};
[[gnu::noinline]] static void fail(int when) {
  if (when > 2)
    throw std::runtime_error("late");
}
static double exceptions() {
  double total = 0;
  for (int i = 0;; ++i)
    try {
      double mine = 0;
      Reporter reporter{mine};
      BUMP(q);
      SUM(&mine);
      SUM(&total);
      fail(i);
    } catch (const std::exception &error) {
      BUMP(q);
      SUM(&total);
      op_printf("%s\n", error.what());
      return total;
    }
}

static std::jmp_buf environment;
[[gnu::noinline]] static void jump(int i) {
  if (i == 3)
    std::longjmp(environment, 1);
}
[[gnu::noinline]] static void untilJump() {
  for (int i = 0; i < 5; ++i) {
    BUMP(q);
    ADD(q, p);
    BOUND(p);
    jump(i);
  }
}
static void jumps() {
  if (!setjmp(environment))
    untilJump();
}

// Variables that begin and end, on the heap, of the caller.
static double places(double &given) {
  auto heap = std::make_unique<double[]>(6);
  std::vector<double> history(6);
  double seen = 0;
  for (int i = 0; i < 6; ++i) {
    {
      double unused = 0;
      SUM(&unused);
      BUMP(q);
    }
    {
      double other[3] = {1, 2, 3};
      SUM(&other[1]);
      BUMP(q);
      if (i == 4)
        seen += other[0] + other[2];
      if (i == 5)
        seen += other[1];
    }
    SUM(&heap[i]);
    SUM(&history[i]);
    SUM(&given);
    given += 1;
  }
  for (double value : history)
    seen += value;
  return seen + heap[0] + heap[5];
}

// Results that later loops start from, or read.
static double chained() {
  double total = 0, factor = 0;
  for (int i = 0; i < 5; ++i) {
    SUM(&total);
    BUMP(q);
    SUM(&total);
    factor = 0;
    op_par_loop(range, "range", cells, op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&factor, 1, "double", OP_MIN),
                op_arg_gbl(&total, 1, "double", OP_MAX));
    SCALE(&factor);
    BOUND(q);
  }
  return total + factor;
}

// Loops that run at once stand between.
static int others(int flag) {
  int any = 0;
  for (int i = 0; i < 5; ++i) {
    BUMP(q);
    ADD(q, p);
    op_par_loop(found, "found", cells, op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&any, 1, "int", OP_WRITE));
    BOUND(p);
    op_par_loop(maybe, "maybe", cells, op_opt_arg_dat(flag + i == 3, p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    BOUND(q);
    op_par_loop(says, "says", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_idx(-1, OP_ID));
  }
  return any;
}

// Dats that come and go, another set, an empty one.
static void handles() {
  op_set none = op_decl_set(0, "none");
  double *nothing = nullptr;
  op_dat empty = op_decl_dat(none, 1, "double", nothing, "empty");
  std::vector<double> few(10, 1.0);
  op_dat small = op_decl_dat(nodes, 1, "double", few.data(), "small");
  for (int i = 0; i < 5; ++i) {
    op_dat temporary = op_decl_dat_temp(cells, 1, "double", nothing, "temporary");
    BUMP(temporary);
    ADD(temporary, p);
    BUMP(temporary);
    op_free_dat_temp(temporary);
    op_set sets[] = {none, nodes, cells};
    op_dat dats[] = {empty, small, q};
    for (int k = 0; k < 3; ++k)
      op_par_loop(bump, "bump", sets[k], op_arg_dat(dats[k], -1, OP_ID, 1, "double", OP_RW));
    ADD(q, p);
    BOUND(p);
  }
  op_printf("small %g\n", valuesOf(small)[3]);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  declareCells(/*isClosed=*/true);
  nodes = op_decl_set(10, "nodes");
  op_decl_const(1, "double", &limit);
  op_decl_const(1, "double", &offset);

  op_printf("stages %.17g\n", stages());
  state("stages");
  for (int how = 0; how < 13; ++how)
    for (int when = 0; when < 6; when += 2) {
      try {
        op_printf("looks %d %d: %.17g\n", how, when, looks(when, how));
      } catch (const std::runtime_error &error) {
        op_printf("%s\n", error.what());
      }
      state("looks");
    }
  changing();
  state("changing");
  op_printf("by name %.17g\n", byName());
  state("by name");
  exchanged();
  state("exchanged");
  calls();
  state("calls");
  op_printf("recursive %.17g\n", recursive(4));
  state("recursive");
  op_printf("exceptions %.17g\n", exceptions());
  state("exceptions");
  jumps();
  state("jumps");
  double given = 0;
  double seen = places(given);
  op_printf("places %.17g %.17g\n", seen, given);
  state("places");
  op_printf("chained %.17g\n", chained());
  state("chained");
  op_printf("others %d\n", others(1));
  state("others");
  handles();
  state("handles");
  op_exit();
}
