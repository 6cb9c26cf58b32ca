//===- LateSubset.h - Subsets of divided sets ---------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_LATESUBSET_H
#define OP2_LIB_RUNTIME_RANKS_LATESUBSET_H

#include "Core/Registry.h"

namespace op2::rt {

/// Gives `subset`, which was declared with as many elements as these, its part
/// where the set that they are of has its part; each element goes to the rank
/// that has it. `elements`: as the rank declares them, by the application's
/// numbers, ascending. The map to the set and its compositions with all maps
/// from there are made. Called by all ranks.
Map &divideSubset(Set &subset, Set &of, std::vector<int> const &elements,
                  char const *mapName);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_LATESUBSET_H
