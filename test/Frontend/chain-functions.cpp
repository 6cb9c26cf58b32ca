// Loops of several functions that wait for each other: where the compiler
// follows calls, and why it does not.
// test/Integration/cpp/chain-functions.cpp runs such programs.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx -O2 --op2-report --op2-no-fuse -S -emit-llvm %s -o %t.ll 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: FileCheck %s --check-prefix=LLVM < %t.ll
//
// With debug information, which is checked, and with what is inlined first.
// RUN: %op2cxx -O1 -g -c %s -o %t.o
// RUN: %op2cxx %unoptimized -O3 -g --op2-report --op2-no-fuse -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: %op2cxx -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %op2cxx %unoptimized -O2 --op2-no-delay -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: .waits
// NONE-NOT: call i32 @op2rt_enqueue

#include "op_seq.h"
#include <stdexcept>

static void bump(double *q) { q[0] += 1; }
static void sum(const double *q, double *total) { *total += q[0]; }
double offset = 1;
static void shift(double *q) { q[0] += offset; }

op_set cells;
op_dat q;
int count;
void look();

#define BUMP(name) op_par_loop(bump, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))
#define SUM(name, total)                                                       \
  op_par_loop(sum, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))
#define SHIFT(name) op_par_loop(shift, name, cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW))

// What waits where a function returns goes on waiting behind its calls. Those
// who call it from elsewhere find that it has run.
// CHECK-DAG: remark: loop 'in a step' may be delayed; pending loops are flushed where 'look' is called (chain-functions.cpp:[[#@LINE+23]]), 'step' returns to a caller that is not followed
// LLVM-LABEL: define dso_local void @step()
// LLVM-NEXT:    tail call fastcc void @step.waits()
// LLVM-NEXT:    %{{.*}} = load i32, ptr @op2rt_pending
// LLVM:         call void @op2rt_flush(
// LLVM:         ret void
// LLVM-LABEL: define internal fastcc void @step.waits()
// LLVM:         store i32 1, ptr @op2rt_may_enqueue
// LLVM:         call i32 @op2rt_enqueue(
// LLVM:         store i32 0, ptr @op2rt_may_enqueue
// LLVM-NOT:     op2rt_flush
// LLVM:       {{^}}}
extern "C" [[gnu::noinline]] void step() {
  BUMP("in a step");
}
// LLVM-LABEL: define{{.*}} @steps()
// LLVM-NOT:     op2rt_flush
// LLVM:         call fastcc void @step.waits()
// LLVM:         call void @op2rt_flush(
// LLVM:         call void @_Z4lookv()
extern "C" void steps() {
  for (int i = 0; i < count; ++i)
    step();
  look();
}

// Of a function that only these call nothing else is left.
// LLVM-NOT:   define{{.*}} @_ZL4onlyv()
// CHECK-DAG: loop 'only' may be delayed; pending loops are flushed where 'look' is called (chain-functions.cpp:[[#@LINE+5]]){{$}}
static void only() { BUMP("only"); }
void onlyHere() {
  only();
  only();
  look();
}

// Branches, functions in functions, and what is pending when a function is called.
// CHECK-DAG: loop 'one way' may be delayed; pending loops are flushed where the function ends (chain-functions.cpp:[[#@LINE+16]]){{$}}
static void branches(int flag) {
  if (flag == 1)
    BUMP("one way");
  else if (flag == 2)
    look();
}
// CHECK-DAG: loop 'nested' may be delayed; pending loops are flushed where the function ends (chain-functions.cpp:[[#@LINE+9]]){{$}}
static void nested(int flag) {
  branches(flag);
  BUMP("nested");
}
// CHECK-DAG: loop 'before nested' may be delayed; pending loops are flushed where 'look' is called (chain-functions.cpp:[[#@LINE-7]]), the function ends (chain-functions.cpp:[[#@LINE+4]]){{$}}
void outer(int flag) {
  BUMP("before nested");
  nested(flag);
}

// A function that calls itself.
// CHECK-DAG: loop 'recursive' may be delayed; pending loops are flushed where 'look' is called (chain-functions.cpp:[[#@LINE+8]]){{$}}
static void recursive(int depth) {
  BUMP("recursive");
  if (depth > 0)
    recursive(depth - 1);
}
void recursion() {
  recursive(count);
  look();
}

// Inline functions are others' too, with the same body.
// CHECK-DAG: loop 'inlined' may be delayed; pending loops are flushed where the function ends (chain-functions.cpp:[[#@LINE+6]]), 'inlined' returns to a caller that is not followed
inline void inlined() { BUMP("inlined"); }
void (*address)() = inlined;
void callsInlined() {
  inlined();
  inlined();
}

