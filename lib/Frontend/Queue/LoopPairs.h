//===- LoopPairs.h - Loops that run one behind the other --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPPAIRS_H
#define OP2_FRONTEND_LOOPPAIRS_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace op2::frontend {

/// Two loops of which the second one comes next behind the first one, on some
/// path through a function.
struct LoopPair {
  CallSite first, second;
  /// The calls between which nothing happens that might see that the first
  /// loop has not run yet. Other paths may lead elsewhere.
  std::vector<std::pair<llvm::CallBase *, llvm::CallBase *>> calls;
  std::string obstacle; ///< why they stay two; empty before that is decided
};

/// All pairs of `sites`. `forRanks`: without those between which the program
/// may look, on some path: ranks that go different ways must still run the same
/// loops.
std::vector<LoopPair> findLoopPairs(llvm::ArrayRef<CallSite> sites,
                                    const FileLoops &loops, bool forRanks);

/// Both loops as one: the arguments of the first one, then those of the second
/// one. Arguments whose expressions look alike are taken to be the same; that
/// must be found out when the program runs.
LoopDescription mergeLoops(const LoopDescription &first,
                           const LoopDescription &second);

/// For each parameter of the first loop's function and then of the second one's
/// the number of the one that it is of the merged loop's function.
std::vector<int32_t> getMergedParameters(const LoopDescription &merged,
                                         const LoopDescription &first,
                                         const LoopDescription &second);

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPPAIRS_H
