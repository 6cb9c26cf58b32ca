//===- MeshOrder.cpp - Orders for all sets of a program ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which set leads, and who follows whom.
//
//===----------------------------------------------------------------------===//

#include "MeshOrder.h"

#include <tuple>

using namespace op2::rt;

std::string op2::rt::reasonToKeep(Set const &set) {
  if (!set.keptFor.empty())
    return set.keptFor + " asks for the numbers of its elements";
  for (Dat const *dat : registry().dats) {
    if (dat->set == &set && dat->user_managed)
      return "dat " + dat->ownName +
             " uses the application's storage (OP_NO_REALLOC)";
    if (!dat->base || dat->base->set == dat->set)
      continue;
    if (dat->set == &set || dat->base->set == &set)
      return "sets " + std::string(dat->base->set->name) + " and " +
             dat->set->name + " share the storage of dat " + dat->ownName;
  }
  return "";
}

static bool isIdentity(Order const &order) {
  for (std::size_t n = 0; n < order.size(); ++n)
    if (order[n] != static_cast<int32_t>(n))
      return false;
  return true;
}

MeshOrder::MeshOrder(Start const &start)
    : found(registry().sets.size()), done(registry().sets.size()) {
  if (start.coordinates) {
    auto const &set = static_cast<Set const &>(*start.coordinates->set);
    begin(set, hilbertOrder(*start.coordinates, start.where));
  } else if (start.base) {
    auto const &set = static_cast<Set const &>(*start.base->to);
    begin(set, reverseCuthillMckee(RowGraph(set, {start.base})));
  }
  while (Set const *set = bestOfRest())
    begin(*set, ownOrder(*set));
  for (Order &order : found)
    if (isIdentity(order))
      order.clear();
}

std::vector<Map const *> MeshOrder::mapsBetween(Set const &from,
                                                Set const &to) const {
  std::vector<Map const *> maps;
  for (op_map map : registry().maps)
    if (map->from == &from && map->to == &to && map->map)
      maps.push_back(static_cast<Map const *>(map));
  return maps;
}

std::vector<Map const *> MeshOrder::mapsTo(Set const &to) const {
  std::vector<Map const *> maps;
  for (op_map map : registry().maps)
    if (map->to == &to && map->map)
      maps.push_back(static_cast<Map const *>(map));
  return maps;
}

/// A set with neighbours before one that maps only lead to, before others;
/// among those the set whose dats are largest: most is gained there.
Set const *MeshOrder::bestOfRest() const {
  std::vector<std::tuple<bool, bool, int64_t>> merits(found.size());
  for (op_map core : registry().maps) {
    auto const &map = static_cast<Map const &>(*core);
    auto &[hasNeighbors, isTarget, bytes] = merits[map.to->index];
    hasNeighbors = hasNeighbors || givesNeighbors(map);
    isTarget = true;
  }
  for (Dat const *dat : registry().dats)
    std::get<int64_t>(merits[dat->set->index]) += dat->bytes;
  Set const *best = nullptr;
  for (op_set set : registry().sets)
    if (!done[set->index] &&
        (!best || merits[set->index] > merits[best->index]))
      best = static_cast<Set const *>(set);
  return best;
}

Order MeshOrder::ownOrder(Set const &set) const {
  RowGraph graph(set, mapsTo(set));
  return graph.numRows() > 0 ? reverseCuthillMckee(graph)
                             : identityOrder(set.size);
}

/// Orders a set, those that follow it, those that follow them ...
void MeshOrder::begin(Set const &set, Order order) {
  independent.push_back(&set);
  std::vector<Set const *> queue;
  auto place = [&](Set const &next, Order chosen) {
    found[next.index] = reasonToKeep(next).empty() ? std::move(chosen)
                                                   : identityOrder(next.size);
    done[next.index] = true;
    queue.push_back(&next);
  };
  place(set, std::move(order));
  for (std::size_t n = 0; n < queue.size(); ++n) {
    Set const &leader = *queue[n];
    std::vector<int32_t> numbers = invert(found[leader.index]);
    for (op_set core : registry().sets) {
      auto const &next = static_cast<Set const &>(*core);
      if (done[next.index])
        continue;
      if (auto maps = mapsBetween(next, leader); !maps.empty())
        place(next, orderByTargets(next, maps, numbers));
      else if (maps = mapsBetween(leader, next); !maps.empty())
        place(next, orderByFirstTouch(next, maps, found[leader.index]));
    }
  }
}
