// Loops in initializers of variable templates and in default arguments of functions
// of templates are compiled; those in default member initializers of class templates
// run sequentially.
//
// RUN: %op2cxx -Wno-error=op2-sequential -std=c++17 -O2 --op2-target=openmp,seq %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: env OP2_STRICT=0 %t | FileCheck %s
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | FileCheck %s --check-prefix=VALUES
//
// WARNING-NOT: warning:
// WARNING: warning: loop 'member initializer' is not compiled and runs sequentially: its call was not seen when this file was parsed: {{.*}} default member initializer of a class template
// WARNING: 1 warning generated
//
// CHECK: 1 2 3 4
// CHECK-NEXT: 6 7
// CHECK-DAG: op2: loop static member: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop variable: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop default argument: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop other default: compiled for openmp (direct), seq (sequential)
// VALUES: 1 2 3 4
// VALUES-NEXT: 6 7

#include "op_seq.h"

#include <cstdio>

static void increase(double *q) { *q += 1; }

struct World {
  op_set set;
  op_dat q;
  World() {
    static char name[] = "program";
    static char *arguments[] = {name, nullptr};
    op_init(1, arguments, 2);
    double values[2] = {1, 2};
    set = op_decl_set(2, "set");
    q = op_decl_dat(set, 1, "double", values, "q");
  }
};
static World &world() {
  static World one;
  return one;
}

template <class T> struct Member {
  static T value;
};
template <class T>
T Member<T>::value =
    (op_par_loop(increase, "static member", world().set,
                 op_arg_dat(world().q, -1, OP_ID, 1, "double", OP_RW)),
     T(1));

template <class T>
T variable = [] {
  op_set set = world().set;
  op_dat q = world().q;
  op_par_loop(increase, "variable", set,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  return T(2);
}();

template <class T> struct Initialized {
  T value = [] {
    op_set set = world().set;
    op_dat q = world().q;
    op_par_loop(increase, "member initializer", set,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
    return T(3);
  }();
};

// Defaults that need each other's.
template <class T> struct Defaults {
  static T argument(T t = (op_par_loop(increase, "default argument",
                                       world().set,
                                       op_arg_dat(world().q, -1, OP_ID, 1,
                                                  "double", OP_RW)),
                           other(T(3)))) {
    return t;
  }
  static T other(T t = (op_par_loop(increase, "other default", world().set,
                                    op_arg_dat(world().q, -1, OP_ID, 1,
                                               "double", OP_RW)),
                        argument())) {
    return t + 1;
  }
};

int main() {
  double member = Member<double>::value, second = variable<double>;
  double third = Initialized<double>().value;
  double fourth = Defaults<double>::argument();
  std::printf("%g %g %g %g\n", member, second, third, fourth);
  if (fourth < 0)
    std::printf("%g\n", Defaults<double>::other());
  double values[2];
  op_fetch_data(world().q, values);
  std::printf("%g %g\n", values[0] + 1, values[1] + 1);
  op_exit();
}
