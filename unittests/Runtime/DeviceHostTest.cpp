//===- DeviceHostTest.cpp - The host as a device ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device/Device.h"
#include "Execute/Loop.h"
#include "Helpers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace op2::test;
using namespace op2::rt;

namespace {

class DeviceHostTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    table = randomTable(70, 3, 20, 1);
    edges = op_decl_set(70, "edges");
    nodes = op_decl_set(20, "nodes");
    map = op_decl_map(edges, nodes, 3, table.data(), "edge_nodes");
    x = op_decl_dat(nodes, 2, "double", static_cast<double *>(nullptr), "x");
    y = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "y");
  }
  op2rt_loop *begin(Loop &loop, op_set set) {
    return loop.target(OP2RT_TARGET_EMULATOR).begin(set);
  }

  std::vector<int> table;
  op_set edges, nodes;
  op_map map;
  op_dat x, y;
};

template <class T> T const *array(void const *data) {
  return static_cast<T const *>(data);
}

//===----------------------------------------------------------------------===//
// Dats, maps, globals
//===----------------------------------------------------------------------===//

TEST_F(DeviceHostTest, DatsAreWhereTheyAre) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ).dat(y, 1, map, OP_INC).optional(false);
  op2rt_loop *running = begin(loop, edges);
  EXPECT_EQ(op2rt_device_dat(running, 0), x->data);
  EXPECT_EQ(op2rt_device_dat(running, 1), nullptr);
  EXPECT_EQ(op2rt_device_map(running, 1), nullptr);
  EXPECT_EQ(op2rt_device_map_stride(running, 1), 0);
  op2rt_loop_end(running);
  EXPECT_EQ(x->data_d, nullptr);
}

TEST_F(DeviceHostTest, MapsAreTransposed) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ);
  op2rt_loop *running = begin(loop, edges);
  int64_t stride = op2rt_device_map_stride(running, 0);
  EXPECT_EQ(stride, 96);
  int32_t const *copy = op2rt_device_map(running, 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy) % 128, 0u);
  for (int n = 0; n < stride; ++n)
    for (int slot = 0; slot < 3; ++slot)
      EXPECT_EQ(copy[slot * stride + n], n < 70 ? table[n * 3 + slot] : 0);
  EXPECT_EQ(op2rt_device_map(running, 0), copy);
  op2rt_loop_end(running);
  EXPECT_EQ(hostDevice().allocatedBytes(), 96 * 3 * 4);
}

