//===- LoopPlan.h - The plans of loops --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_LOOPPLAN_H
#define OP2_LIB_RUNTIME_EXECUTE_LOOPPLAN_H

#include "Plan/Plan.h"

namespace op2::rt {

struct Set;

/// The input of a loop's plan, from its current arguments. Arguments that are
/// switched off do not take part.
/// `byRows`: elements that meet in entries of a matrix are taken to conflict
/// where they meet in its rows, which are fewer.
PlanInput planInput(op2rt_loop const &loop, int64_t blockSize, uint32_t what,
                    bool byRows = false);

/// Whether elements of the loop conflict over rows that are more than 10 % of a
/// set apart for neighbours: then large blocks all conflict with each other,
/// and owners would share most elements.
bool hasScatteredConflicts(op2rt_loop const &loop);

/// Whether it changes elements that so many lead to that small blocks all
/// conflict with each other as well.
bool changesHubs(op2rt_loop const &loop);

/// Whether an element may run several times, each with private rows for what it
/// must leave as it is: no execution sees what another one has done. Addresses
/// have a part in it, which may be others when the loop runs again.
bool mayRunAgain(op2rt_loop const &loop);

/// What the keys of all plans of loops over a set begin with.
std::string planKeyOf(Set const &set);
/// The plan's bytes that identify it among all plans of the program.
std::string planKey(op2rt_loop const &loop, PlanInput const &input);

/// Frees all plans, at op_exit, when devices are closed.
void forgetPlans();
/// Frees those of loops over the set, or all if it is NULL, and what devices
/// have of them.
void releasePlans(Set const *set);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_LOOPPLAN_H
