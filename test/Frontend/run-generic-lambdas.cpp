// Loops in generic lambdas that Clang instantiates for the type of a call alone,
// and calls then.
// RUN: %op2cxx %unoptimized -O1 -std=c++20 -Werror=op2-sequential %s -o %t && %t | FileCheck %s
// CHECK: 9 10
#include "op_seq.h"
#include <cstdio>
#include <variant>

static void add(float *q) { *q += 1; }

static op_set cells;

static void visit(std::variant<op_dat, int> any) {
  std::visit([](auto d) {
    if constexpr (std::is_same_v<decltype(d), op_dat>)
      op_par_loop(add, "visited", cells, op_arg_dat(d, -1, OP_ID, 1, "float", OP_RW));
  }, any);
}

template <class D> void runInTemplate(D d) {
  auto run = [](auto x) { op_par_loop(add, "in a template", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); };
  using Result = decltype(run(d));
  Result(run(d));
}

// Code is made for what other files see before the file ends.
void runNested(op_dat d) {
  auto outer = [](auto x) {
    auto inner = []<class D>(D y) { op_par_loop(add, "nested", cells, op_arg_dat(y, -1, OP_ID, 1, "float", OP_RW)); };
    using Result = decltype(inner(x));
    inner(x);
  };
  using Result = decltype(outer(d));
  outer(d);
}

inline constexpr auto global = [](auto x) { op_par_loop(add, "global", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); };
using OfGlobal = decltype(global(op_dat()));

struct Base {
  explicit Base(op_dat d) {
    auto run = [this](auto x) { op_par_loop(add, "of a member", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); };
    using Result = decltype(run(d));
    run(d);
  }
};

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  float data[2] = {0, 1};
  cells = op_decl_set(2, "cells");
  op_dat q = op_decl_dat(cells, 1, "float", data, "q");
  visit(q);
  runInTemplate(q);
  runNested(q);
  global(q);
  Base base(q);
  // For two types, of which one is instantiated in the ordinary way.
  auto run = [](auto x, auto) { op_par_loop(add, "for two types", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); };
  run(q, 1);
  using Result = decltype(run(q, 1.0));
  run(q, 1.0);
  auto ordinary = [](auto x) -> void { op_par_loop(add, "ordinary", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); };
  ordinary(q);
  [&](auto x) { op_par_loop(add, "at once", cells, op_arg_dat(x, -1, OP_ID, 1, "float", OP_RW)); }(q);
  op_fetch_data(q, data);
  std::printf("%g %g\n", data[0], data[1]);
  op_exit();
}