TEST_F(DeviceHostTest, GlobalsAreCopied) {
  float h[2] = {1, 2};
  Loop loop("res");
  loop.global(h, 2, OP2RT_F32, OP_READ).dat(y, OP_READ);
  op2rt_loop *running = begin(loop, nodes);
  auto const *copy = array<float>(op2rt_device_global(running, 0));
  EXPECT_EQ(copy[1], 2);
  h[1] = 7;
  EXPECT_EQ(copy[1], 2);
  op2rt_loop_end(running);
  running = begin(loop, nodes);
  EXPECT_EQ(op2rt_device_global(running, 0), copy);
  EXPECT_EQ(copy[1], 7);
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, WrongKindsOfArguments) {
  float h = 0;
  Loop loop("res");
  loop.global(&h, 1, OP2RT_F32, OP_READ).dat(y, OP_READ);
  op2rt_loop *running = begin(loop, nodes);
  EXPECT_EXIT(op2rt_device_dat(running, 0), diesWith1(),
              "op2 error: loop res .*argument 0: is no dat");
  EXPECT_EXIT(op2rt_device_global(running, 1), diesWith1(),
              "argument 1: is no global");
  EXPECT_EXIT(op2rt_device_reduction_begin(running, 0, 1), diesWith1(),
              "argument 0: OP_READ is no reduction");
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, CpuLoopsHaveNoDevice) {
  Loop loop("res");
  loop.dat(y, OP_READ);
  op2rt_loop *running = loop.target(OP2RT_TARGET_OPENMP).begin(nodes);
  EXPECT_EXIT(op2rt_device_dat(running, 0), diesWith1(),
              "loop res: runs on openmp, which has no device memory");
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, EmptySet) {
  op_set none = op_decl_set(0, "none");
  op_map nowhere = op_decl_map(none, nodes, 2, nullptr, "nowhere");
  double sum = 1;
  Loop loop("res");
  loop.dat(x, 0, nowhere, OP_INC).global(&sum, 1, OP2RT_F64, OP_INC);
  op2rt_loop *running = begin(loop, none);
  EXPECT_NE(op2rt_device_map(running, 0), nullptr);
  EXPECT_EQ(op2rt_device_map_stride(running, 0), 0);
  op2rt_device_reduction_end(op2rt_device_reduction_begin(running, 1, 0));
  EXPECT_EQ(sum, 1);
  for (uint32_t what :
       {uint32_t(OP2RT_PLAN_ELEMENT_COLORS), uint32_t(OP2RT_PLAN_GLOBAL_COLORS),
        uint32_t(OP2RT_PLAN_UNCOLORED), uint32_t(OP2RT_PLAN_OWNED_ROWS)}) {
    op2rt_plan const *plan = op2rt_plan_get(running, 16, what);
    EXPECT_EQ(op2rt_view(plan)->num_colors, 0);
    EXPECT_NE(
        op2rt_device_plan_array(running, plan, OP2RT_DEVICE_BLOCK_BEGIN, 0, 0),
        nullptr);
  }
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, ExitFreesAndProgramStartsAgain) {
  for (int round = 0; round < 2; ++round) {
    Loop loop("res");
    loop.dat(x, 0, map, OP_READ);
    op2rt_loop *running = begin(loop, edges);
    op2rt_device_map(running, 0);
    op2rt_loop_end(running);
    op_exit();
    EXPECT_EQ(hostDevice().allocatedBytes(), 0);
    SetUp();
  }
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

TEST_F(DeviceHostTest, PlanArraysByPosition) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_INC).dat(x, 1, map, OP_INC).group(0);
  loop.dat(y, 2, map, OP_READ);
  op2rt_loop *running = begin(loop, edges);
  op2rt_plan const *plan =
      op2rt_plan_get(running, 16, OP2RT_PLAN_ELEMENT_COLORS);
  auto get = [&](int which) {
    void const *data = op2rt_device_plan_array(running, plan, which, 0, 0);
    EXPECT_EQ(op2rt_device_plan_array(running, plan, which, 0, 0), data);
    return data;
  };
  auto const *begins = array<int32_t>(get(OP2RT_DEVICE_BLOCK_BEGIN));
  auto const *ends = array<int32_t>(get(OP2RT_DEVICE_BLOCK_END));
  auto const *colors = array<int32_t>(get(OP2RT_DEVICE_NUM_COLORS));
  for (int64_t p = 0; p < op2rt_view(plan)->num_blocks; ++p) {
    EXPECT_EQ(begins[p], op2rt_view(plan)->pieces[p].begin);
    EXPECT_EQ(ends[p], op2rt_view(plan)->pieces[p].end);
    EXPECT_EQ(colors[p], plan->nthrcol[plan->block(p)]);
  }
  auto const *element = array<int32_t>(get(OP2RT_DEVICE_ELEMENT_COLORS));
  EXPECT_TRUE(std::equal(element, element + 70, plan->thrcol.begin()));
  op2rt_loop_end(running);
}

