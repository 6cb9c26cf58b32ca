//===- RankChain.cpp - Loop chains on ranks ----------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankChain.h"
#include "CopyRows.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Memory.h"
#include "Core/Trace.h"
#include "Execute/LoopHooks.h"
#include "Execute/Reduction.h"
#include "Places.h"
#include "Plan/PlanOptions.h"
#include "RankReduction.h"
#include "Ranks.h"
#include "Storage.h"

#include <algorithm>
#include <utility>

using namespace op2::rt;

double op2::rt::greatestOfRanks(double value, char const *loop) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  Gathered all = gather(bytes, loop);
  for (int32_t rank = 0; rank < communicator().size(); ++rank) {
    double other;
    std::memcpy(&other, all.of(rank), sizeof other);
    value = std::max(value, other);
  }
  return value;
}

int32_t op2::rt::votesOfRanks(bool isYes, char const *loop) {
  meet(loop);
  int64_t votes = isYes;
  communicator().sum(&votes, 1);
  return static_cast<int32_t>(votes);
}

//===----------------------------------------------------------------------===//
// Description
//===----------------------------------------------------------------------===//

/// See ZoneAccess.
static bool usesInOneWay(LoopCall const &call, Dat const *dat) {
  bool isByMap = false, isDirect = false;
  std::vector<int32_t> accesses;
  for (int m = 0; m < call.desc->nargs; ++m) {
    if (datOf(call, m) != dat)
      continue;
    (call.args[m].map ? isByMap : isDirect) = true;
    accesses.push_back(call.desc->args[m].access);
  }
  auto areAll = [&](int32_t access) {
    return std::count(accesses.begin(), accesses.end(), access) ==
           std::ptrdiff_t(accesses.size());
  };
  auto isNone = [&](int32_t access) {
    return std::count(accesses.begin(), accesses.end(), access) == 0;
  };
  if (areAll(OP2RT_WRITE) || areAll(OP2RT_INC))
    return !(isByMap && isDirect);
  return !isByMap && isNone(OP2RT_WRITE);
}

bool op2::rt::mayChain(LoopCall &call) {
  bool isOffered = op2rt_may_enqueue != 0 && call.desc->run;
  if (!isOffered || isPending(kChecking) || !loopHooks.mayTile(call))
    return false;
  for (Dat const *dat : call.ranks->changed)
    if (!usesInOneWay(call, dat))
      return false;
  bool changesByMap = call.ranks->copies != nullptr;
  if (reducesInOrder(call) || (changesByMap && reducesGlobals(call)))
    return false;
  for (int m = 0; m < call.desc->nargs; ++m) {
    if (Dat const *dat = datOf(call, m); dat && dat->inArray)
      return false;
  }
  return true;
}

/// Sets, maps and dats are numbered in the order in which loops use them, which
/// is that of all ranks.
ZoneInput RankChain::describe() {
  ZoneInput input;
  for (auto const &call : calls) {
    ZoneLoop loop{placeOrAdd(sets, static_cast<Set *>(call->set)),
                  reducesGlobals(*call),
                  {}};
    for (int m = 0; m < call->desc->nargs; ++m) {
      Dat *used = datOf(*call, m);
      if (!used)
        continue;
      op2rt_arg_desc const &arg = call->desc->args[m];
      auto *map = static_cast<Map *>(call->args[m].map);
      int32_t dat = placeOrAdd(dats, used);
      isChanged.resize(dats.size());
      isChanged[dat] = isChanged[dat] || arg.access != OP2RT_READ;
      loop.accesses.push_back(
          {dat, map ? placeOrAdd(maps, map) : ZoneAccess::kDirect, arg.slot,
           map ? arg.count : 1, arg.access});
    }
    input.loops.push_back(std::move(loop));
  }
  for (Map const *map : maps)
    input.maps.push_back({placeOrAdd(sets, static_cast<Set *>(map->from)),
                          placeOrAdd(sets, static_cast<Set *>(map->to)),
                          map->dim, tableOf(map)});
  for (Dat const *dat : dats)
    input.dats.push_back(placeOrAdd(sets, static_cast<Set *>(dat->set)));
  for (Set const *set : sets)
    input.sets.push_back(set->part);
  return input;
}

