//===- ChainModel.h - Model of the tiles of a loop chain --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINMODEL_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINMODEL_H

#include "ChainTiles.h"
#include "QueuedCall.h"

#include <string>

namespace op2::rt {

using ChainCalls = std::vector<std::shared_ptr<LoopCall>>;

/// "update, res_calc".
std::string namesOf(ChainCalls const &calls);

/// What the plan of a call's loop depends on.
PlanInput planInputOf(LoopCall &call, int64_t blockSize, uint32_t what);

/// Do all dats of which one is changed have storage of their own, where rows
/// are? From the storage as it is now: applications may exchange data pointers.
bool haveStorageOfTheirOwn(ChainCalls const &calls);

/// Does what the chain touches, each dat and map once, need more than the
/// second-level caches of `threads` threads?
bool exceedsCaches(ChainCalls const &calls, int threads);

/// Tiles in which the threads touch as much as fits into these caches, or those
/// that OP2_TILE_SIZE asks for.
ChainInput describeChain(ChainCalls const &calls, int threads);

/// Why the chain is better run loop after loop; empty if it may not be.
std::string reasonAgainst(ChainInput const &input, ChainTiles const &tiles,
                          int32_t leastTiles);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINMODEL_H
