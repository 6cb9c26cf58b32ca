//===- small_loop.cpp - Calls of small loops ------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// small-loop: a loop over 64 elements, compiled by op2c++, which does next to
// nothing. In large programs the caches hold other things when such a loop is
// called, among them boundary conditions: with --others=N the program goes
// through N MiB between calls. Prints a JSON line with microseconds.
//
//===----------------------------------------------------------------------===//

#include "../examples/common/command_line.h"

#include "op_seq.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <vector>

static inline void clear(double *value) { *value = 0; }

int main(int argc, char **argv) {
  int calls = 201, others = 0;
  examples::CommandLine line("small-loop", "Times calls of a small loop.");
  line.number("calls", calls, 1, INT_MAX, "to take the median of");
  line.number("others", others, 0, 4096, "MiB used between two calls");
  line.parse(argc, argv);
  op_init(argc, argv, 0);

  constexpr int size = 64;
  std::vector<int> last(size);
  for (int n = 0; n < size; ++n)
    last[size_t(n)] = size - 1 - n;
  std::vector<double> values(size, 1.0);
  op_set set = op_decl_set(size, "set");
  op_map map = op_decl_map(set, set, 1, last.data(), "map");
  op_dat dat = op_decl_dat(set, 1, "double", values.data(), "dat");

  std::vector<char> memory(size_t(others) << 20);
  std::vector<double> times;
  times.reserve(size_t(calls));
  for (int call = -5; call < calls; ++call) {
    for (size_t at = 0; at < memory.size(); at += 64)
      ++memory[at];
    using namespace std::chrono;
    const auto start = steady_clock::now();
    op_par_loop(clear, "clear", set,
                op_arg_dat(dat, 0, map, 1, "double", OP_WRITE));
    if (call >= 0) // the first ones make plans
      times.push_back(
          duration<double, std::micro>(steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"others_mib\": %d, \"median_us\": %.3f, \"min_us\": %.3f}\n",
              others, times[times.size() / 2], times.front());
  op_exit();
}
