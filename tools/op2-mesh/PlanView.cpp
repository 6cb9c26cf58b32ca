//===- PlanView.cpp - A plan of the runtime, by element -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the mesh to libop2 as an application does, begins a loop and asks
// for its plan through the interface of generated code.
//
//===----------------------------------------------------------------------===//

#include "PlanView.h"

#include "OP2/Runtime/op2rt.h"
#include "op_lib_c.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace op2::mesh;

namespace {
/// From op_init to op_exit.
class Program {
public:
  explicit Program(Mesh const &mesh) {
    op_init(0, nullptr, 0);
    for (Set const &set : mesh.sets)
      sets[set.name] = op2rt_decl_set(set.size, set.name.c_str());
    for (Map const &map : mesh.maps)
      maps[map.name] = op2rt_decl_map(
          sets[map.from], sets[map.to], map.arity, map.table.data(),
          int64_t(map.table.size()), map.name.c_str());
  }
  Program(Program const &) = delete;
  ~Program() { op_exit(); }

  op_dat_core *declareDat(std::string const &set, std::string const &name) {
    return op2rt_decl_dat(sets.at(set), 2, OP2RT_F64, nullptr, 0, name.c_str());
  }
  std::map<std::string, op_set_core *> sets;
  std::map<std::string, op_map_core *> maps;
};

/// The arguments of the loop.
class LoopArguments {
public:
  LoopArguments(Mesh const &mesh, std::string const &set, Program &program) {
    Map const *target = nullptr;
    for (Map const &map : mesh.maps) {
      if (map.from != set)
        continue;
      add(map, OP2RT_READ, program.declareDat(map.to, "read_" + map.name),
          program);
      readers.push_back({map.to, int32_t(args.size()) - map.arity});
      if (!target || map.to == "cells")
        target = &map;
    }
    if (!target)
      throw Error("no map leads from set '" + set +
                  "': a loop over it needs no plan");
    increments = target->to;
    add(*target, OP2RT_INC, program.declareDat(target->to, "sums"), program);
  }

  struct Reader {
    std::string set;
    int32_t arg;
  };
  std::string increments;
  std::vector<Reader> readers; ///< an argument for each map
  std::vector<op2rt_arg_desc> args;
  std::vector<op2rt_arg> values;

private:
  void add(Map const &map, int32_t access, op_dat_core *dat, Program &program) {
    int32_t group = static_cast<int32_t>(groups++);
    for (int32_t slot = 0; slot < map.arity; ++slot) {
      args.push_back({OP2RT_ARG_DAT, access, slot, 1, 2, OP2RT_F64, 0, group});
      values.push_back({dat, program.maps.at(map.name), 1});
    }
  }
  int groups = 0;
};
} // namespace

static uint32_t contentsOf(std::string const &strategy) {
  if (strategy == "two-level")
    return OP2RT_PLAN_ELEMENT_COLORS | OP2RT_PLAN_STAGE;
  if (strategy == "atomics")
    return OP2RT_PLAN_UNCOLORED | OP2RT_PLAN_STAGE;
  if (strategy == "global")
    return OP2RT_PLAN_GLOBAL_COLORS;
  throw Error("unknown strategy '" + strategy +
              "'; known are two-level, atomics, global");
}

/// Positions of blocks (in colour order) by the number of the block.
static std::vector<int64_t> positionsOf(op2rt_plan const *plan) {
  std::vector<int64_t> positions(
      static_cast<std::size_t>(op2rt_plan_num_blocks(plan)));
  std::iota(positions.begin(), positions.end(), 0);
  std::sort(positions.begin(), positions.end(), [&](int64_t a, int64_t b) {
    return op2rt_plan_block_begin(plan, a) < op2rt_plan_block_begin(plan, b);
  });
  return positions;
}

static void readBlocks(op2rt_plan const *plan,
                       std::vector<int64_t> const &positions, PlanView &view) {
  int32_t const *permutation = op2rt_plan_permutation(plan);
  for (std::size_t b = 0; b < positions.size(); ++b) {
    int64_t position = positions[b];
    int32_t color = 0;
    while (op2rt_plan_color_begin(plan, color + 1) <= position)
      ++color;
    view.colorOf.push_back(color);
    for (int64_t n = op2rt_plan_block_begin(plan, position);
         n < op2rt_plan_block_end(plan, position); ++n)
      view.blockOf[permutation ? permutation[n] : n] = static_cast<int32_t>(b);
  }
}

static void readColors(op2rt_plan const *plan, PlanView &view) {
  view.isGlobal = op2rt_plan_permutation(plan) != nullptr;
  if (view.isGlobal) {
    for (int32_t block : view.blockOf)
      view.elementColor.push_back(view.colorOf[block]);
    return;
  }
  if (int32_t const *colors = op2rt_plan_element_colors(plan))
    view.elementColor.assign(colors, colors + view.blockOf.size());
}

PlanView op2::mesh::viewPlan(Mesh const &mesh, std::string const &set,
                             std::string const &strategy, int64_t blockSize) {
  uint32_t what = contentsOf(strategy);
  PlanView view;
  view.set = set;
  view.blockOf.resize(static_cast<std::size_t>(mesh.set(set).size));
  Program program(mesh);
  LoopArguments loop(mesh, set, program);
  view.increments = loop.increments;
  op2rt_loop_desc desc{
      OP2RT_ABI_VERSION, OP2RT_TARGET_OPENMP,       "op2-mesh",       "",
      strategy.c_str(),  int32_t(loop.args.size()), loop.args.data(), nullptr};
  op2rt_loop *running =
      op2rt_loop_begin(&desc, program.sets.at(set), loop.values.data());
  op2rt_plan const *plan = op2rt_plan_get(running, blockSize, what);
  view.numBlocks = op2rt_plan_num_blocks(plan);
  view.numColors = static_cast<int32_t>(op2rt_plan_num_colors(plan));
  std::vector<int64_t> positions = positionsOf(plan);
  readBlocks(plan, positions, view);
  readColors(plan, view);
  if (what & OP2RT_PLAN_STAGE)
    for (LoopArguments::Reader const &reader : loop.readers) {
      PlanView::Staged staged{reader.set, {}};
      for (int64_t position : positions) {
        int32_t const *first =
            op2rt_plan_stage_targets(plan, reader.arg, position);
        staged.elements.emplace_back(
            first, first + op2rt_plan_stage_size(plan, reader.arg, position));
      }
      view.staged.push_back(std::move(staged));
    }
  op2rt_loop_end(running);
  return view;
}
