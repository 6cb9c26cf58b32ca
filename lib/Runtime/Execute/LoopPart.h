//===- LoopPart.h - Loops that run in parts ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop may run in many parts, by several threads, each for some of its
// elements: the function that runs it alone gets another plan then (the room
// Queue makes them).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_LOOPPART_H
#define OP2_LIB_RUNTIME_EXECUTE_LOOPPART_H

#include "Core/FastPath.h"
#include "OP2/Runtime/op2rt.h"

#include <cstdint>
#include <vector>

struct op2rt_reduction;

namespace op2::rt {

struct LoopCall;

/// The reductions of a loop that runs in parts: begun by the thread that comes
/// first.
class TileReductions;

/// What a thread runs of a loop, part by part.
struct LoopPart {
  op2rt_loop_desc const *desc = nullptr;
  LoopCall *call = nullptr;
  int64_t numBlocks = 0;                ///< of the plan that the loop has alone
  TileReductions *reductions = nullptr; ///< of the loop
  // Of the current part.
  op2rt_plan const *plan = nullptr;
  /// Partial results of the plan's blocks are those of blocks of the plan that
  /// the loop has alone, from this one on.
  int64_t firstBlock = 0;
  bool hasRun = false;

  double seconds = 0; ///< of all parts
  /// What the thread adds its partial results by.
  std::vector<op2rt_reduction *> views;
};

LoopPart *partOfThread();
/// The thread runs a part from now on; NULL: no longer.
void setPartOfThread(LoopPart *part);

/// NULL unless the thread runs a part of a loop. What belongs to a thread is
/// found by a call, so it comes last.
inline LoopPart *currentPart() {
  return isPending(kReplaying) ? partOfThread() : nullptr;
}

/// op2rt_loop_begin was called: an error if it is not for this part.
void beginPart(LoopPart &part, op2rt_loop_desc const &desc);
/// The function has returned: an error if it has not run the part.
void requireHasRun(LoopPart const &part);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_LOOPPART_H
