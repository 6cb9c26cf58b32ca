//===- Renumber.h - New numbers for the elements of all sets ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RENUMBER_RENUMBER_H
#define OP2_LIB_RUNTIME_RENUMBER_RENUMBER_H

#include "Core/Registry.h"

namespace op2::rt {

/// For messages.
inline constexpr char const *kRenumberVariable = "OP2_RENUMBER=";

/// Renumbers all sets if that is requested and not done yet.
/// Before the first loop.
void renumberIfRequested();
/// In op_partition, likewise; the map and the coordinates may be NULL.
void renumberAtPartition(Map const *map, Dat const *coords);

/// Brings a set back to the application's order, for good, because of `loop`.
void restoreOrder(Set &set, std::string const &loop);

/// Gives all sets the numbers of `orders`, by op_set_core::index; empty: as it
/// is. Values move to their new places and maps lead to them. Copies on devices
/// and plans of sets that move, or from which a map leads to such a set, are
/// forgotten.
void applyOrders(std::vector<std::vector<int32_t>> const &orders);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RENUMBER_RENUMBER_H
