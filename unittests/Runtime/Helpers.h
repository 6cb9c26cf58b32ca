//===- Helpers.h - Meshes and loops for the tests ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_UNITTESTS_RUNTIME_HELPERS_H
#define OP2_UNITTESTS_RUNTIME_HELPERS_H

#include "Core/Registry.h"
#include "Execute/LoopTuning.h"
#include "LoopDescriptions.h"
#include "Plan/Plan.h"
#include "op_lib_cpp.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace op2::test {

/// A program from op_init to op_exit.
class ProgramTest : public ::testing::Test {
protected:
  void SetUp() override {
    // Death tests start a fresh process: threads do not survive a fork.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    op_init(0, nullptr, 0);
  }
  void TearDown() override { op_exit(); }
};

/// Messages without the lines below them that say what to do.
inline std::string withoutRemedies(std::string const &text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.compare(0, 2, "  ") != 0)
      kept += line + "\n";
  return kept;
}

inline auto diesWith1() { return ::testing::ExitedWithCode(1); }

inline std::vector<int> randomTable(int64_t size, int dim, int targets,
                                    unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pick(0, targets - 1);
  std::vector<int> table(static_cast<std::size_t>(size * dim));
  for (int &value : table)
    value = pick(random);
  return table;
}

/// Edges (row major) of a grid of width * height nodes: good numbering.
inline std::vector<int> gridEdges(int width, int height) {
  std::vector<int> table;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int node = y * width + x;
      if (x + 1 < width)
        table.insert(table.end(), {node, node + 1});
      if (y + 1 < height)
        table.insert(table.end(), {node, node + width});
    }
  return table;
}

/// The pieces of the block at a position.
inline int64_t numPieces(op2rt_plan const *plan, int64_t position) {
  int64_t const *begins = op2rt_view(plan)->piece_begin;
  return begins[position + 1] - begins[position];
}
inline op2rt_piece pieceOf(op2rt_plan const *plan, int64_t position,
                           int64_t piece) {
  op2rt_plan_view const *view = op2rt_view(plan);
  return view->pieces[view->piece_begin[position] + piece];
}

/// A loop as generated code describes it.
class Loop {
public:
  explicit Loop(char const *name) : name(name) {}

  Loop &dat(op_dat dat, op_access access) {
    return add(describeArg(OP2RT_ARG_DAT, access, OP2RT_DIRECT, dat->dim,
                           typeOf(dat), nextGroup++),
               {dat, nullptr, 1});
  }
  Loop &dat(op_dat dat, int slot, op_map map, op_access access, int count = 1) {
    op2rt_arg_desc arg = describeArg(OP2RT_ARG_DAT, access, slot, dat->dim,
                                     typeOf(dat), nextGroup++);
    arg.count = count;
    arg.flags = count > 1 ? OP2RT_ARG_VECTOR : 0;
    return add(arg, {dat, map, 1});
  }
  Loop &global(void *data, int dim, int type, op_access access) {
    return add(describeArg(OP2RT_ARG_GLOBAL, access, OP2RT_DIRECT, dim, type),
               {data, nullptr, 1});
  }
  /// Changes the latest argument.
  Loop &group(int group) {
    args.back().group = group;
    return *this;
  }
  Loop &optional(bool active) {
    args.back().flags |= OP2RT_ARG_OPTIONAL;
    values.back().active = active;
    return *this;
  }
  Loop &target(int number) {
    runsOn = number;
    return *this;
  }
  Loop &site(void const *address) {
    desc.site = address;
    return *this;
  }
  /// What its kernel reads by names and through pointers; -1: not known.
  Loop &reads(std::vector<op2rt_variable> byName, int64_t pointers = 0) {
    variables = std::move(byName);
    desc.npointers = pointers;
    return *this;
  }
  op2rt_arg_desc &arg(int number) { return args[number]; }
  op2rt_arg &value(int number) { return values[number]; }

  op2rt_loop *begin(op_set set) {
    op2rt_loop_desc before = desc;
    desc = describeLoop(name, args, runsOn);
    desc.state = before.state;
    desc.site = before.site;
    desc.variables = variables.data();
    desc.nvariables = int64_t(variables.size());
    desc.npointers = before.npointers;
    return op2rt_loop_begin(&desc, set, values.data());
  }
  op2rt_plan const *plan(op_set set, int64_t blockSize = 0,
                         uint32_t what = OP2RT_PLAN_BLOCKS) {
    op2rt_loop *loop = begin(set);
    op2rt_plan const *plan = op2rt_plan_get(loop, blockSize, what);
    op2rt_loop_end(loop);
    return plan;
  }

  Loop &add(op2rt_arg_desc arg, op2rt_arg value) {
    args.push_back(arg);
    values.push_back(value);
    return *this;
  }

private:
  static int typeOf(op_dat dat) {
    return static_cast<rt::Dat *>(dat)->elementType;
  }

  char const *name;
  int nextGroup = 0, runsOn = OP2RT_TARGET_OPENMP;
  std::vector<op2rt_arg_desc> args;
  std::vector<op2rt_arg> values;
  std::vector<op2rt_variable> variables;
  op2rt_loop_desc desc{};
};

/// Runs a loop for long enough that trials begin.
inline void letThreadsSettle(op_set set) {
  if (rt::areThreadsInPlace())
    return;
  Loop loop("long");
  op2rt_loop *running = loop.begin(set);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  op2rt_loop_end(running);
  EXPECT_TRUE(rt::areThreadsInPlace());
}

/// Builds a plan; fails where the checker finds something in it.
inline rt::Plan buildChecked(rt::PlanInput const &input) {
  rt::Plan plan = rt::buildPlan(input);
  for (std::string const &fault : rt::checkPlan(input, plan))
    ADD_FAILURE() << fault;
  return plan;
}

/// Everything except the time.
inline void expectSamePlan(rt::Plan const &a, rt::Plan const &b) {
  EXPECT_EQ(a.ncolors, b.ncolors);
  EXPECT_EQ(a.blkmap, b.blkmap);
  EXPECT_EQ(a.ncolblk, b.ncolblk);
  EXPECT_EQ(a.thrcol, b.thrcol);
  EXPECT_EQ(a.nthrcol, b.nthrcol);
  ASSERT_EQ(a.ownedSets.size(), b.ownedSets.size());
  for (std::size_t s = 0; s < a.ownedSets.size(); ++s) {
    EXPECT_EQ(a.ownedSets[s].targets, b.ownedSets[s].targets);
    EXPECT_EQ(a.ownedSets[s].offsets, b.ownedSets[s].offsets);
    EXPECT_EQ(a.ownedSets[s].sumBegin, b.ownedSets[s].sumBegin);
    EXPECT_EQ(a.ownedSets[s].sumEntries, b.ownedSets[s].sumEntries);
  }
}

} // namespace op2::test

#endif // OP2_UNITTESTS_RUNTIME_HELPERS_H
