//===- Coloring.h - Greedy colouring ----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_COLORING_H
#define OP2_LIB_RUNTIME_PLAN_COLORING_H

#include "Plan.h"

#include <algorithm>

namespace op2::rt {

/// Greedy colouring of `count` items in their order, 32 colours a pass: each
/// item gets the least colour that no earlier item with a common target has
/// (within the pass). `gather(item, masks)` ors the masks of the item's targets
/// (and may stop when all bits are set), `eachMask(item, masks, visit)` visits
/// all of them; masks has `numTargets` entries. Fills colors[count]; returns
/// their number.
///
/// Each pass starts with empty masks: an item left over by a pass has a target
/// in common with all 32 colours, so none of them was a possibility, and later
/// passes only use greater colours.
template <class Gather, class EachMask>
int32_t colorGreedily(int64_t count, int64_t numTargets, int32_t *colors,
                      std::vector<uint32_t> &masks, Gather gather,
                      EachMask eachMask) {
  std::vector<int32_t> waiting(static_cast<std::size_t>(count)), marked;
  for (int64_t n = 0; n < count; ++n)
    waiting[n] = static_cast<int32_t>(n);
  int32_t used = 0;
  masks.assign(static_cast<std::size_t>(numTargets), 0);
  for (int32_t first = 0; !waiting.empty(); first += 32) {
    // Where many have a target in common there are many passes, each of which
    // gives few of them a colour.
    constexpr int64_t kFew = 8;
    if (int64_t(marked.size()) * kFew < count)
      for (int32_t item : marked)
        eachMask(item, masks.data(), [](uint32_t &mask) { mask = 0; });
    else
      std::fill(masks.begin(), masks.end(), 0);
    marked.clear();
    std::size_t left = 0;
    for (int32_t item : waiting) {
      uint32_t taken = gather(item, masks);
      if (taken == ~uint32_t(0)) {
        waiting[left++] = item;
        continue;
      }
      int32_t bit = __builtin_ctz(~taken);
      eachMask(item, masks.data(),
               [&](uint32_t &mask) { mask |= uint32_t(1) << bit; });
      marked.push_back(item);
      colors[item] = first + bit;
      used = first + bit + 1 > used ? first + bit + 1 : used;
    }
    waiting.resize(left);
  }
  return used;
}

/// Colours of the blocks of `plan`, whose offset and nelems are filled: no two
/// blocks of one colour reach a common target of one of the conflicts. Returns
/// one colour per block and sets plan.ncolors.
std::vector<int32_t> colorBlocks(PlanInput const &input, Plan &plan);

/// Colours of all elements of the loop: no two of one colour reach a common
/// target of one of the conflicts. Fills colors[input.size]; returns their
/// number.
int32_t colorAllElements(PlanInput const &input, std::vector<int32_t> &colors);

/// Fills plan.thrcol and plan.nthrcol.
void colorElements(PlanInput const &input, Plan &plan);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PLAN_COLORING_H