// What is added to each row, as a kernel finds it; the second argument's slot
// comes behind that of the first.
TEST_F(DeviceHostTest, PlanArraysOfOwnedRows) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_INC).dat(x, 1, map, OP_INC).group(0);
  loop.dat(y, 2, map, OP_READ);
  op2rt_loop *running = begin(loop, edges);
  constexpr int64_t kBlock = 16;
  op2rt_plan const *plan =
      op2rt_plan_get(running, kBlock, OP2RT_PLAN_OWNED_ROWS);
  auto get = [&](int which) {
    return op2rt_device_plan_array(running, plan, which, 1, 0);
  };
  auto const *begins = array<int32_t>(get(OP2RT_DEVICE_BLOCK_BEGIN));
  auto const *elements = array<int32_t>(get(OP2RT_DEVICE_PERMUTATION));
  auto const *offsets = array<int64_t>(get(OP2RT_DEVICE_OWNED_OFFSET));
  auto const *sizes = array<int32_t>(get(OP2RT_DEVICE_OWNED_SIZE));
  auto const *targets = array<int32_t>(get(OP2RT_DEVICE_OWNED_TARGETS));
  auto const *sums = array<int64_t>(get(OP2RT_DEVICE_SUM_OFFSET));
  auto const *rows = array<uint16_t>(get(OP2RT_DEVICE_SUM_BEGIN));
  auto const *entries = array<uint16_t>(get(OP2RT_DEVICE_SUM_ENTRIES));
  int64_t added = 0;
  for (int64_t p = 0; p < op2rt_view(plan)->num_blocks; ++p)
    for (int32_t r = 0; r < sizes[p]; ++r)
      for (int i = rows[offsets[p] + p + r]; i < rows[offsets[p] + p + r + 1];
           ++i, ++added) {
        int entry = entries[sums[p] + i];
        int32_t n = elements[begins[p] + entry % kBlock];
        n = n < 0 ? ~n : n;
        EXPECT_EQ(table[n * 3 + entry / kBlock], targets[offsets[p] + r]);
      }
  EXPECT_EQ(added, 2 * 70);
  // Of several blocks that have an element the first one has n, others ~n.
  std::set<int32_t> known;
  std::size_t size = plan->permutation.size();
  EXPECT_GT(size, 70u);
  for (std::size_t i = 0; i < size; ++i) {
    int32_t n = plan->permutation[i];
    EXPECT_EQ(elements[i], known.insert(n).second ? n : ~n);
  }
  EXPECT_EQ(known.size(), 70u);
  // Maps in that order, each slot by itself.
  for (int slot : {0, 2}) {
    auto const *rows = array<int32_t>(op2rt_device_plan_array(
        running, plan, OP2RT_DEVICE_PERMUTED_MAP, 2, slot));
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_EQ(rows[i], table[plan->permutation[i] * 3 + slot]);
    EXPECT_EQ(op2rt_device_plan_array(running, plan, OP2RT_DEVICE_PERMUTED_MAP,
                                      2, slot),
              rows);
  }
  EXPECT_EXIT(
      op2rt_device_plan_array(running, plan, OP2RT_DEVICE_PERMUTED_MAP, 2, 3),
      diesWith1(), "argument 2: slot 3 of a map of dim 3 is asked for");
  op2rt_loop_end(running);

  // A loop that has the same plan, but another map there.
  std::vector<int> turned(table.rbegin(), table.rend());
  op_map other = op_decl_map(edges, nodes, 3, turned.data(), "other");
  Loop second("second");
  second.dat(x, 0, map, OP_INC).dat(x, 1, map, OP_INC).group(0);
  second.dat(y, 2, other, OP_READ);
  running = begin(second, edges);
  EXPECT_EQ(op2rt_plan_get(running, kBlock, OP2RT_PLAN_OWNED_ROWS), plan);
  auto const *slots = array<int32_t>(
      op2rt_device_plan_array(running, plan, OP2RT_DEVICE_PERMUTED_MAP, 2, 0));
  for (std::size_t i = 0; i < size; ++i)
    EXPECT_EQ(slots[i], turned[plan->permutation[i] * 3]);
  op2rt_loop_end(running);
}

