// What a kernel may not do on a GPU, each with its place; the loops run on the
// host there, by OpenMP if they are compiled for it.
// RUN: %op2cxx %unoptimized -O2 -Wno-everything --op2-target=openmp,cuda --op2-gpu-format=ptx --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,WARN
// RUN: not %op2cxx -O0 -Wno-everything --op2-target=openmp,cuda --op2-gpu-format=ptx -Werror=op2-sequential -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// RUN: %op2cxx %unoptimized -O2 -Wno-everything --op2-target=cuda --op2-gpu-format=ptx -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
#include <cstring>
struct Linked {
  const double *rows;
  double value;
};
inline int type_error(const Linked *, const char *type) { return std::strcmp(type, "Linked"); }

#include "op_seq.h"

#include <array>
#include <cstdarg>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>

static int counter;
static double *pointer;
static thread_local int local;
double outside(double);
struct Base {
  virtual double f(double) const;
};
static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static double helper(double x) {
  // CHECK-DAG: :[[#@LINE+1]]:10: note: it does so here
  return outside(x);
}

static void calls(double *x) { *x = helper(*x); }
// CHECK-DAG: :[[#@LINE+1]]:36: note: it does so here
static void assembles(double *x) { asm volatile("nop"); }
static void throws(double *x) {
  if (*x > 3)
    // CHECK-DAG: :[[#@LINE+1]]:5: note: it does so here
    throw std::runtime_error("too large");
}
// CHECK-DAG: :[[#@LINE+1]]:35: note: it does so here
static void writes(double *x) { ++counter; }
static void follows(double *x) { *x += pointer[2]; }
// CHECK-DAG: :[[#@LINE+1]]:34: note: it does so here
static void changes(double *x) { pointer[1] = *x; }
// CHECK-DAG: :[[#@LINE+1]]:41: note: it does so here
static void compares(double *x) { *x += pointer == x; }
// CHECK-DAG: :[[#@LINE+1]]:40: note: it does so here
static void threads(double *x) { *x += local; }
// CHECK-DAG: :[[#@LINE+1]]:68: note: it does so here
static void allocates(double *x) { pointer = static_cast<double *>(std::malloc(8)); }
// CHECK-DAG: :[[#@LINE+1]]:40: note: it does so here
static void recurses(double *x) { *x = power(*x, int(*x)); }
static void precise(double *x) {
  // CHECK-DAG: :[[#@LINE+1]]:19: note: it does so here
  long double y = *x;
  *x = static_cast<double>(y * y * y);
}
static void grows(double *x) {
  double own[1 + int(*x)];
  own[int(*x)] = *x;
  for (double &value : own)
    *x += value;
}
static void widens(double *x) { *x = double(static_cast<__int128>(*x) * 3); }
// CHECK-DAG: :[[#@LINE+1]]:43: note: it does so here
static void prints(double *x) { std::cout << *x; }
// CHECK-DAG: :[[#@LINE+1]]:52: note: it does so here
static void initialises(double *x) { static double value = outside(3); *x = value; }
static void cycles(double *x) { *x += __builtin_readcyclecounter(); }
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  while (n--)
    s += va_arg(list, int);
  va_end(list);
  return s;
}
static void variadic(double *x) { *x += sum(3, 1, 2, 3); }
static void jumps(double *x) {
  static void *labels[] = {&&first, &&second};
  goto *labels[static_cast<int>(*x) & 1];
first:
  *x += 1;
  return;
second:
  *x += 2;
}
static void leaps(double *x) {
  static void *const labels[] = {&&first, &&second};
  goto *labels[static_cast<int>(*x) & 1];
first:
  *x += 1;
  return;
second:
  *x += 2;
}
extern double coefficients[];
static void measures(double *x) { *x += coefficients[2]; }
static double one = 1, two = 2;
static double *const table[] = {&one, &two};
static void chooses(double *x) { *table[int(*x) & 1] = 3; }
static void fills(double *x) {
  double own[70000];
  for (double &value : own)
    value = *x += 1;
  *x = own[int(*x) % 70000];
}

static void links(const Linked *s, double *x) { *x += *s->rows + s->value; }