/// What loops on the zone get for handles.
struct RankChain::Twins {
  std::deque<Set> sets;
  std::deque<Map> maps;
  std::deque<Dat> dats;

  ~Twins() {
    for (Map const &map : maps)
      deallocate(map.map);
    for (Dat const &dat : dats)
      deallocate(dat.data);
  }
};

void RankChain::makeTwins() {
  twins = std::make_unique<Twins>();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Set &twin = twins->sets.emplace_back();
    static_cast<op_set_core &>(twin) = *sets[s];
    auto rows = static_cast<int32_t>(zone.canonical[s].size());
    twin.size = twin.own = twin.reach = twin.rows = rows;
  }
  for (std::size_t m = 0; m < maps.size(); ++m) {
    Map &twin = twins->maps.emplace_back();
    static_cast<op_map_core &>(twin) = *maps[m];
    twin.from = twinOf(maps[m]->from);
    twin.to = twinOf(maps[m]->to);
    twin.map = reinterpret_cast<int *>(allocateCopy(
        zone.tables[m].data(), rowsOf(twin.from),
        twin.dim * int64_t(sizeof(int)), "map " + maps[m]->ownName));
    zone.tables[m] = {};
  }
  for (std::size_t d = 0; d < dats.size(); ++d) {
    Dat &twin = twins->dats.emplace_back();
    static_cast<op_dat_core &>(twin) = *dats[d];
    twin.data_d = nullptr;
    twin.dirty_hd = kClean;
    twin.set = twinOf(dats[d]->set);
    twin.elementType = dats[d]->elementType;
    twin.bytes = rowBytes(&twin);
    twin.data = allocateZeroed(std::max(rowsOf(twin.set), 1), twin.size,
                               "dat " + dats[d]->ownName);
    Zone::Values &values = zone.dats[d];
    apart.push_back({&twin, std::move(values.foreign), std::move(values.own),
                     std::move(values.ownTo)});
  }
}

/// Through maps loops in the mesh read imported rows of dats that none of them
/// changes.
void RankChain::findNeeds() {
  for (auto const &call : calls)
    for (Need const &need : call->ranks->read) {
      bool isByMap = false;
      for (int m = 0; m < call->desc->nargs; ++m)
        isByMap = isByMap || (datOf(*call, m) == need.dat && call->args[m].map);
      bool isKnown = std::find(needs.begin(), needs.end(), need) != needs.end();
      if (isByMap && !isKnown && !isChanged[placeOrAdd(dats, need.dat)])
        needs.push_back(need);
    }
  for (std::size_t d = 0; d < dats.size(); ++d)
    needs.push_back({dats[d], 0, &apart[d]});
}

RankChain::RankChain(std::vector<std::shared_ptr<LoopCall>> const &ofCalls)
    : calls(ofCalls), incoming(ofCalls.size()) {
  char const *name = calls.front()->desc->name;
  ZoneInput const input = describe();
  meet(name);
  zone = buildZone(communicator(), input);
  if (shouldCheckPlans())
    if (std::string text = checkZone(communicator(), input, zone);
        !text.empty())
      fatal(Problem::Bug,
            "loop %s: what it and those behind it do at the border is wrong, "
            "please report this: %s",
            name, text.c_str());
  makeTwins();
  findNeeds();
}

RankChain::~RankChain() = default;

bool RankChain::isPossible() const {
  return std::none_of(dats.begin(), dats.end(),
                      [](Dat const *dat) { return dat->inArray; });
}

op_set RankChain::twinOf(op_set set) const {
  return &twins->sets[placeOf(sets, static_cast<Set *>(set))];
}
op_map RankChain::twinOf(op_map map) const {
  return &twins->maps[placeOf(maps, static_cast<Map *>(map))];
}
op_dat RankChain::twinOf(Dat const *dat) const {
  return &twins->dats[placeOf(dats, dat)];
}

