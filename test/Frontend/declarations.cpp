// A loop's dim and type against the declaration of the dat, where the file
// shows that there is only one.
// RUN: not %op2cxx -fsyntax-only %s 2>&1 | FileCheck %s
#include "op_seq.h"

static void one(double *x) { *x = 0; }
static void single(float *x) { *x = 0; }

static op_dat global = nullptr;

void run(op_set set, double *data, bool flag) {
  op_dat q = op_decl_dat(set, 4, "double", data, "q");
  global = op_decl_dat(set, 3, "double", data, "global");
  op_dat either = op_decl_dat(set, 4, "double", data, "either");
  if (flag)
    either = op_decl_dat(set, 1, "double", data, "other");

  // CHECK: [[#@LINE+1]]:{{.*}}error: dim 2 does not match the declaration of 'q', which has dim 4
  op_par_loop(one, "dim", set, op_arg_dat(q, -1, OP_ID, 2, "double", OP_WRITE));
  // CHECK: [[#@LINE-8]]:{{.*}}note: dat declared here
  // CHECK: [[#@LINE+1]]:{{.*}}error: type string 'float' does not match the declaration of 'q', which has 'double'
  op_par_loop(single, "type", set, op_arg_dat(q, -1, OP_ID, 4, "float", OP_WRITE));
  // CHECK: [[#@LINE+1]]:{{.*}}error: dim 4 does not match the declaration of 'global', which has dim 3
  op_par_loop(one, "dim", set, op_arg_dat(global, -1, OP_ID, 4, "double", OP_WRITE));
  // What changes otherwise says nothing, as in the last lines.
  // CHECK-NOT: error:
  op_par_loop(one, "dim", set, op_arg_dat(either, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(q, -1, OP_ID, 4, "double", OP_WRITE));
}

// Ways of giving a dat's variable another value; other files may, too.
op_dat everywhere;
static op_dat closure, returned, member, functor, chosen, bound;
static op_dat &pick() { return returned; }
struct Slot {
  op_dat &dat;
};
struct Declare {
  void operator()(op_dat &x, op_dat y) const { x = y; }
};
template <class T> static void declareIn(T &x, op_dat y) { x = y; }
void more(op_set set, double *data, bool flag) {
  everywhere = op_decl_dat(set, 4, "double", data, "x");
  closure = op_decl_dat(set, 4, "double", data, "x");
  returned = op_decl_dat(set, 4, "double", data, "x");
  member = op_decl_dat(set, 4, "double", data, "x");
  functor = op_decl_dat(set, 4, "double", data, "x");
  chosen = op_decl_dat(set, 4, "double", data, "x");
  bound = op_decl_dat(set, 4, "double", data, "x");
  op_dat other = op_decl_dat(set, 1, "double", data, "x"), generic = op_decl_dat(set, 4, "double", data, "x");
  [](op_dat &x, op_dat y) { x = y; }(closure, other);
  pick() = other;
  Slot{member}.dat = other;
  Declare()(functor, other);
  (flag ? chosen : other) = other;
  op_dat &reference = flag ? bound : other;
  reference = other;
  declareIn(generic, other);
  for (op_dat x : {everywhere, closure, returned, member, functor, chosen, bound, generic})
    op_par_loop(one, "dim", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(everywhere, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(closure, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(returned, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(member, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(functor, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(chosen, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(bound, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(one, "dim", set, op_arg_dat(generic, -1, OP_ID, 1, "double", OP_WRITE));
}
