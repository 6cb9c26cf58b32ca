//===- RankTimes.h - The table of times of all ranks -------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKTIMES_H
#define OP2_LIB_RUNTIME_RANKS_RANKTIMES_H

#include <cstdint>
#include <cstdio>
#include <vector>

namespace op2::rt {

struct LoopState;

/// What a loop did on all ranks.
struct RankTotals {
  LoopState const *loop = nullptr;
  double own = 0, most = 0;       ///< seconds, for what a rank owns: mean, most
  int32_t slowest = 0;            ///< the rank with the most
  double border = 0, waiting = 0; ///< seconds, mean
  int64_t messages = 0, bytes = 0; ///< of all ranks
};

/// Called by all ranks; the root's result has the loops that ran. `where`: for
/// errors. Empty where there is one rank.
std::vector<RankTotals> collectRankTimes(char const *where);

/// What loops did on all ranks; the root prints it. Called by all of them.
/// Nothing where there is one.
void printRankTimes(std::FILE *file);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKTIMES_H
