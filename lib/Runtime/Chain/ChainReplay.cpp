//===- ChainReplay.cpp - The steps of a chain -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each loop runs once for each step in which it has elements, by the function
// that runs it alone, which gets the plan of the step.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "ChainRun.h"

using namespace op2::rt;

static ChainPart *runningPart = nullptr;

ChainPart *op2::rt::currentPart() { return runningPart; }

[[noreturn]] static void reportOther(ChainPart const &part,
                                     std::string const &what) {
  op2rt_fatal("loop %s: has waited, but then its function ran %s; expected "
              "this loop, once, as before",
              part.call->desc->name, what.c_str());
}

void op2::rt::beginPart(ChainPart &part, op2rt_loop_desc const &desc) {
  if (&desc != part.call->desc)
    reportOther(part, "loop " + std::string(desc.name));
  if (part.hasRun)
    reportOther(part, "it twice");
  part.hasRun = true;
}

void op2::rt::replay(ChainPlans const &plans, WaitingLoop const *loops,
                     int32_t count) {
  op2rt_globals_wait(nullptr);
  std::vector<std::vector<op2rt_reduction *>> reductions(
      static_cast<std::size_t>(count));
  for (StepPlan const &step : plans) {
    WaitingLoop const &loop = loops[step.loop];
    ChainPart part = {loop.call.get(),       step.plan.get(),
                      step.firstBlock,       loop.call->plan->nblocks,
                      step.isFirst,          step.isLast,
                      &reductions[step.loop]};
    runningPart = &part;
    loop.run();
    runningPart = nullptr;
    if (!part.hasRun)
      reportOther(part, "nothing");
  }
}

void op2::rt::forgetChains() {
  stopLearning();
  forgetSiteCalls();
  forgetKnownChains();
}
