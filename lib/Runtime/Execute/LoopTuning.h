//===- LoopTuning.h - Choice of the execution of a loop ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_LOOPTUNING_H
#define OP2_LIB_RUNTIME_EXECUTE_LOOPTUNING_H

#include "Tune/Trial.h"
#include "Tune/TuneFile.h"

#include <memory>

struct op2rt_arg;
struct op2rt_loop;
struct op2rt_loop_desc;
struct op2rt_plan;
struct op_set_core;

namespace op2::rt {

/// Have loops run long enough for the system to have moved threads to cores of
/// their own? Until then all threads may take ten times as long as later.
bool areThreadsInPlace();

/// Trials of a loop's call, that is, with certain handles.
struct LoopTuning {
  std::vector<Choice> choices; ///< by way; the first is the default
  Trial trial;
  TuneKey key; ///< if choices are kept
  // The first ones of the default, whoever has the turn.
  int executions = 0; ///< up to Trial::kInRow
  double least = 0;   ///< seconds, of all but the first

  explicit LoopTuning(std::vector<Choice> found)
      : choices(std::move(found)), trial(static_cast<int>(choices.size())) {}
  /// The default while another loop is on trial.
  Choice const &current() const {
    bool mayChoose =
        trial.isSettled() || (areThreadsInPlace() && takeTurn(trial));
    return choices[mayChoose ? trial.current() : 0];
  }
};

/// What there is to choose from for a loop on OpenMP that got `plan`. Blocks of
/// other sizes are among it if `mayCutBlocks`, that is, if no option gives
/// certain ones, and if that changes no bit.
std::unique_ptr<LoopTuning>
beginTuning(op2rt_loop const &loop, op2rt_plan const &plan, bool mayCutBlocks);

/// A loop with these handles, as choices are kept for it.
LoopKey keyOf(op2rt_loop_desc const &desc, op_set_core const &set,
              op2rt_arg const *args);

/// The loop took so long, plans apart.
void bookExecution(op2rt_loop const &loop, double seconds);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_LOOPTUNING_H