std::vector<void *> RankChain::valuesInZone(std::size_t loop,
                                            std::vector<void *> values) const {
  LoopCall const &call = *calls[loop];
  values[0] = twinOf(call.set);
  for (int m = 0; m < call.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = call.desc->args[m];
    Dat const *dat = datOf(call, m);
    if (!dat)
      continue;
    values[arg.data] = twinOf(dat);
    if (call.args[m].map)
      values[arg.map] = twinOf(call.args[m].map);
  }
  return values;
}

op2rt_loop RankChain::loopInZone(std::size_t loop,
                                 std::vector<op2rt_arg> &args) const {
  LoopCall &call = *calls[loop];
  args = call.args;
  for (int m = 0; m < call.desc->nargs; ++m)
    if (Dat const *dat = datOf(call, m)) {
      args[m].data = twinOf(dat);
      if (args[m].map)
        args[m].map = twinOf(args[m].map);
    }
  op2rt_loop inZone = {};
  inZone.desc = call.desc;
  inZone.set = twinOf(call.set);
  inZone.args = args.data();
  inZone.call = &call;
  return inZone;
}

//===----------------------------------------------------------------------===//
// One execution
//===----------------------------------------------------------------------===//

/// As if loop `call` ran now, with these values of desc.run.
static op2rt_loop loopOf(LoopCall &call, std::vector<void *> const &values,
                         std::vector<op2rt_arg> &args) {
  args = call.args;
  for (int m = 0; m < call.desc->nargs; ++m)
    if (isGlobal(call.desc->args[m]) && args[m].active)
      args[m].data = values[call.desc->args[m].data];
  op2rt_loop loop = {};
  loop.desc = call.desc;
  loop.set = call.set;
  loop.args = args.data();
  loop.state = static_cast<LoopState *>(call.desc->state);
  loop.call = &call;
  return loop;
}

static void bookWaiting(LoopState &state, double seconds) {
  state.seconds += seconds;
  state.ranks.waiting += seconds;
}

void RankChain::begin(std::vector<std::vector<void *> const *> const &values) {
  for (auto const &call : calls) {
    beginOnHost(*call);
    noteOnRanks(*call);
  }
  LoopState &first = *static_cast<LoopState *>(calls.front()->desc->state);
  double start = now();
  onItsWay = beginImports(needs, exchanges, first.name.c_str());
  bookWaiting(first, now() - start);
  if (onItsWay) {
    bookMessages(first.ranks, *onItsWay);
    if (std::any_of(onItsWay->needs.begin(), onItsWay->needs.end(),
                    [](Need const &need) { return !need.apart; }))
      beginZone();
  }
  std::vector<op2rt_arg> args;
  for (std::size_t n = 0; n < calls.size(); ++n)
    beginReductions(loopOf(*calls[n], *values[n], args), incoming[n]);
}

void RankChain::poll() {
  if (onItsWay)
    onItsWay->transfer->poll();
}

void RankChain::beginZone() {
  if (!onItsWay)
    return;
  LoopState &first = *static_cast<LoopState *>(calls.front()->desc->state);
  double start = now();
  endImports(*std::exchange(onItsWay, nullptr));
  bookWaiting(first, now() - start);
  traceSince(start, "exchange", first.name.c_str());
}

void RankChain::combine(std::size_t loop,
                        std::vector<void *> const &values) const {
  std::vector<op2rt_arg> args;
  op2rt_loop const ended = loopOf(*calls[loop], values, args);
  double start = now();
  endReductions(ended, incoming[loop]);
  bookWaiting(*ended.state, now() - start);
}

void RankChain::end() {
  for (std::size_t d = 0; d < dats.size(); ++d) {
    Dat &dat = *dats[d], &twin = twins->dats[d];
    Zone::Values const &values = zone.dats[d];
    copyRows(values.wrong.size(), dat.size, rowAt(&dat, values.wrong),
             rowAt(&twin, values.wrongFrom));
    if (isChanged[d])
      programChanged(dat);
  }
}

static bool areAgreed = false;

AgreedLoops::AgreedLoops() { areAgreed = true; }
AgreedLoops::~AgreedLoops() { areAgreed = false; }
bool AgreedLoops::areRunning() { return areAgreed; }
