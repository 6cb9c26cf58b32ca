//===- Apply.cpp - Moves values to their new numbers ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Memory.h"
#include "Core/UserOrder.h"
#include "Orders.h"
#include "Renumber.h"

using namespace op2::rt;

/// Not to another place: the program may have kept the address.
static void moveDat(Dat &dat, Order const &order) {
  if (dat.base || dat.bytes == 0)
    return;
  makeHostCurrent(dat);
  freeDeviceCopy(dat);
  gatherInPlace(dat.data, order.data(), dat.set->size, dat.size,
                "dat " + dat.ownName);
}

/// Overlays have the storage of their base wherever it is now.
static void followBase(Dat &dat) {
  if (!dat.base)
    return;
  dat.data = dat.base->data;
  dat.data_d = dat.base->data_d;
}

static void moveSet(Set &set, Order const &order) {
  ++set.order;
  dropNumbers(set);
  if (set.toUser.empty()) {
    set.toUser = order;
  } else {
    std::vector<int32_t> toUser(order.size());
    for (std::size_t n = 0; n < order.size(); ++n)
      toUser[n] = set.toUser[order[n]];
    set.toUser = std::move(toUser);
  }
  set.toInternal = invert(set.toUser);
  if (set.toUser == identityOrder(set.size))
    set.toUser = set.toInternal = {};
}

/// By the number of a set, whether its elements get other places.
static std::vector<bool> findMoved(std::vector<Order> const &orders) {
  std::vector<bool> moved;
  for (Order const &order : orders)
    moved.push_back(!order.empty() &&
                    order != identityOrder(static_cast<int32_t>(order.size())));
  return moved;
}

/// Plans and calls of loops over these sets, and over those from which a map
/// leads there.
static void forgetLoops(std::vector<bool> const &moved) {
  std::vector<bool> isAffected = moved;
  for (op_map map : registry().maps)
    if (moved[map->to->index])
      isAffected[map->from->index] = true;
  for (op_set set : registry().sets)
    if (isAffected[set->index])
      hooks.forgetHandles(static_cast<Set *>(set));
}

void op2::rt::applyOrders(std::vector<Order> const &orders) {
  std::vector<bool> const moved = findMoved(orders);
  settleStorage();
  forgetLoops(moved);
  for (Dat *dat : registry().dats)
    if (moved[dat->set->index])
      moveDat(*dat, orders[dat->set->index]);
  for (Dat *dat : registry().dats)
    followBase(*dat);
  for (op_map core : registry().maps) {
    auto &map = static_cast<Map &>(*core);
    if (!moved[map.from->index] && !moved[map.to->index])
      continue;
    freeDeviceCopies(map);
    // What the program fills later has its numbers, until somebody looks.
    if (!map.accepted)
      continue;
    moveTable(map, orders[map.from->index], invert(orders[map.to->index]));
  }
  for (op_set set : registry().sets)
    if (moved[set->index])
      moveSet(static_cast<Set &>(*set), orders[set->index]);
}

void op2::rt::restoreOrder(Set &set, std::string const &loop) {
  std::vector<Order> orders(registry().sets.size());
  orders[set.index] = set.toInternal;
  set.keptFor = loop;
  applyOrders(orders);
}