// What only looks as if it could not run there.
static void looksUp(double *x) { *x += *table[int(*x) & 1]; }
static void never(double *x) {
  double y = *x;
  try {
    if (y != y && y == y)
      throw 3;
    std::array<double, 2> a = {y, y};
    y = a.at(1);
  } catch (int) {
    counter = 1;
  }
  __builtin_prefetch(x);
  *x = y + __builtin_popcount(static_cast<unsigned>(y));
}

#define LOOP(k) op_par_loop(k, #k, s, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW))
void run(op_set s, op_dat x, op_dat linked) {
  // CHECK-DAG: loop 'links' is not compiled for cuda and runs on openmp there: parameter 's' is of a type with pointers, which lead to the host's memory
  op_par_loop(links, "links", s, op_arg_dat(linked, -1, OP_ID, 1, "Linked", OP_READ),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // WARN-DAG: :[[#@LINE+3]]:{{.*}}warning: loop 'calls' is not compiled for cuda and runs on openmp there: kernel 'calls' calls 'outside', whose body is not in this file
  // STRICT-DAG: :[[#@LINE+2]]:{{.*}}error: loop 'calls' is not compiled for cuda and runs on openmp there: kernel 'calls' calls 'outside', whose body is not in this file
  // ALONE-DAG: :[[#@LINE+1]]:{{.*}}warning: loop 'calls' is not compiled and runs sequentially: kernel 'calls' calls 'outside', whose body is not in this file
  LOOP(calls);
  // CHECK-DAG: kernel 'measures' uses the variable 'coefficients', whose size is not known here
  LOOP(measures);
  // CHECK-DAG: kernel 'chooses' writes to a variable that the table 'table' leads to, of which a GPU has a copy to read
  LOOP(chooses);
  // CHECK-DAG: kernel 'fills' has 560000 bytes of local variables, of which a GPU's thread has room for 524288
  LOOP(fills);
  // WARN-DAG: remark: loop 'looksUp' compiled for openmp, cuda
  LOOP(looksUp);
  // CHECK-DAG: kernel 'assembles' contains assembly of the host's processor
  LOOP(assembles);
  // CHECK-DAG: kernel 'throws' throws an exception
  LOOP(throws);
  // CHECK-DAG: kernel 'writes' writes the variable 'counter', of which a GPU has a copy to read
  LOOP(writes);
  // CHECK-DAG: kernel 'changes' writes what the pointer in the variable 'pointer' leads to, of which a GPU has a copy to read
  LOOP(changes);
  // CHECK-DAG: kernel 'compares' does more with the pointer in the variable 'pointer' than to read numbers that it leads to
  LOOP(compares);
  // WARN-DAG: remark: loop 'follows' compiled for openmp, cuda
  LOOP(follows);
  // CHECK-DAG: kernel 'threads' uses the thread-local variable 'local'
  LOOP(threads);
  // CHECK-DAG: kernel 'allocates' allocates memory ('malloc')
  LOOP(allocates);
  // CHECK-DAG: kernel 'recurses' calls 'power', which is recursive: the stack of a GPU's thread is small
  LOOP(recurses);
  // CHECK-DAG: kernel 'precise' computes with long double
  LOOP(precise);
  // CHECK-DAG: kernel 'grows' has an array of a size that only the run knows
  LOOP(grows);
  // CHECK-DAG: kernel 'widens' converts between floating-point numbers and integers of 128 bits
  LOOP(widens);
  // CHECK-DAG: kernel 'prints' calls 'std::ostream::{{.*}}', whose body is not in this file
  LOOP(prints);
  // CHECK-DAG: kernel 'initialises' has a static variable that is initialised when the program runs
  LOOP(initialises);
  // CHECK-DAG: kernel 'cycles' uses 'llvm.readcyclecounter', which a GPU does not have
  LOOP(cycles);
  // CHECK-DAG: kernel 'variadic' is variadic, or calls a variadic function
  LOOP(variadic);
  // CHECK-DAG: kernel 'jumps' takes the addresses of labels
  LOOP(jumps);
  // CHECK-DAG: kernel 'leaps' takes the addresses of labels
  LOOP(leaps);
  // WARN-DAG: remark: loop 'never' compiled for openmp, cuda
  LOOP(never);
}
