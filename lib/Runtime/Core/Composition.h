//===- Composition.h - Maps that go through two maps ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A composition is a map like others: when sets are renumbered, or divided
// among ranks, it stays the composition of its two maps.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_COMPOSITION_H
#define OP2_LIB_RUNTIME_CORE_COMPOSITION_H

#include "Registry.h"

namespace op2::rt {

/// The map through `first` and then `after`, made once for the two. `after`
/// goes from the set that `first` leads to, or it is an error, as are maps
/// without tables. Messages begin with `where`. Loops that are pending stay so.
Map &compose(Map &after, Map &first, char const *where);

/// The record of one, which is known to `first` from now on and has no table.
Map &newComposition(Map const &after, Map &first);
/// The table of one, from tables as they were declared.
std::vector<int> composedTable(Map const &after, Map const &first);

/// Of each subset with all maps from the set that its elements are from: when
/// ranks have their parts, there are no rows of all elements any more.
void composeSubsets(char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_COMPOSITION_H