// The answers are known after the first execution, whatever the order of the
// questions; each belongs to its dat.
TEST_F(DeviceHostTest, PlanArraysAgain) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_INC).dat(x, 1, map, OP_INC).group(0);
  loop.dat(y, 2, map, OP_INC).dat(y, 0, map, OP_READ);
  op2rt_loop *running = begin(loop, edges);
  op2rt_plan const *plan = op2rt_plan_get(running, 16, OP2RT_PLAN_OWNED_ROWS);
  EXPECT_EXIT(
      op2rt_device_plan_array(running, plan, OP2RT_DEVICE_SUM_BEGIN, 3, 0),
      diesWith1(), "argument 3: has no owned rows");
  std::vector<std::pair<int, int>> questions;
  for (int arg : {0, 1, 2})
    for (int which : {OP2RT_DEVICE_SUM_ENTRIES, OP2RT_DEVICE_OWNED_TARGETS,
                      OP2RT_DEVICE_BLOCK_END})
      questions.emplace_back(which, arg);
  auto ask = [&](std::pair<int, int> question) {
    return op2rt_device_plan_array(running, plan, question.first,
                                   question.second, 0);
  };
  std::map<std::pair<int, int>, void const *> first;
  for (auto const &question : questions)
    first[question] = ask(question);
  int64_t bytes = hostDevice().allocatedBytes();
  // Arguments on one dat have one list.
  EXPECT_EQ((first[{OP2RT_DEVICE_SUM_ENTRIES, 0}]),
            (first[{OP2RT_DEVICE_SUM_ENTRIES, 1}]));
  EXPECT_NE((first[{OP2RT_DEVICE_SUM_ENTRIES, 0}]),
            (first[{OP2RT_DEVICE_SUM_ENTRIES, 2}]));
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    for (auto const &question : questions)
      EXPECT_EQ(ask(question), first[question]);
    std::shuffle(questions.begin(), questions.end(), random);
  }
  EXPECT_EQ(hostDevice().allocatedBytes(), bytes);
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, PlanWithoutConflicts) {
  Loop loop("copy");
  loop.dat(x, OP_READ).dat(y, OP_WRITE);
  op2rt_loop *running = begin(loop, nodes);
  op2rt_plan const *plan =
      op2rt_plan_get(running, 16, OP2RT_PLAN_ELEMENT_COLORS);
  auto get = [&](int which) {
    return array<int32_t>(op2rt_device_plan_array(running, plan, which, 0, 0));
  };
  // Kernels read the colours in any case.
  EXPECT_EQ(array<int32_t>(get(OP2RT_DEVICE_ELEMENT_COLORS))[0], 0);
  EXPECT_EQ(get(OP2RT_DEVICE_BLOCK_BEGIN)[1], 16);
  EXPECT_EQ(get(OP2RT_DEVICE_BLOCK_END)[1], 20);
  EXPECT_EQ(get(OP2RT_DEVICE_NUM_COLORS)[1], 1);
  EXPECT_EXIT(get(OP2RT_DEVICE_OWNED_SIZE), diesWith1(),
              "argument 0: has no owned rows: the plan was not made with "
              "OP2RT_PLAN_OWNED_ROWS, or the loop does not add through it");
  EXPECT_EXIT(get(OP2RT_DEVICE_PERMUTATION), diesWith1(),
              "loop copy: the plan has no permutation");
  EXPECT_EXIT(get(99), diesWith1(), "there is no plan array number 99");
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, Permutation) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_INC);
  op2rt_loop *running = begin(loop, edges);
  op2rt_plan const *plan =
      op2rt_plan_get(running, 16, OP2RT_PLAN_GLOBAL_COLORS);
  auto const *copy = array<int32_t>(
      op2rt_device_plan_array(running, plan, OP2RT_DEVICE_PERMUTATION, 0, 0));
  EXPECT_TRUE(std::equal(copy, copy + 70, plan->permutation.begin()));
  op2rt_loop_end(running);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST_F(DeviceHostTest, TwoReductionsOfOneLoop) {
  int sum[2] = {1, 2}, most = 3, off = 4;
  Loop loop("res");
  loop.global(sum, 2, OP2RT_I32, OP_INC).global(&most, 1, OP2RT_I32, OP_MAX);
  loop.global(&off, 1, OP2RT_I32, OP_INC).optional(false);
  op2rt_loop *running = begin(loop, nodes);
  auto *a = op2rt_device_reduction_begin(running, 0, 2);
  auto *b = op2rt_device_reduction_begin(running, 1, 2);
  auto *c = op2rt_device_reduction_begin(running, 2, 2);
  EXPECT_NE(op2rt_device_reduction_data(a), op2rt_device_reduction_data(b));
  EXPECT_EQ(op2rt_device_reduction_data(c), nullptr);
  EXPECT_EQ(op2rt_device_global(running, 2), nullptr);
  auto *as = const_cast<int *>(array<int>(op2rt_device_global(running, 0)));
  auto *bs = const_cast<int *>(array<int>(op2rt_device_global(running, 1)));
  EXPECT_EQ(as[1], 2);
  as[0] = 23;
  as[1] = 26;
  EXPECT_EQ(bs[0], 3);
  bs[0] = 21;
  op2rt_device_reduction_end(a);
  op2rt_device_reduction_end(b);
  op2rt_device_reduction_end(c);
  op2rt_loop_end(running);
  EXPECT_EQ(sum[0], 23);
  EXPECT_EQ(sum[1], 26);
  EXPECT_EQ(most, 21);
  EXPECT_EQ(off, 4);
}

/// hash(vw) = hash(v) 10^|w| + hash(w)
void appendDigits(void *into, void const *from) {
  auto *a = static_cast<int *>(into);
  auto const *b = static_cast<int const *>(from);
  a[0] = a[0] * b[1] + b[0];
  a[1] *= b[1];
}

