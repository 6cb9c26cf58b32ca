// Loops that are pending where one file calls another one do what they do one
// after the other, whatever these do: the program prints the same with the
// header's own loops, and with any of the files compiled by others or with other
// flags.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// DEFINE: %{second} = %S/Inputs/files/second.cpp
// DEFINE: %{third} = %S/Inputs/files/third.cpp
// DEFINE: %{wrap} = -Wl,--wrap=wrapped
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -std=c++17 -O0 %s %{second} %{third} %op2api -o seq %op2lib %{wrap}
// RUN: ./seq | grep -v '^op2:' > expected
//
// Tables that pointers lead to, and functions of other files, are not on devices.
// RUN: %lenient_op2cxx -O2 --op2-target=openmp,seq,emulator -c %s -o 1.o
// RUN: %lenient_op2cxx -O2 --op2-target=openmp,seq,emulator -c %{second} -o 2.o
// RUN: %op2cxx -O2 --op2-target=openmp,seq,emulator -c %{third} -o 3.o
// RUN: %op2cxx 1.o 2.o 3.o -o all %{wrap}
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 OMP_NUM_THREADS=2 OP2_TUNE=off OP2_CHECK_PLAN=1 ./all > out
// RUN: grep -v '^op2:' out | diff expected -
// RUN: FileCheck %s < out
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=7 OMP_NUM_THREADS=3 ./all | grep -v '^op2:' | diff expected -
// RUN: env OMP_NUM_THREADS=2 ./all | grep -v '^op2:' | diff expected -
// RUN: env OP2_CHAIN=always OP2_CHECK=1 ./all | grep -v '^op2' | diff expected -
// RUN: env OP2_TARGET=seq OP2_CHAIN=always ./all | grep -v '^op2:' | diff expected -
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator ./all | grep -v '^op2:' | diff expected -
//
// With files that let nobody enter, or do not ask.
// RUN: %clangxx -std=c++17 -O1 -c %s %op2api -o 1.plain.o
// RUN: %clangxx -std=c++17 -O1 -c %{second} %op2api -o 2.plain.o
// RUN: %op2cxx -O0 -c %{second} -o 2.O0.o
// RUN: %op2cxx -O1 -c --op2-no-delay %{second} -o 2.off.o
// RUN: %op2cxx 1.plain.o 2.o 3.o -o first.plain %{wrap}
// RUN: %op2cxx 1.o 2.plain.o 3.o -o second.plain %{wrap}
// RUN: %op2cxx 1.o 2.O0.o 3.o -o second.O0 %{wrap}
// RUN: %op2cxx 1.o 2.off.o 3.o -o second.off %{wrap}
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./first.plain | grep -v '^op2:' | diff expected -
// RUN: env OP2_STRICT=0 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./second.plain | grep -v '^op2:' | diff expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./second.O0 | grep -v '^op2:' | diff expected -
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./second.off | grep -v '^op2:' | diff expected -
//
// Optimised as one, and without types.
// RUN: %op2cxx -O2 -flto -fno-strict-aliasing -g %s %{second} %{third} -o lto %{wrap}
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./lto | grep -v '^op2:' | diff expected -
//
// As a library of two files, one of whose functions is not the one that is called.
// RUN: %clangxx -std=c++17 -O0 -fPIC -shared -DINTERPOSED %{second} %{third} %op2api -o libplain.so %op2lib
// RUN: %clangxx -std=c++17 -O0 %s %op2api libplain.so -Wl,-rpath,%t -o seq2 %op2lib
// RUN: ./seq2 | grep -v '^op2:' > expected2
// RUN: %op2cxx -O2 -fPIC -shared -DINTERPOSED %{second} %{third} -o libtwo.so
// RUN: %op2cxx 1.o libtwo.so -Wl,-rpath,%t -o dynamic
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./dynamic | grep -v '^op2:' | diff expected2 -
// RUN: %op2cxx -O2 -fPIC %s libtwo.so -Wl,-rpath,%t -Wl,--export-dynamic -o dynamic
// RUN: env OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=64 ./dynamic | grep -v '^op2:' | diff expected2 -
//
// Both of these go back and forth between two files.
// CHECK-DAG: op2: chain add, bump, add, bump, add, bump, {{.*}}: {{[0-9]+}} tiles
// CHECK-DAG: op2: chain bump, sum, bump, bump, sum, bump, {{.*}}, add: {{[0-9]+}} tiles

#include "Inputs/files/files.h"
#include <memory>
#include <stdexcept>

op_set cells;
op_map ends;
op_dat q, p, flags;
#include "Inputs/chain-loops.h"
#include "Inputs/chain-state.h"

static void steps() {
  for (int i = 0; i < 8; ++i) {
    scatter(q, p);
    advance(p);
  }
}

static void stages() {
  for (int i = 0; i < 8; ++i) {
    forNothing(i);
    Base().always(i);
  }
}

static double results() {
  std::vector<double> seen;
  auto heap = std::make_unique<double>(0);
  for (int i = 0; i < 6; ++i) {
    forNothing(i);
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
    advance(p);
    *heap += 1;
    double &kept = keptTotal();
    advance(q);
    seen.push_back(kept);
    keptTotal();
    kept = 2;
    totalForAll();
    seen.push_back(everybodysTotal);
    totalForAll();
    everybodysTotal = 3;
    advance(q);
    seen.push_back(everybodysTotal);
  }
  double weighted = *heap;
  for (size_t n = 0; n < seen.size(); ++n)
    weighted += seen[n] * double(n % 13 + 1);
  return weighted;
}

