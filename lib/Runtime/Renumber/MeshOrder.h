//===- MeshOrder.h - Orders for all sets of a program -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RENUMBER_MESHORDER_H
#define OP2_LIB_RUNTIME_RENUMBER_MESHORDER_H

#include "Orders.h"

namespace op2::rt {

/// What the order of the first set comes from.
struct Start {
  /// The map whose rows make neighbours; NULL: all maps, and a set that seems
  /// best.
  Map const *base = nullptr;
  /// Coordinates for a Hilbert curve, or NULL.
  Dat const *coordinates = nullptr;
  char const *where; ///< of error messages
};

/// Why a set must keep its order, or "": storage that is not the library's, or
/// is shared with another set; a loop that needs it.
std::string reasonToKeep(Set const &set);

/// Orders for all sets, by op_set_core::index; empty: as it is. The first set
/// is ordered by itself, those that maps connect with it follow it, and so on
/// until none is left.
class MeshOrder {
public:
  explicit MeshOrder(Start const &start);
  std::vector<Order> const &orders() const { return found; }
  /// The sets that were ordered by themselves.
  std::vector<Set const *> const &bases() const { return independent; }

private:
  void begin(Set const &set, Order order);
  void follow(Set const &leader);
  Set const *bestOfRest() const;
  Order ownOrder(Set const &set) const;

  std::vector<Map const *> mapsBetween(Set const &from, Set const &to) const;
  std::vector<Map const *> mapsTo(Set const &to) const;

  std::vector<Order> found;
  std::vector<bool> done;
  std::vector<Set const *> independent;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RENUMBER_MESHORDER_H