class DeviceMergeTest : public DeviceHostTest {
protected:
  /// A result for each of `digits`; those of the loop are switched off unless
  /// `isActive`.
  void run(op_set set, std::vector<int> const &digits, bool isActive = true,
           bool isSummed = false) {
    Loop loop("merge");
    loop.global(word, 2, OP2RT_I32, OP_REDUCE).optional(isActive);
    loop.value(0).merge = appendDigits;
    loop.value(0).identity = none;
    loop.global(word, 2, OP2RT_I32, OP_INC).optional(isSummed);
    op2rt_loop *running = begin(loop, set);
    auto *r = op2rt_device_reduction_begin(running, 0, int64_t(digits.size()));
    auto *data = static_cast<int *>(op2rt_device_reduction_data(r));
    ASSERT_EQ(data != nullptr, isActive && !digits.empty());
    auto *s = op2rt_device_reduction_begin(running, 1, 1);
    // Kernels find the identity, not what is summed at the same place.
    auto const *copy = array<int>(op2rt_device_global(running, 0));
    ASSERT_EQ(copy != nullptr, isActive);
    for (std::size_t n = 0; data && n < digits.size(); ++n) {
      data[2 * n] = digits[n];
      data[2 * n + 1] = copy[1] * 10;
    }
    op2rt_device_reduction_end(r);
    if (isSummed)
      *const_cast<int *>(array<int>(op2rt_device_global(running, 1))) += 5;
    op2rt_device_reduction_end(s);
    op2rt_loop_end(running);
  }
  int word[2] = {9, 10};
  int none[2] = {0, 1};
};

TEST_F(DeviceMergeTest, KeepsTheOrder) {
  run(nodes, {1, 2, 3, 4, 5});
  EXPECT_EQ(word[0], 912345);
  run(nodes, {6});
  EXPECT_EQ(word[0], 9123456);
}

TEST_F(DeviceMergeTest, NothingToReduce) {
  run(op_decl_set(0, "none"), {});
  run(nodes, {1, 2}, /*isActive=*/false);
  EXPECT_EQ(word[0], 9);
  EXPECT_EQ(word[1], 10);
}

TEST_F(DeviceMergeTest, MeetsASumOfTheSameGlobal) {
  run(nodes, {1, 2}, /*isActive=*/true, /*isSummed=*/true);
  EXPECT_EQ(word[0], 912 + 5);
}

TEST_F(DeviceMergeTest, OverlapsASumInPart) {
  Loop loop("merge");
  loop.global(word, 2, OP2RT_I32, OP_REDUCE);
  loop.value(0).merge = appendDigits;
  loop.value(0).identity = none;
  loop.global(word + 1, 1, OP2RT_I32, OP_INC);
  op2rt_loop *running = begin(loop, nodes);
  EXPECT_EXIT(
      {
        auto *r = op2rt_device_reduction_begin(running, 0, 1);
        op2rt_device_reduction_end(op2rt_device_reduction_begin(running, 1, 1));
        op2rt_device_reduction_end(r);
      },
      diesWith1(), "loop merge: two reductions overlap in part");
  op2rt_loop_end(running);
}

TEST_F(DeviceMergeTest, NeedsAFunction) {
  Loop loop("merge");
  loop.global(word, 2, OP2RT_I32, OP_REDUCE);
  op2rt_loop *running = begin(loop, nodes);
  EXPECT_EXIT(op2rt_device_reduction_begin(running, 0, 1), diesWith1(),
              "argument 0: the function that combines two results is NULL");
  op2rt_loop_end(running);
}

TEST_F(DeviceHostTest, ReductionsThatOverlap) {
  int sum[2] = {1, 2};
  Loop loop("res");
  loop.global(sum, 2, OP2RT_I32, OP_INC).global(sum, 2, OP2RT_I32, OP_INC);
  loop.global(sum + 1, 1, OP2RT_I32, OP_INC);
  op2rt_loop *running = begin(loop, nodes);
  auto *a = op2rt_device_reduction_begin(running, 0, 2);
  auto *b = op2rt_device_reduction_begin(running, 1, 2);
  // Both find what the other has added.
  EXPECT_EQ(op2rt_device_global(running, 0), op2rt_device_global(running, 1));
  EXPECT_EXIT(op2rt_device_reduction_begin(running, 2, 2), diesWith1(),
              "loop res: two reductions overlap in part: 8 bytes at .* and 4 "
              "bytes at .*; expected the same global or different ones");
  op2rt_device_reduction_end(a);
  op2rt_device_reduction_end(b);
  op2rt_loop_end(running);
}

} // namespace
