//===- Chain.h - What others have to do with chains -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops wait in a queue (ChainQueue). A chain of loops that is known (ChainRun)
// is run in steps (ChainSteps): for each step of the sweep, every loop runs the
// elements of this step, by the function that runs it alone; only the plan that
// it gets is that of the step (ChainPlans).
//
// Each thread does so for its part of the mesh, at its own pace.
//
// Here is what the functions that such a loop calls must know.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CHAIN_CHAIN_H
#define OP2_LIB_RUNTIME_CHAIN_CHAIN_H

#include "OP2/Runtime/op2rt.h"
#include "Watch.h"

#include <cstdint>
#include <vector>

struct op2rt_reduction;

namespace op2::rt {

struct SiteCall;

/// Runs the loops that wait, if there are any. To be called before anything
/// that may look at data or handles, or change them.
inline void runWaitingLoops() {
  if (op2rt_chain_waiting != 0)
    op2rt_chain_run();
}

/// The reductions of a loop that runs in steps: begun by the thread that comes
/// first.
class StepReductions;

/// A thread's elements of a loop in one step, while they run.
struct ChainPart {
  SiteCall const *call = nullptr;
  StepReductions *reductions = nullptr; ///< of the loop
  op2rt_plan const *plan = nullptr;
  /// Partial results of the plan's blocks are those of blocks of the plan that
  /// the loop has alone, from this one on.
  int64_t firstBlock = 0;
  bool hasRun = false;
  double seconds = 0; ///< of all steps
  /// What the thread adds its partial results by.
  std::vector<op2rt_reduction *> views;
};

ChainPart *partOfThread();

/// NULL unless the thread runs a step of a chain. What belongs to a thread is
/// found by a call, so it is asked for last.
inline ChainPart *currentPart() {
  return concerns(kReplaying) ? partOfThread() : nullptr;
}

/// A loop that runs as a part of a step calls op2rt_loop_begin: an error if it
/// is not the one that has waited.
void beginPart(ChainPart &part, op2rt_loop_desc const &desc);

/// A loop begins, has got a plan, has ended: in case it is the one that is to
/// be known from now on.
void noteLoopBegin(op2rt_loop const &loop);
void noteLoopPlan(op2rt_plan const *plan);
void noteLoopEnd();

/// Forgets handles, chains and plans: every call is checked again.
void forgetChains();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CHAIN_CHAIN_H
