//===- LoopHooks.h - Functions of other rooms around a loop -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order of the calls. Each room gives its functions when the library is
// loaded. Loops for which there is nothing to be done (FastPath.h) call none.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_LOOPHOOKS_H
#define OP2_LIB_RUNTIME_EXECUTE_LOOPHOOKS_H

#include "Loop.h"

namespace op2::rt {

class ExactSum;

struct LoopHooks {
  /// Device. Brings results of other loops that it may look at to their
  /// globals; whether it has to wait for its own is decided then.
  void (*beginResults)(op2rt_loop &loop);
  /// Ranks, where there are several: each gets its part of the mesh, unless it
  /// has it.
  void (*distribute)(char const *where);
  /// Ranks, likewise. Brings what the loop reads of other ranks.
  void (*beginOnRanks)(op2rt_loop const &loop);
  /// Check, with OP2_CHECK.
  void (*beginCheck)(op2rt_loop const &loop);
  /// Device, for a loop on one.
  void (*beginOnDevice)(LoopCall &call);
  /// Device. Gives back what it has of a plan that is about to go.
  void (*releasePlan)(op2rt_plan const &plan);

  void (*endOnDevice)(LoopCall &call);
  void (*endCheck)(op2rt_loop const &loop);
  /// Device. Does not wait.
  void (*endDeviceTime)();
  /// Device. Brings what the loop has reduced to its globals, or ensures
  /// that deliverResults does.
  void (*endResults)(op2rt_loop const &loop);
  /// Device. Waits for the results of loops of a site, and of those before
  /// them; NULL: of all.
  void (*deliverResults)(void const *site);
  /// Device. Waits for results that lie in this memory.
  void (*settleResults)(void const *data, int64_t bytes);
  /// Device. The program overwrites this memory.
  void (*dropResults)(void const *data, int64_t bytes);

  /// Ranks, where there are several. Each sum becomes that of all of them.
  void (*sumOnRanks)(ExactSum *sums, int32_t count, char const *loop);
  /// Ranks, likewise. `result` becomes that of all ranks, in their order.
  void (*mergeOnRanks)(char *result, int64_t bytes, op2rt_merge merge,
                       char const *loop);
  /// Ranks. The loop has ended here: what elements of other ranks change, and
  /// what all ranks reduce.
  void (*endOnRanks)(op2rt_loop const &loop);

  /// Queue. May the loop, which has run, run in tiles of a chain?
  bool (*mayTile)(LoopCall &call);
  /// Queue. Calls of loops over this set are forgotten, or of all loops if it
  /// is NULL: each is checked again.
  void (*forgetCalls)(Set const *set);
};

extern LoopHooks loopHooks;

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_LOOPHOOKS_H
