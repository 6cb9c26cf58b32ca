//===- PairTuning.h - Two loops: fused, or one after the other --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_PAIRTUNING_H
#define OP2_LIB_RUNTIME_EXECUTE_PAIRTUNING_H

#include "Tune/Trial.h"
#include "Tune/TuneFile.h"

struct op2rt_loop;
struct op2rt_use;
struct op_set_core;

namespace op2::rt {

/// Trials of two loops that may run as one, with certain handles: way 0 is
/// fused, way 1 is apart.
struct PairTuning {
  Trial trial{2};
  TuneKey key{"", 1, Tuned::Pair}; ///< named once both loops have run apart

  bool isFused() const { return trial.current() == 0; }
};

/// The next two loops are those of the pair, apart, for the first time with
/// these handles: gives the pair its name, and what is known of it already.
void learnPair(PairTuning &pair, op_set_core const &set, op2rt_use const *uses,
               int32_t count);
/// Whether the pair runs fused now. The next loop, or the next two, are its.
bool choosePair(PairTuning &pair);
/// The loop that ended took so long.
void bookPair(op2rt_loop const &loop, double seconds);
/// Something else than the loops of the pair comes next, such as the parts of a
/// split loop: no trials of it.
void abandonPair();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_PAIRTUNING_H
