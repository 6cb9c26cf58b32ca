// Loops of several functions that wait for each other do what they do one
// after the other, whatever happens between them: the program prints the same
// with the header's own loops, with any flags, and for any number of threads.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq | grep -v '^op2:' > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential %s -o %t
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 OMP_NUM_THREADS=2 OP2_TUNE=off OP2_CHECK_PLAN=1 %t > %t.out
// RUN: grep -v '^op2:' %t.out | diff %t.expected -
// RUN: FileCheck %s < %t.out
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=never OMP_NUM_THREADS=3 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t | grep -v '^op2:' | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_CHECK=1 %t | grep -v '^op2' | diff %t.expected -
// RUN: %op2cxx -O0 -Werror=op2-sequential %s -o %t.plain
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 %t.plain | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -g -fno-inline -fno-strict-aliasing -Werror=op2-sequential %s -o %t.called
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 %t.called | grep -v '^op2:' | diff %t.expected -
// RUN: %op2cxx %unoptimized -O3 -Werror=op2-sequential --op2-no-fuse --op2-vector-bits=256 %s -o %t.wide
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=30 OMP_NUM_THREADS=5 %t.wide | grep -v '^op2:' | diff %t.expected -
//
// CHECK-DAG: op2: chain add, bump, add, bump, {{.*}}: {{[0-9]+}} tiles
// CHECK-DAG: op2: chain add, bump+sum, add, bump+sum, {{.*}}: {{[0-9]+}} tiles
// CHECK-DAG: op2: chain add, bump, sum, add, bump, sum, {{.*}}: {{[0-9]+}} tiles
// CHECK-DAG: op2: chain scale, add: {{[0-9]+}} tiles

#include "op_seq.h"
static op_set cells;
static op_map ends;
static op_dat q, p;
static double offset = 1;
#include "Inputs/chain-loops.h"
#include "Inputs/chain-state.h"
#include <csetjmp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

constexpr double limit = 1e6;
static void bump(double *q) {
  q[0] += 1;
  if (q[0] > limit)
    q[0] -= limit * int(q[0] / limit);
}
static void scale(double *q, const double *factor) {
  q[0] = q[0] * *factor + 1;
  if (q[0] > limit)
    q[0] -= limit * int(q[0] / limit);
}

// A function for each loop, called in a loop.
void scatter(op_dat from, op_dat to) { ADD(from, to); }
void advance(op_dat dat) { BUMP(dat); }
static void step(op_dat from, op_dat to) {
  scatter(from, to);
  advance(to);
}
static void steps() {
  for (int i = 0; i < 8; ++i)
    step(q, p);
}

// Others call the same functions, and look behind them.
[[gnu::noinline]] static double lookAt(op_dat dat) { return valuesOf(dat)[5]; }
static double others(void (*called)(op_dat)) {
  double seen = 0;
  for (int i = 0; i < 4; ++i) {
    step(q, p);
    called(q);
    seen += valuesOf(q)[3];
    std::function<void(op_dat, op_dat)> function = scatter;
    function(p, q);
    seen += lookAt(q);
    advance(p);
    advance(q);
    seen += lookAt(p);
  }
  return seen;
}

// Results: returned, not wanted, in the caller's variables, on the heap, in
// variables that live longer.
static double total() {
  double result = 0;
  SUM(&result);
  return result;
}
[[gnu::noinline]] static void forNothing(double start) {
  ADD(p, q);
  BUMP(q);
  SUM(&start);
}
[[gnu::noinline]] static void totalTo(double &result) {
  SUM(&result);
  advance(q);
}
[[gnu::noinline]] static void totalFromHere(double start, std::vector<double> &seen) {
  totalTo(start);
  seen.push_back(start);
}
[[gnu::noinline]] static void lost(double start) { totalTo(start); }
// Where the variables of functions were that have ended.
[[gnu::noinline]] static double reuses(int n) {
  double kept[100];
  for (int i = 0; i < n; ++i)
    kept[i * 7 % 100] = i;
  advance(q);
  double looked = lookAt(q);
  for (int i = 0; i < n; ++i)
    looked += kept[i] * (i % 5);
  return looked;
}
static double longer, *const alias = &longer;
static const double &totalForAll() {
  static double mine = 0;
  SUM(&longer);
  advance(q);
  SUM(&mine);
  return mine;
}
static double results() {
  std::vector<double> seen;
  auto heap = std::make_unique<double>(0);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 4; ++k)
      forNothing(k);
    seen.push_back(total());
    double mine = 3;
    totalTo(mine);
    totalTo(mine);
    seen.push_back(mine);
    advance(q);
    mine = 4;
    advance(q);
    seen.push_back(mine);
    totalTo(*heap);
    *heap += 1;
    totalFromHere(2, seen);
    lost(1);
    forNothing(1);
    seen.push_back(reuses(100));
    const double &all = totalForAll();
    advance(q);
    seen.push_back(longer + all);
    totalForAll();
    *alias = 7;
    advance(q);
    seen.push_back(*alias);
  }
  double weighted = *heap;
  for (size_t n = 0; n < seen.size(); ++n)
    weighted += seen[n] * double(n % 13 + 1);
  return weighted;
}