// What the other file looks at, or writes over, may still be pending.
static double looks() {
  double seen = 0, *inP = valuesOf(p), *inQ = valuesOf(q);
  for (int i = 0; i < 6; ++i) {
    double mine = 0;
    advance(q);
    seen += lookAt(q);
    totalTo(mine);
    seen += readsFirst(mine);
    totalTo(mine);
    writesFirst(mine);
    seen += mine;
    scatter(q, p);
    seen += addsStorage(inP, 1003);
    advance(q);
    setsStorage(inQ, 500);
    scatter(p, q);
    seen += looksAfter(q) + looksAfter(p);
    seen = noLoops(seen);
    seen -= double(long(seen / 1e6)) * 1e6;
  }
  return seen;
}

// Loops that store numbers of another type.
static int typesOfNumbers() {
  int seen = 0, *inFlags = reinterpret_cast<int *>(flags->data);
  for (int i = 0; i < 6; ++i) {
    advance(q);
    flag(i);
    seen += readsFlag(inFlags);
    flag(2);
    seen += countFlags();
    flag(3);
    scatter(q, p);
    advance(p);
    flag(1);
    seen += inFlags[9];
  }
  return seen;
}

// A table that ends with its function, which nothing in the code says of an
// argument; and what takes its place.
[[gnu::noinline]] static void leavesTable(Totals own) {
  table = own.values;
  throughTable();
}
struct Numbers {
  int values[12];
};
[[gnu::noinline]] static int takesItsPlace(Numbers others, int n) {
  return others.values[n];
}

static double names() {
  static double values[3] = {1, 2, 3};
  static const Totals fixed = {{5, 6, 7, 8, 9}, nullptr};
  static const Numbers numbers = {{1 << 30, 1 << 30, 3, 1 << 30, 5, 1 << 30}};
  double seen = 0;
  table = values;
  for (int i = 0; i < 6; ++i) {
    shiftAll();
    setOffset(i);
    shiftAll();
    advance(q);
    totalToOffset();
    shiftAll();
    offset = 2;
    throughTable();
    values[i % 3] += 1;
    throughTable();
    throughOwnTable();
    leavesTable(fixed);
    seen += takesItsPlace(numbers, i);
    advance(q);
    table = values;
    throughArgument({{3, 4, 5, 6, 7}, q});
    seen += takes({{1, 1, 1, 1, 1}, p});
    table = values;
  }
  return offset + seen;
}

static double structs() {
  double seen = 0;
  for (int i = 0; i < 6; ++i) {
    Totals totals = makes(q);
    advance(q);
    totalTo(totals.values[2]);
    seen += takes(totals) + totals.values[1];
    totals.dat = p;
    advance(totals.dat);
    totalTo(totals.values[1]);
    seen += takes(totals) + totals.values[2];
  }
  return seen;
}

static double exceptions() {
  double seen = 0;
  for (int i = 0; i < 6; ++i) {
    double mine = 0;
    try {
      scatter(p, q);
      totalTo(mine);
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

double up(int depth) {
  advance(p);
  return depth > 0 ? down(depth - 1) : 0;
}

static int timesWrapped = 0;
extern "C" void __real_wrapped(op_dat dat) __attribute__((weak));
extern "C" void __wrap_wrapped(op_dat dat) {
  ++timesWrapped;
  __real_wrapped(dat);
  advance(p);
}
void weakStep(op_dat dat) {
  scatter(dat, dat == p ? q : p);
  advance(p);
}
void interposed() { advance(q); }

struct Derived : Base {
  double run(double &seen) override {
    seen += Base::run(seen);
    advance(q);
    return 3;
  }
};
static double methods(Base &base) {
  double seen = 0;
  for (int i = 0; i < 4; ++i) {
    seen += base.run(seen);
    seen += valuesOf(p)[2];
    seen += base.Base::run(seen);
    advance(p);
  }
  return seen;
}

// Kernels that call functions of other files.
static void callsOthers(double *q) { q[0] = hostA(hostB(q[0])); }
static void kernels() {
  for (int i = 0; i < 4; ++i) {
    advance(q);
    op_par_loop(callsOthers, "calls others", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    scatter(q, p);
  }
}

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  declareCells(/*isClosed=*/false);
  std::vector<int> zeros(size_t(cells->size));
  flags = op_decl_dat(cells, 1, "int", zeros.data(), "flags");
  op_decl_const(1, "double", &offset);

  for (int round = 0; round < 3; ++round) {
    for (int again = 0; again < 3; ++again) {
      steps();
      stateThenBound("steps");
      stages();
      stateThenBound("stages");
    }
    op_printf("results %.17g\n", results());
    stateThenBound("results");
    op_printf("looks %.17g\n", looks());
    stateThenBound("looks");
    op_printf("types %d\n", typesOfNumbers());
    stateThenBound("types");
    op_printf("names %.17g\n", names());
    stateThenBound("names");
    op_printf("structs %.17g\n", structs());
    stateThenBound("structs");
    op_printf("exceptions %.17g\n", exceptions());
    stateThenBound("exceptions");
    op_printf("down %.17g\n", down(5));
    stateThenBound("down");
    for (int i = 0; i < 4; ++i)
      callsAround(i % 2 ? advance : weakStep, i % 2 ? q : p);
    op_printf("around %d\n", timesWrapped);
    stateThenBound("around");
    for (int i = 0; i < 4; ++i)
      op_printf("timed %.17g %.17g\n", timed(), queries());
    twice(interposed);
    twice([] { inlined(p); });
    prints("third");
    startWork();
    for (int i = 0; i < 20; ++i)
      steps();
    endWork();
    stateThenBound("beside a thread");
    kernels();
    stateThenBound("kernels");
    Base base;
    Derived derived;
    op_printf("methods %.17g %.17g\n", methods(base), methods(derived));
    stateThenBound("methods");
  }
  op_exit();
}
