//===- boundary.cpp - Loops over a part of a set --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boundary: changes some elements of a set, which lie anywhere in it. Through a
// map of arity 1, which the library finds to lead to no element twice; through
// the first slot of a map of arity 2, for which it makes colours, as it did for
// both; as a subset; and by a loop over the whole set that looks at a flag.
// Prints JSON lines with milliseconds of the first call, plan included, and of
// the later ones.
//
//===----------------------------------------------------------------------===//

#include "../examples/common/command_line.h"

#include "op_seq.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <random>
#include <vector>

static inline void relax(double *q, const double *w) { *q = *q * 0.5 + *w; }
static inline void add(double *q, const double *w) { *q += *w; }
static inline void relaxFlagged(double *q, const double *w, const int *flag) {
  if (*flag)
    *q = *q * 0.5 + *w;
}

/// First call and median of the others, ms.
template <class Call> static void time(char const *what, int calls, Call call) {
  std::vector<double> times;
  for (int n = 0; n <= calls; ++n) {
    using namespace std::chrono;
    const auto start = steady_clock::now();
    call();
    times.push_back(
        duration<double, std::milli>(steady_clock::now() - start).count());
  }
  std::sort(times.begin() + 1, times.end());
  std::printf("{\"loop\": \"%s\", \"first_ms\": %.3f, \"median_ms\": %.3f}\n",
              what, times[0], times[1 + times.size() / 2 - 1]);
}

int main(int argc, char **argv) {
  int size = 2000000, part = 200000, calls = 51;
  examples::CommandLine line("boundary", "Times loops over a part of a set.");
  line.number("size", size, 1, INT_MAX / 4, "elements of the set");
  line.number("part", part, 1, INT_MAX / 4, "that are in the part");
  line.number("calls", calls, 1, INT_MAX, "to take the median of");
  line.parse(argc, argv);
  op_init(argc, argv, 0);
  part = std::min(part, size);

  std::vector<int> all(static_cast<size_t>(size)), flags(all.size());
  for (int n = 0; n < size; ++n)
    all[size_t(n)] = n;
  std::mt19937 random(1);
  for (int n = 0; n < part; ++n)
    std::swap(all[size_t(n)],
              all[size_t(n) + random() % (all.size() - size_t(n))]);
  std::vector<int> pairs;
  for (int n = 0; n < part; ++n) {
    flags[size_t(all[size_t(n)])] = 1;
    pairs.insert(pairs.end(), {all[size_t(n)], all[size_t(n)]});
  }
  std::vector<double> values(all.size(), 1.0);
  op_set cells = op_decl_set(size, "cells"), walls = op_decl_set(part, "walls");
  op_map one = op_decl_map(walls, cells, 1, all.data(), "one");
  op_map two = op_decl_map(walls, cells, 2, pairs.data(), "two");
  op_dat q = op_decl_dat(cells, 1, "double", values.data(), "q");
  op_dat w = op_decl_dat(cells, 1, "double", values.data(), "w");
  op_dat flag = op_decl_dat(cells, 1, "int", flags.data(), "flag");
  op_subset some = op_decl_subset(cells, part, all.data(), "some");

  time("rw, map of arity 1", calls, [&] {
    op_par_loop(relax, "relax one", walls,
                op_arg_dat(q, 0, one, 1, "double", OP_RW),
                op_arg_dat(w, 0, one, 1, "double", OP_READ));
  });
  time("rw, slot of arity 2", calls, [&] {
    op_par_loop(relax, "relax two", walls,
                op_arg_dat(q, 0, two, 1, "double", OP_RW),
                op_arg_dat(w, 0, two, 1, "double", OP_READ));
  });
  time("rw, subset", calls, [&] {
    op_par_loop(relax, "relax subset", some,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
  });
  time("rw, whole set with a flag", calls, [&] {
    op_par_loop(relaxFlagged, "relax all", cells,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ));
  });
  time("inc, map of arity 1", calls, [&] {
    op_par_loop(add, "add one", walls,
                op_arg_dat(q, 0, one, 1, "double", OP_INC),
                op_arg_dat(w, 0, one, 1, "double", OP_READ));
  });
  time("inc, slot of arity 2", calls, [&] {
    op_par_loop(add, "add two", walls,
                op_arg_dat(q, 0, two, 1, "double", OP_INC),
                op_arg_dat(w, 0, two, 1, "double", OP_READ));
  });
  time("inc, subset", calls, [&] {
    op_par_loop(add, "add subset", some,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ));
  });
  op_exit();
  return 0;
}
