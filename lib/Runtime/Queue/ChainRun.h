//===- ChainRun.h - Running what waits --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H

#include "ChainPlans.h"
#include "ChainQueue.h"

namespace op2::rt {

/// Runs loops that have waited, in the fastest way known.
void runChain(PendingLoop const *loops, int32_t count);

/// One after the other for each tile.
void replay(ChainPlans const &plans, PendingLoop const *loops, int32_t count);

/// A loop could not wait because too little is known of it yet: chains are not
/// what they will be.
void noteUnsettledLoop();

/// Forgets all chains.
void forgetKnownChains();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINRUN_H
