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
  if (dat.base || order.empty() || dat.bytes == 0)
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
  if (order.empty())
    return;
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

void op2::rt::applyOrders(std::vector<Order> const &orders) {
  settleStorage();
  hooks.forgetHandles(nullptr);
  for (Dat *dat : registry().dats)
    moveDat(*dat, orders[dat->set->index]);
  for (Dat *dat : registry().dats)
    followBase(*dat);
  for (op_map core : registry().maps) {
    auto &map = static_cast<Map &>(*core);
    freeDeviceCopies(map);
    // What the program fills later has its numbers, until somebody looks.
    if (!map.accepted)
      continue;
    moveTable(map, orders[map.from->index], invert(orders[map.to->index]));
  }
  for (op_set set : registry().sets)
    moveSet(static_cast<Set &>(*set), orders[set->index]);
}

void op2::rt::restoreOrder(Set &set, std::string const &loop) {
  std::vector<Order> orders(registry().sets.size());
  orders[set.index] = set.toInternal;
  set.keptFor = loop;
  applyOrders(orders);
}
