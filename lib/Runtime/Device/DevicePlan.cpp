//===- DevicePlan.cpp - Plans on devices ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a plan, copied when they are first requested. A plan remembers its
// copies; they live as long as the plan does.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Memory.h"
#include "Device.h"
#include "Execute/Loop.h"
#include "Execute/LoopHooks.h"
#include "Plan/Plan.h"

#include <algorithm>

using namespace op2::rt;

/// values(position) for all blocks.
template <class Int, class Value>
static std::vector<Int> byPosition(Plan const &plan, Value value) {
  std::vector<Int> values(static_cast<std::size_t>(plan.nblocks));
  for (int64_t p = 0; p < plan.nblocks; ++p)
    values[p] = static_cast<Int>(value(plan.block(p)));
  return values;
}

/// Elements of blocks that are no ranges. Of blocks that own rows: what another
/// block has, too, before, as ~n.
static std::vector<int32_t> permutationOf(op2rt_plan const &plan) {
  std::vector<int32_t> elements = plan.permutation;
  std::vector<bool> isKnown(static_cast<std::size_t>(plan.size));
  for (int32_t &element : elements) {
    bool const isRepeated = isKnown[std::size_t(element)];
    isKnown[std::size_t(element)] = true;
    element += static_cast<int32_t>(plan.first);
    if (isRepeated)
      element = ~element;
  }
  return elements;
}

/// The map's table, if it is asked for in the order of the plan's elements.
static int const *tableToPermute(op2rt_loop const &loop, int32_t which,
                                 int32_t arg) {
  op_map map = which == OP2RT_DEVICE_PERMUTED_MAP ? loop.args[arg].map : NULL;
  return map ? tableOf(map) : nullptr;
}

static bool hasPermutation(op2rt_plan const &plan) {
  return (plan.what & (OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_OWNED_ROWS)) != 0;
}

namespace {
/// What is requested, and where the copies go.
class PlanArrayRequest {
public:
  /// `table`: of the map that is asked for, else NULL.
  PlanArrayRequest(op2rt_loop const &loop, op2rt_plan const &plan,
                   int32_t which, int32_t arg, int32_t row, int const *table)
      : loop(loop), plan(plan), device(deviceOf(loop)), which(which), arg(arg),
        row(row), column(table ? row : -1), table(table) {}

  void const *get() {
    if ((which >= OP2RT_DEVICE_OWNED_OFFSET &&
         which <= OP2RT_DEVICE_OWNED_TARGETS) ||
        (which >= OP2RT_DEVICE_SUM_OFFSET && which <= OP2RT_DEVICE_SUM_ENTRIES))
      findOwned();
    for (PlanCopy const &copy : plan.copies)
      if (copy.device == device.number && copy.which == which &&
          copy.dataset == dataset && copy.column == column &&
          copy.table == table)
        return copy.data;
    void *data = make();
    plan.copies.push_back({device.number, which, dataset, column, table, data});
    return data;
  }

  /// All dats that the loop adds to have a part of one storage, so that the
  /// request for the next one does not move it.
  void *getIncrements() {
    findOwned();
    std::vector<int64_t> sizes(plan.ownedSets.size()); // of a row, bytes
    for (SumArg const &owned : plan.sumArgs)
      if (loop.args[owned.arg].active)
        sizes[std::size_t(owned.dataset)] =
            static_cast<op_dat>(loop.args[owned.arg].data)->size;
    int64_t elements =
        std::min<int64_t>(plan.mostBlocks, OP2RT_DEVICE_BLOCKS_AT_ONCE) *
        plan.blockSize;
    int64_t bytes = 0, begin = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      if (int32_t(s) == dataset)
        begin = bytes;
      int64_t part = elements * plan.ownedSets[s].perElement * sizes[s];
      bytes += (part + OP2RT_DEVICE_ALIGNMENT - 1) / OP2RT_DEVICE_ALIGNMENT *
               OP2RT_DEVICE_ALIGNMENT;
    }
    return static_cast<char *>(device.scratch(bytes)) + begin;
  }

private:
  /// Arguments on one dat share its copy.
  void findOwned() {
    for (SumArg const &owned : plan.sumArgs)
      if (owned.arg == arg) {
        dataset = owned.dataset;
        return;
      }
    argError(*loop.desc, arg, Problem::Call,
             "has no owned rows: the plan was not made with "
             "OP2RT_PLAN_OWNED_ROWS, or the loop does not add through it");
  }

  void *make() {
    switch (which) {
    case OP2RT_DEVICE_BLOCK_BEGIN:
      return copy("block begins", byPosition<int32_t>(plan, [&](int64_t b) {
                    return firstOfBlocks() + plan.blockBegin(b);
                  }));
    case OP2RT_DEVICE_BLOCK_END:
      return copy("block ends", byPosition<int32_t>(plan, [&](int64_t b) {
                    return firstOfBlocks() + plan.blockEnd(b);
                  }));
    case OP2RT_DEVICE_NUM_COLORS:
      return copy("numbers of colours",
                  byPosition<int32_t>(plan, [&](int64_t b) {
                    return plan.nthrcol.empty() ? 1 : plan.nthrcol[b];
                  }));
    case OP2RT_DEVICE_ELEMENT_COLORS:
      // All zero where nothing conflicts (an increment that is off): kernels
      // read it without asking.
      if (plan.thrcol.empty())
        return byElement<int32_t>(
            copy("element colours", std::vector<int32_t>(plan.size)));
      return byElement<int32_t>(copy("element colours", plan.thrcol));
    case OP2RT_DEVICE_PERMUTATION:
      if (!hasPermutation(plan))
        fatal(Problem::Call,
              "loop %s: the plan has no permutation; it was not made "
              "with OP2RT_PLAN_GLOBAL_COLORS or OP2RT_PLAN_OWNED_ROWS",
              loop.desc->name);
      return copy("permutation", permutationOf(plan));
    case OP2RT_DEVICE_PERMUTED_MAP:
      return copyPermutedMap();
    case OP2RT_DEVICE_OWNED_OFFSET:
    case OP2RT_DEVICE_OWNED_SIZE:
    case OP2RT_DEVICE_OWNED_TARGETS:
      return copyOwned(plan.ownedSets[dataset]);
    case OP2RT_DEVICE_SUM_OFFSET:
    case OP2RT_DEVICE_SUM_BEGIN:
    case OP2RT_DEVICE_SUM_ENTRIES:
      return copySums(plan.ownedSets[dataset]);
    }
    fatal(Problem::Call, "loop %s: there is no plan array number %d",
          loop.desc->name, which);
  }

