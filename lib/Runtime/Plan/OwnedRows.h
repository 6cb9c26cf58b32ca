//===- OwnedRows.h - Blocks that own rows -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owner-compute on devices: every block owns rows of the dats that a loop
// increments, runs all elements that reach them, and then adds to each row what
// they leave for it, in the order of the elements.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_OWNEDROWS_H
#define OP2_LIB_RUNTIME_PLAN_OWNEDROWS_H

#include "Plan.h"

#include <functional>

namespace op2::rt {

/// Increments of a block are numbered by 16 bits, and so are their ends.
inline constexpr int64_t kMostIncrements = 65535;

/// The most that a block of `input` may have to add to one dat.
int64_t mostIncrements(PlanInput const &input);

/// An error if the blocks of the plan of `loop` have more elements together
/// than 32 bits count, as those with several owners count several times.
void requireNumbered(char const *loop, int64_t elements);

/// Fills the plan, for mostIncrements(input) of at most kMostIncrements.
void divideRows(PlanInput const &input, Plan &plan);

/// Checks such a plan as checkPlan does others: every increment is added once,
/// to its target, and those of a target in the order of the elements; blocks of
/// one colour have no row in common. `fault` takes what is wrong.
void checkOwnedRows(PlanInput const &input, Plan const &plan,
                    std::function<void(std::string const &)> const &fault);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PLAN_OWNEDROWS_H
