//===- loop_call.cpp - The runtime's part of a loop's call ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loop-call [calls] [rounds]: what the runtime needs on the host for a call of
// a loop on a device with the arguments of Airfoil's res_calc, without any
// launch: all that generated code asks, and the same without the 19 arrays of
// the plan, in turn. Prints a JSON line with medians in nanoseconds.
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2rt_device.h"
#include "op_lib_cpp.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// A chain of edges between as many nodes and cells.
class ResCalc {
public:
  ResCalc() {
    std::vector<int> ends;
    for (int edge = 0; edge + 1 < count; ++edge)
      ends.insert(ends.end(), {edge, edge + 1});
    edges = op_decl_set(count - 1, "edges");
    op_set nodes = op_decl_set(count, "nodes");
    op_set cells = op_decl_set(count, "cells");
    op_map pedge = op_decl_map(edges, nodes, 2, ends.data(), "pedge");
    op_map pecell = op_decl_map(edges, cells, 2, ends.data(), "pecell");
    addBoth(nodes, 2, "x", pedge, OP2RT_READ);
    addBoth(cells, 4, "q", pecell, OP2RT_READ);
    addBoth(cells, 1, "adt", pecell, OP2RT_READ);
    addBoth(cells, 4, "res", pecell, OP2RT_INC);
    desc.abi_version = OP2RT_ABI_VERSION;
    desc.target = OP2RT_TARGET_EMULATOR;
    desc.name = "res_calc";
    desc.location = "";
    desc.strategy = "two-level colours";
    desc.nargs = static_cast<int32_t>(args.size());
    desc.args = args.data();
  }

  /// One call, in the order of what op2c++ generates.
  void run(bool withArrays) {
    op2rt_loop *loop = op2rt_loop_begin(&desc, edges, values.data());
    const op2rt_plan *plan =
        op2rt_plan_get(loop, 128, OP2RT_PLAN_ELEMENT_COLORS);
    op2rt_loop_is_alias_free(loop);
    if (withArrays)
      askForArrays(loop, plan);
    for (int32_t arg = 0; arg < 8; arg += 2)
      op2rt_device_dat(loop, arg);
    op2rt_device_map(loop, 4);
    op2rt_device_map_stride(loop, 4);
    const int64_t colors = op2rt_view(plan)->num_colors;
    for (int64_t color = 0; color < colors; ++color) {
      looked = op2rt_view(plan)->color_begin[color];
      looked = op2rt_view(plan)->color_begin[color + 1];
    }
    op2rt_loop_end(loop);
  }

private:
  volatile int64_t looked = 0;
  static constexpr int count = 100;

  /// A dat of zeros through both entries of a map.
  void addBoth(op_set set, int dim, const char *name, op_map map, int access) {
    op_dat dat =
        op_decl_dat_char(set, dim, "double", sizeof(double), nullptr, name);
    const auto group = static_cast<int32_t>(args.size());
    for (int32_t slot = 0; slot < 2; ++slot) {
      args.push_back({OP2RT_ARG_DAT, access, slot, 1, dim, OP2RT_F64, 0, group,
                      /*data=*/0, /*map=*/0, /*flag=*/0, /*merge=*/0,
                      /*identity=*/0, /*arity=*/0});
      values.push_back({dat, map, 1});
    }
  }

  static void askForArrays(op2rt_loop *loop, const op2rt_plan *plan) {
    for (int32_t which = OP2RT_DEVICE_BLOCK_BEGIN;
         which <= OP2RT_DEVICE_ELEMENT_COLORS; ++which)
      op2rt_device_plan_array(loop, plan, which, 0, 0);
  }

  op_set edges;
  std::vector<op2rt_arg_desc> args;
  std::vector<op2rt_arg> values;
  op2rt_loop_desc desc{};
};

double measure(ResCalc &loop, bool withArrays, int calls) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  for (int call = 0; call < calls; ++call)
    loop.run(withArrays);
  return duration<double, std::nano>(steady_clock::now() - start).count() /
         calls;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int parse(const char *text) {
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end != text && !*end && value >= 1 && value <= INT_MAX)
    return int(value);
  std::fprintf(stderr, "usage: loop-call [calls] [rounds]\n");
  std::exit(2);
}

} // namespace

int main(int argc, char **argv) {
  const int calls = argc > 1 ? parse(argv[1]) : 50000;
  const int rounds = argc > 2 ? parse(argv[2]) : 21;
  op_init(0, nullptr, 0);
  ResCalc loop;
  loop.run(true); // builds the plan
  std::vector<double> all, less;
  for (int round = 0; round < rounds; ++round) {
    all.push_back(measure(loop, true, calls));
    less.push_back(measure(loop, false, calls));
  }
  std::printf("{\"call_ns\": %.1f, \"without_plan_arrays_ns\": %.1f}\n",
              median(all), median(less));
  op_exit();
}
