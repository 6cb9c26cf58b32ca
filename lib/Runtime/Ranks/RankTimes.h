//===- RankTimes.h - The table of times of all ranks -------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKTIMES_H
#define OP2_LIB_RUNTIME_RANKS_RANKTIMES_H

#include <cstdio>

namespace op2::rt {

/// What loops did on all ranks; the root prints it. Called by all of them.
/// Nothing where there is one.
void printRankTimes(std::FILE *file);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKTIMES_H
