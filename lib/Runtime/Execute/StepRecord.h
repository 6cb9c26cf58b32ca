//===- StepRecord.h - The loops of a time step ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_STEPRECORD_H
#define OP2_LIB_RUNTIME_EXECUTE_STEPRECORD_H

#include "Loop.h"

namespace op2::rt {

/// An execution, as far as others may wait for it.
struct StepLoop {
  struct Arg {
    std::string dat;
    uint64_t serial; ///< of the dat: several may have one name
    int access;      ///< OP2RT_READ ...
  };
  std::string name, location;
  std::vector<Arg> args; ///< dats and no globals, each with each access once
};

/// Adds an execution; of many, the latest are kept.
void recordStep(LoopCall const &call);

struct Step {
  std::vector<StepLoop> loops;
  bool repeats = false; ///< else they are just the latest
};

/// The shortest sequence of loops that the latest executions repeat, at least
/// three times and over half of what is kept, and at most a few before the end
/// of the program. Forgets what was recorded.
Step takeStep();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_STEPRECORD_H