// A result is there before it is returned, and where the variable's life ends
// it is dropped.
// CHECK-DAG: loop 'returned' may be delayed; pending loops are flushed where memory is read (chain-functions.cpp:[[#@LINE+5]]){{$}}
static double returned() {
  double total = 0;
  SUM("returned", &total);
  BUMP("after returned");
  return total;
}
// LLVM-LABEL: define internal fastcc void @_ZL7droppedd.waits(
// LLVM:         store i32 0, ptr @op2rt_may_enqueue
// LLVM:         call void @op2rt_drop(ptr nonnull %{{.*}}, i64 8)
// LLVM:         ret void
// CHECK-DAG: loop 'dropped' may be delayed; pending loops are flushed where 'look' is called (chain-functions.cpp:[[#@LINE+9]]){{$}}
[[gnu::noinline]] static void dropped(double total) {
  SUM("dropped", &total);
}
double callsReturned() {
  double first = returned(), second = returned();
  dropped(first);
  dropped(second);
  BUMP("after dropped");
  look();
  return first + second;
}

// A result in a variable of the caller's, or wherever, is there when the
// function returns; in a global variable, before anybody might read it.
// CHECK-DAG: loop 'for the caller' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+3]]) before another loop could join
static void forCaller(double &total) {
  SUM("for the caller", &total);
}
// CHECK-DAG: loop 'global' may be delayed; pending loops are flushed where memory is read (chain-functions.cpp:[[#@LINE+11]]){{$}}
double globalTotal;
static void forAll() {
  SUM("global", &globalTotal);
}
double results() {
  double total = 0;
  forCaller(total);
  BUMP("between");
  forAll();
  BUMP("after global");
  return globalTotal;
}

// What kernels read by its name, in another function.
// CHECK-DAG: loop 'by name' may be delayed; pending loops are flushed where {{.*}}memory is written (chain-functions.cpp:[[#@LINE+5]])
static void byName() { SHIFT("by name"); }
void changesIt() {
  byName();
  BUMP("after by name");
  offset = 2;
  // CHECK-DAG: loop 'changes it' is not delayed: 'by name' begins (chain-functions.cpp:[[#@LINE-5]]) before another loop could join
  SUM("changes it", &offset);
  byName();
}

// An argument that is copied when the function is called holds a result.
struct Totals {
  double values[5];
};
static void takesCopy(Totals totals) {
  BUMP("takes a copy");
  if (totals.values[0] > 1)
    look();
}
// CHECK-DAG: loop 'copied' is not delayed: memory is copied (chain-functions.cpp:[[#@LINE+4]]) before another loop could join
void copies() {
  Totals totals = {};
  SUM("copied", totals.values);
  takesCopy(totals);
}

// Not known to be what is called, or not how it comes back.
struct Base {
  virtual void run();
};
void Base::run() { BUMP("virtual"); }
// CHECK-DAG: loop 'virtual' is not delayed: the function ends (chain-functions.cpp:[[#@LINE-1]]) before another loop could join
void callsVirtual(Base &base) {
  base.run();
  base.run();
}
// CHECK-DAG: loop 'by pointer' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+1]]) before another loop could join
void byPointer() { BUMP("by pointer"); }
void callsPointer() {
  void (*volatile pointer)() = byPointer;
  pointer();
  pointer();
}
// CHECK-DAG: loop 'weak' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+1]]) before another loop could join
[[gnu::weak]] void weak() { BUMP("weak"); }
void callsWeak() {
  weak();
  weak();
}
// CHECK-DAG: loop 'variadic' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+1]]) before another loop could join
static void variadic(int, ...) { BUMP("variadic"); }
void callsVariadic() {
  variadic(1, 2);
  variadic(2, 3);
}
// CHECK-DAG: loop 'at last' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+1]]) before another loop could join
static void atLast() { BUMP("at last"); }
void callsLast() { [[clang::musttail]] return atLast(); }
// CHECK-DAG: loop 'unoptimized' is not delayed: the function ends (chain-functions.cpp:[[#@LINE+1]]) before another loop could join
static void unoptimized() { BUMP("unoptimized"); }
[[clang::optnone]] void callsUnoptimized() {
  unoptimized();
  unoptimized();
}

// Exceptions: pending loops are run before one is thrown.
// CHECK-DAG: loop 'throws' may be delayed; pending loops are flushed where '__cxa_allocate_exception' is called (chain-functions.cpp:[[#@LINE+4]]), {{.*}}, 'look' is called (chain-functions.cpp:[[#@LINE+15]]){{$}}
static void throws() {
  BUMP("throws");
  if (count > 3)
    throw 3;
}
void catches() {
  try {
    throws();
    throws();
  } catch (int) {
    // CHECK-DAG: loop 'handler' may be delayed
    BUMP("handler");
    throws();
  }
  look();
}
