//===- QueuedCall.h - Calls as the queue remembers them ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_QUEUEDCALL_H
#define OP2_LIB_RUNTIME_QUEUE_QUEUEDCALL_H

#include "Execute/Loop.h"

#include <memory>
#include <optional>
#include <vector>

namespace op2::rt {

class FusedPair;

struct QueuedCall {
  std::optional<bool> mayTile; ///< once it has run settled
  /// So often in a row it was pending for nothing: the chain ran loop after
  /// loop, and always will.
  int inVain = 0;
  std::vector<std::shared_ptr<FusedPair>> pairs; ///< of which it is the first
};

/// What is kept with a call.
QueuedCall &queuedOf(LoopCall &call);

/// The loop as if it ran now.
op2rt_loop loopOf(LoopCall &call);
/// Do its elements run in the order of a plan's colours?
bool isColored(LoopCall const &call);
/// May an element run once more, for the rows of another thread?
bool mayRunByOwners(LoopCall &call);

/// May the loop run in tiles of a chain, now, and is that worth a try?
bool mayTileNow(LoopCall &call);
/// It was pending for a chain, which runs loop after loop and always will, or
/// which may yet go in tiles.
void noteWaiting(LoopCall &call, bool inVain);
/// A loop that is on trial shows its time only if it runs by itself.
bool isUnsettled(LoopCall const &call);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_QUEUEDCALL_H
