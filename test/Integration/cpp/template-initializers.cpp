// Loops in initializers of variable templates, in default arguments of functions of
// templates, and in initializers of members, of templates and not, are compiled.
//
// RUN: %op2cxx -Werror=op2-sequential -std=c++17 -O2 --op2-target=openmp,seq %s -o %t
// RUN: %t | FileCheck %s
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | FileCheck %s --check-prefix=VALUES
//
// CHECK: 1 2 3 4
// CHECK-NEXT: 11 12
// CHECK-DAG: op2: loop static member: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop variable: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop member initializer: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop of an aggregate: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop of a base: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop beside a constructor: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop default argument: compiled for openmp (direct), seq (sequential)
// CHECK-DAG: op2: loop other default: compiled for openmp (direct), seq (sequential)
// VALUES: 1 2 3 4
// VALUES-NEXT: 11 12

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

#define RUN(name) \
  (op_par_loop(increase, name, world().set, \
               op_arg_dat(world().q, -1, OP_ID, 1, "double", OP_RW)), T(1))
template <class T> struct Aggregate {
  T first, second = RUN("of an aggregate");
};
template <class T> struct Base {
  T value = RUN("of a base");
  explicit Base(T) {}
};
template <class T> struct Derived : Base<T> {
  using Base<T>::Base;
  Initialized<T> inner[2];
};
template <class T> struct Constructed {
  T value = RUN("beside a constructor");
  Constructed(T other) { value += other; }
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
  Aggregate<double> aggregate{2};
  Derived<double> derived(1);
  auto *constructed = new Constructed<double>(1);
  third += aggregate.second - derived.value + constructed->value - 2;
  delete constructed;
  double fourth = Defaults<double>::argument();
  std::printf("%g %g %g %g\n", member, second, third, fourth);
  if (fourth < 0)
    std::printf("%g\n", Defaults<double>::other());
  double values[2];
  op_fetch_data(world().q, values);
  std::printf("%g %g\n", values[0] + 1, values[1] + 1);
  op_exit();
}
