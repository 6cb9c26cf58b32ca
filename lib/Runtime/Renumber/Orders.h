//===- Orders.h - Orders for the elements of a set --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order lists the elements of a set: order[n] is the element that gets
// number n. Nothing here depends on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RENUMBER_ORDERS_H
#define OP2_LIB_RUNTIME_RENUMBER_ORDERS_H

#include "RowGraph.h"

namespace op2::rt {

using Order = std::vector<int32_t>;

Order identityOrder(int32_t size);
/// numbers[order[n]] = n.
std::vector<int32_t> invert(Order const &order);

/// Reverse Cuthill-McKee: level after level from an element at the rim, so that
/// neighbours get numbers close to each other. Parts that are not connected
/// follow one another.
Order reverseCuthillMckee(RowGraph const &graph);

/// Along a Hilbert curve through coordinates, a dat of 1, 2 or 3 doubles or
/// floats; an error that begins with `where` for others, and for coordinates
/// that are not finite.
Order hilbertOrder(Dat const &coordinates, char const *where);

/// By the lowest new number that an element reaches through the maps, then by
/// the highest, then by its old number. All maps go from one set to another
/// whose new numbers are given.
Order orderByTargets(Set const &set, std::vector<Map const *> const &maps,
                     std::vector<int32_t> const &numbers);

/// As elements of a set in its new order reach them through the maps, which all
/// go from there to `set`; those that nothing reaches come last.
Order orderByFirstTouch(Set const &set, std::vector<Map const *> const &maps,
                        Order const &sources);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RENUMBER_ORDERS_H
