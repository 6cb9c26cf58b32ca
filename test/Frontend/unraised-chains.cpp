// Which loops may wait whose kernels are not raised: those that change their
// arguments alone, and look at these, at variables of the program, and at what
// pointers in certain places of such variables lead to.
//
// RUN: %op2cxx %unoptimized -O1 --op2-report -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s

#include "op_seq.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

struct Node {
  Node *next;
  double value;
};
struct Pair {
  double *a, *b;
};
double scale, *table;
Node *list;
Pair pairs[4];

// A question that no raised kernel asks.
static bool isThere(double *b) { return b; }

static void variable(double *a, double *b) {
  *a = scale;
  if (isThere(b))
    *b = scale;
}
static void pointer(double *a, double *b) {
  *a = table[1];
  if (isThere(b))
    *b = table[0];
}
static void follows(double *a, double *b) {
  *a = list->next->value;
  if (isThere(b))
    *b = 1;
}
static void copies(double *a, double *b) {
  Pair pair = pairs[int(*a) & 3];
  *a = *pair.a;
  if (isThere(b))
    *b = *pair.b;
}
// Bits that are taken for an address, and kept as one.
static void puns(double *a, double *b) {
  double *p;
  std::memcpy(&p, a, sizeof p);
  *b = b ? *p : 0;
}
static void stores(double *a, double *b) {
  if (isThere(b))
    scale = *b;
  *a = 1;
}
static void errs(double *a, double *b) {
  *a = errno;
  if (isThere(b))
    *b = 1;
}
static void ends(double *a, double *b) {
  if (isThere(b))
    std::abort();
  *a = 1;
}
static void spins(volatile double *a, double *b) {
  if (isThere(b))
    *a = 1;
}

// A pending loop has a copy of the global.
static void addresses(double *a, double *b, const double *g) {
  *a = g == &scale ? 1 : 2;
  if (isThere(b))
    *b = *g;
}

void run(op_set set, op_dat x, op_dat y) {
#define RUN(kernel)                                                            \
  for (int n = 0; n < 3; ++n) {                                                \
    op_par_loop(kernel, #kernel, set,                                          \
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),                  \
                op_opt_arg_dat(1, y, -1, OP_ID, 1, "double", OP_RW));          \
  }
  // CHECK-DAG: loop 'variable': kernel not raised: it compares pointers
  // CHECK-DAG: loop 'variable' may be delayed
  RUN(variable)
  // CHECK-DAG: loop 'pointer': kernel not raised: it compares pointers
  // CHECK-DAG: loop 'pointer' may be delayed
  RUN(pointer)
  // CHECK-DAG: loop 'follows' is not delayed: its kernel reads through a pointer that is in no variable
  RUN(follows)
  // CHECK-DAG: loop 'copies' is not delayed: its kernel reads through a pointer that is in no variable
  RUN(copies)
  // CHECK-DAG: loop 'puns' is not delayed: its kernel reads through a pointer that is in no variable
  RUN(puns)
  // CHECK-DAG: loop 'stores' is not delayed: its kernel may change more than its arguments, or asks for their addresses
  RUN(stores)
  // CHECK-DAG: loop 'errs' is not delayed: its kernel reads through a pointer that is in no variable
  RUN(errs)
  // CHECK-DAG: loop 'ends' is not delayed: its kernel may change more than its arguments, or asks for their addresses
  RUN(ends)
  // CHECK-DAG: loop 'spins' is not delayed: its kernel may change more than its arguments, or asks for their addresses
  RUN(spins)
  // CHECK-DAG: loop 'addresses' is not delayed: its kernel may change more than its arguments, or asks for their addresses
  for (int n = 0; n < 3; ++n)
    op_par_loop(addresses, "addresses", set,
                op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
                op_opt_arg_dat(1, y, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&scale, 1, "double", OP_READ));
}