// Values that loops read, by a pointer and by their names.
static void scaleBy(const double &factor) { SCALE(&factor); }
static void shiftAll() {
  op_par_loop(shift, "shift", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}
static void setOffset(double value) { offset = value; }
static void totalToOffset() {
  offset = 0;
  SUM(&offset);
}
static double changing() {
  double factor = 1;
  for (int i = 0; i < 6; ++i) {
    scaleBy(factor);
    scatter(q, p);
    factor = 3 - factor;
    scaleBy(factor);
    scatter(q, p);
    advance(p);
    shiftAll();
    setOffset(i);
    shiftAll();
    advance(q);
  }
  totalToOffset();
  shiftAll();
  for (double value : {1.0, 2.0, 1.0, 2.0}) {
    scaleBy(value);
    scatter(q, p);
    scaleBy(value + 1);
    advance(p);
  }
  return offset;
}

// Structs that are passed and returned.
struct Totals {
  double values[5];
  op_dat dat;
};
[[gnu::noinline]] static double takes(Totals totals) {
  double before = totals.values[1];
  BUMP(totals.dat);
  SUM(&totals.values[1]);
  advance(totals.dat);
  return before + totals.values[1];
}
[[gnu::noinline]] static Totals makes(op_dat dat) {
  Totals totals = {{1, 2, 3, 4, 5}, dat};
  SUM(&totals.values[1]);
  advance(dat);
  return totals;
}
static double structs() {
  double seen = 0;
  for (int i = 0; i < 6; ++i) {
    Totals totals = makes(q);
    advance(q);
    SUM(&totals.values[2]);
    seen += takes(totals) + totals.values[1];
    totals.dat = p;
    advance(totals.dat);
    SUM(&totals.values[1]);
    seen += takes(totals) + totals.values[2];
  }
  return seen;
}

// Functions in functions, and in themselves.
static double recursive(int depth, bool looks) {
  double mine = 0;
  step(q, p);
  SUM(&mine);
  if (depth > 0)
    recursive(depth - 1, looks);
  else if (looks)
    return lookAt(p);
  advance(q);
  step(p, q);
  return looks ? mine : 0;
}
static double down(int depth);
static double up(int depth) {
  advance(p);
  return depth > 0 ? down(depth - 1) : 0;
}
static double down(int depth) {
  double mine = depth;
  advance(q);
  SUM(&mine);
  double result = up(depth);
  scatter(q, p);
  return result + mine;
}

// Branches, ways out.
static void sometimes(int i) {
  if (i % 3 == 0)
    return;
  step(q, p);
  switch (i % 4) {
  case 1:
    advance(q);
    break;
  case 2:
    valuesOf(q)[7] = i;
    advance(p);
    return;
  }
  scatter(p, q);
}

[[gnu::noinline]] static void fails(int i) {
  advance(q);
  step(q, p);
  if (i % 3 == 2)
    throw std::runtime_error("between");
  advance(p);
}
static double exceptions() {
  double seen = 0;
  for (int i = 0; i < 6; ++i) {
    double mine = 0;
    try {
      step(p, q);
      SUM(&mine);
      fails(i);
      fails(i + 1);
    } catch (const std::exception &) {
      seen += valuesOf(p)[11];
      advance(q);
      fails(0);
    }
    seen += mine;
  }
  return seen;
}

static std::jmp_buf environment;
[[gnu::noinline]] static void jumps(int i) {
  step(q, p);
  advance(q);
  if (i == 3)
    std::longjmp(environment, 1);
}
static void untilJump() {
  for (int i = 0; i < 5; ++i) {
    jumps(i);
    step(p, q);
  }
}
static void catchesJump() {
  if (!setjmp(environment))
    untilJump();
  step(q, p);
}

// Not known here.
struct Base {
  virtual ~Base() = default;
  virtual void run() { step(q, p); }
};
struct Derived : Base {
  void run() override {
    Base::run();
    advance(q);
  }
};
static double methods(Base &base) {
  double seen = 0;
  for (int i = 0; i < 4; ++i) {
    base.run();
    seen += valuesOf(p)[2];
    base.Base::run();
    advance(p);
  }
  return seen;
}
struct Scope {
  double &seen;
  explicit Scope(double &seen) : seen(seen) { step(q, p); }
  ~Scope() {
    advance(p);
    seen += valuesOf(p)[9];
  }
};
static double scopes() {
  double seen = 0;
  for (int i = 0; i < 4; ++i) {
    Scope scope(seen);
    advance(q);
  }
  return seen;
}
template <int N> static auto lambdas() {
  double mine = N;
  auto run = [&](int n) {
    step(q, p);
    SUM(&mine);
    return n;
  };
  for (int i = 0; i < N; ++i)
    run(i);
  return mine;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  declareCells(/*isClosed=*/false);
  op_decl_const(1, "double", &offset);

  for (int round = 0; round < 3; ++round) {
    for (int again = 0; again < 3; ++again) {
      steps();
      stateThenBound("steps");
    }
    op_printf("others %.17g\n", others(advance));
    stateThenBound("others");
    op_printf("results %.17g\n", results());
    stateThenBound("results");
    for (int again = 0; again < 3; ++again) {
      op_printf("changing %.17g\n", changing());
      stateThenBound("changing");
    }
    op_printf("structs %.17g\n", structs());
    stateThenBound("structs");
    for (bool looks : {false, true}) {
      op_printf("recursive %.17g\n", recursive(4, looks));
      stateThenBound("recursive");
    }
    op_printf("down %.17g\n", down(5));
    stateThenBound("down");
    for (int i = 0; i < 12; ++i)
      sometimes(i);
    stateThenBound("sometimes");
    op_printf("exceptions %.17g\n", exceptions());
    stateThenBound("exceptions");
    catchesJump();
    stateThenBound("jumps");
    Base base;
    Derived derived;
    op_printf("methods %.17g %.17g\n", methods(base), methods(derived));
    stateThenBound("methods");
    op_printf("scopes %.17g\n", scopes());
    stateThenBound("scopes");
    op_printf("lambdas %.17g %.17g\n", lambdas<2>(), lambdas<3>());
    stateThenBound("lambdas");
  }
  op_exit();
}
