//===- RankReduction.h - Reductions over ranks ----------------- -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKREDUCTION_H
#define OP2_LIB_RUNTIME_RANKS_RANKREDUCTION_H

#include "RankCall.h"

namespace op2::rt {

/// Before and after the elements of a loop that this rank owns have run: the
/// globals that it reduces, but exact sums, which are of all ranks already.
/// `incoming` is for what they held, by number in RankCall::reductions.
void beginReductions(op2rt_loop const &loop, std::vector<Bytes> &incoming);
void endReductions(op2rt_loop const &loop, std::vector<Bytes> const &incoming);

/// Combines a global over ranks: each has its own result in `partial`, and
/// `global` holds what it was before.
void combineOverRanks(void *global, Bytes const &partial, int32_t access,
                      int32_t type, int32_t dim, char const *loop);

/// What comes along with a least or greatest value: with the best of all ranks.
/// Of equal ones the lesser info counts, wherever it is from. The global itself
/// has been combined, and the infos have what each rank found.
void combineInfos(op2rt_loop const &loop, RankCall const &call,
                  std::size_t reduction, Bytes const &own);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKREDUCTION_H