  void *copyOwned(OwnedSet const &owned) {
    if (which == OP2RT_DEVICE_OWNED_OFFSET)
      return copy("offsets of owned rows",
                  byPosition<int64_t>(
                      plan, [&](int64_t b) { return owned.offsets[b]; }));
    if (which == OP2RT_DEVICE_OWNED_SIZE)
      return copy(
          "numbers of owned rows",
          byPosition<int32_t>(plan, [&](int64_t b) { return owned.sizes[b]; }));
    return copy("owned rows", owned.targets, 1);
  }

  void *copySums(OwnedSet const &owned) {
    if (which == OP2RT_DEVICE_SUM_OFFSET)
      return copy("offsets of sums", byPosition<int64_t>(plan, [&](int64_t b) {
                    return owned.sumOffs[b];
                  }));
    if (which == OP2RT_DEVICE_SUM_BEGIN)
      return copy("begins of sums", owned.sumBegin, 1);
    return copy("sums", owned.sumEntries, OP2RT_DEVICE_MORE_ENTRIES);
  }

  void *copyPermutedMap() {
    if (!(plan.what & OP2RT_PLAN_OWNED_ROWS))
      argError(*loop.desc, arg, Problem::Call,
               "has no permuted map: the plan was not made with "
               "OP2RT_PLAN_OWNED_ROWS");
    int64_t dim = loop.args[arg].map->dim;
    if (row < 0 || row >= dim)
      argError(*loop.desc, arg, Problem::Call,
               "slot %d of a map of dim %lld is asked for", row,
               static_cast<long long>(dim));
    auto count = static_cast<int64_t>(plan.permutation.size());
    std::vector<int32_t> rows(plan.permutation.size());
#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < count; ++n)
      rows[n] = table[(plan.permutation[n] + plan.first) * dim + row];
    return copy("permuted maps", rows);
  }

  /// Blocks are ranges of elements, or of the permutation.
  int64_t firstOfBlocks() const {
    return hasPermutation(plan) ? 0 : plan.first;
  }

  /// An array for elements from the plan's first one on, which kernels index by
  /// their numbers.
  template <class Int> void *byElement(void *values) const {
    auto first = static_cast<uintptr_t>(plan.first) * sizeof(Int);
    return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(values) -
                                    first);
  }

  /// `more`: values behind the last one, which a kernel may read.
  template <class Int>
  void *copy(char const *what, std::vector<Int> const &values,
             std::size_t more = 0) {
    auto bytes = static_cast<int64_t>(values.size() * sizeof(Int));
    auto moreBytes = static_cast<int64_t>(more * sizeof(Int));
    void *data =
        device.allocate(bytes + moreBytes, std::string("plans: ") + what);
    device.upload(data, values.data(), bytes);
    std::vector<Int> const zeros(more);
    device.upload(static_cast<char *>(data) + bytes, zeros.data(), moreBytes);
    return data;
  }

  op2rt_loop const &loop;
  op2rt_plan const &plan;
  Device &device;
  int32_t which, arg, row;
  int32_t dataset = -1, column;
  int const *table;
};
} // namespace

extern "C" void const *op2rt_device_plan_array(op2rt_loop *loop,
                                               op2rt_plan const *plan,
                                               int32_t which, int32_t arg,
                                               int32_t row) try {
  int target = loop->desc->target; // each has a device of its own
  int const *table = tableToPermute(*loop, which, arg);
  if (which == OP2RT_DEVICE_PERMUTED_MAP && !table)
    return nullptr;
  if (which == OP2RT_DEVICE_INCREMENTS) // may move
    return PlanArrayRequest(*loop, *plan, which, arg, row, table)
        .getIncrements();
  auto &known = plan->answers;
  for (std::size_t n = 0; n < known.size(); ++n) {
    if (plan->nextAnswer == known.size())
      plan->nextAnswer = 0;
    ArrayAnswer const &answer = known[plan->nextAnswer++];
    if (answer.which == which && answer.arg == arg && answer.row == row &&
        answer.target == target && answer.table == table)
      return answer.data;
  }
  void const *data =
      PlanArrayRequest(*loop, *plan, which, arg, row, table).get();
  known.push_back({target, which, arg, row, table, data});
  plan->nextAnswer = known.size();
  return data;
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

static void releasePlan(op2rt_plan const &plan) {
  for (PlanCopy const &copy : plan.copies)
    if (Device *device = usedDevice(copy.device))
      device->release(copy.data);
  plan.copies.clear();
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.releasePlan = releasePlan;
}
