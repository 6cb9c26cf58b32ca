//===- MeshPlan.cpp - The plan of a loop over a mesh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the mesh to libop2 as an application does, begins a loop and asks
// for its plan through the interface of generated code.
//
//===----------------------------------------------------------------------===//

#include "MeshPlan.h"

#include "Plan/Plan.h"
#include "op_lib_c.h"

#include <algorithm>
#include <map>

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
      if (!target || map.to == "cells")
        target = &map;
    }
    if (!target)
      throw Error("no map leads from set '" + set +
                  "': a loop over it needs no plan");
    increments = target->to;
    op_dat_core *dat = program.declareDat(target->to, "sums");
    for (int32_t slot = 0; slot < target->arity; ++slot) {
      args.push_back({OP2RT_ARG_DAT, OP2RT_INC, slot, 1, 2, OP2RT_F64, 0,
                      /*group=*/0, /*data=*/0, /*map=*/0, /*flag=*/0,
                      /*merge=*/0, /*identity=*/0, /*arity=*/0});
      values.push_back({dat, program.maps.at(target->name), 1});
    }
  }

  std::string increments;
  std::vector<op2rt_arg_desc> args;
  std::vector<op2rt_arg> values;
};
} // namespace

static uint32_t contentsOf(std::string const &strategy) {
  if (strategy == "two-level")
    return OP2RT_PLAN_ELEMENT_COLORS;
  if (strategy == "atomics")
    return OP2RT_PLAN_UNCOLORED;
  // global: the command line takes no others.
  return OP2RT_PLAN_GLOBAL_COLORS;
}

PlanView op2::mesh::viewPlan(Mesh const &mesh, std::string const &set,
                             std::string const &strategy, int64_t blockSize) {
  uint32_t what = contentsOf(strategy);
  int64_t size = mesh.set(set).size;
  Program program(mesh);
  LoopArguments loop(mesh, set, program);
  op2rt_loop_desc desc{};
  desc.abi_version = OP2RT_ABI_VERSION;
  desc.target = OP2RT_TARGET_OPENMP;
  desc.name = "op2-mesh";
  desc.location = "";
  desc.strategy = strategy.c_str();
  desc.nargs = static_cast<int32_t>(loop.args.size());
  desc.args = loop.args.data();
  op2rt_loop *running =
      op2rt_loop_begin(&desc, program.sets.at(set), loop.values.data());
  op2rt_plan const &plan = *op2rt_plan_get(running, blockSize, what);
  PlanView view = viewOf(plan, set, size);
  view.increments = loop.increments;
  op2rt_loop_end(running);
  return view;
}
