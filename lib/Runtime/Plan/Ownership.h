//===- Ownership.h - Plans by owned targets ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every part of such a plan owns a range of each set that the loop increments,
// and runs all elements that reach something it owns, in ascending order:
// increments of a target are added by one thread, in the order of the elements.
// Elements that reach targets of several parts run in each of them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_OWNERSHIP_H
#define OP2_LIB_RUNTIME_PLAN_OWNERSHIP_H

#include "Plan.h"

#include <functional>

namespace op2::rt {

/// Parts own ranges that start at multiples of it, so that few cache lines have
/// two owners.
inline constexpr int64_t kOwnedLine = 16;

/// First target that part `part` of `parts` owns in a set of `size` elements;
/// `size` for part == parts. Ranges may be empty.
int64_t ownedBegin(int64_t size, int64_t part, int64_t parts);
/// The same for a part of a plan, which may have cuts of its own.
int64_t ownedBegin(Plan const &plan, int64_t size, int64_t part);

/// Whether a loop is divided by ownership: a function of the maps alone, never
/// of the number of parts, since the order of additions depends on the answer.
/// OP2_OWNER decides first. For 16 parts: at most a tenth of the work is
/// at borders, and no part has more than twice its share.
bool isWorthOwning(PlanInput const &input);

/// Fills plan.pieces and plan.pieceBegin for input.parts parts.
void divideByOwner(PlanInput const &input, Plan &plan);
/// Equal shares of all targets, and of what goes with them.
std::vector<OwnedCuts> equalCuts(PlanInput const &input, int64_t parts);
/// A plan of what one part does of some ranges of elements, ascending, where
/// parts own what lies between the cuts.
void takeOwnPart(PlanInput const &input,
                 std::vector<ElementRange> const &ranges,
                 std::vector<OwnedCuts> const &cuts, int32_t part, Plan &plan);

/// Checks plan.pieces and plan.pieceBegin as checkPlan does the rest: every
/// increment done once, by the owner of its target; `fault` takes what is
/// wrong.
void checkOwnership(PlanInput const &input, Plan const &plan,
                    std::function<void(std::string const &)> const &fault);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PLAN_OWNERSHIP_H
