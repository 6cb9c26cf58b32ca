//===- ChainRun.h - Running a loop chain ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H

#include "ChainPlans.h"
#include "PendingLoop.h"

namespace op2::rt {

using ChainLoops = std::vector<PendingLoop const *>;

/// Runs pending loops, each of which may run in tiles, in the fastest way
/// known. False if that is loop after loop, and always will be.
bool runChain(ChainLoops const &loops);

/// The elements of a loop by tile, those of one thread after those of another.
struct LoopInTiles {
  int32_t numThreads = 0;
  std::vector<std::vector<ElementRange>> tiles;
};
/// Of the latest chain with this call, and in it of its first execution; no
/// tiles if that chain ran loop after loop.
LoopInTiles tilesOf(LoopCall const &call);

/// One after the other for each tile. `border`: on ranks.
void replay(ChainPlans const &plans, ChainLoops const &loops,
            RankChain *border);

/// A loop could not be part of a chain because too little is known of it yet:
/// chains are not what they will be.
void noteUnsettledLoop();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H
