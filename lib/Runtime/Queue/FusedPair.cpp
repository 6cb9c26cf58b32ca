//===- FusedPair.cpp - Two pending loops as one -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler has taken handles that look alike to be the same ones, and all
// others to be different data; that is found out here.
//
//===----------------------------------------------------------------------===//

#include "FusedPair.h"
#include "Core/Job.h"
#include "Core/MapShape.h"
#include "QueuedCall.h"
#include "Ranks/RankCall.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace op2::rt;

// Pairs that are remembered of a first loop with certain handles.
static constexpr std::size_t kMaxPairs = 64;

/// What a choice for both loops is kept under.
static LoopKey keyOfBoth(LoopCall const &first, LoopCall const &second) {
  std::vector<op_map_core const *> maps;
  for (LoopCall const *call : {&first, &second})
    for (op2rt_arg const &arg : call->args)
      if (arg.active)
        maps.push_back(arg.map);
  return {std::string(first.desc->name) + "+" + second.desc->name,
          second.desc->location, first.set->size, describeMaps(maps)};
}

FusedPair::FusedPair(op2rt_fusion const &fusion,
                     std::shared_ptr<LoopCall> const &first,
                     std::shared_ptr<LoopCall> const &second)
    : fusion(fusion), withSecond(second) {
  if (!isTuned())
    return;
  key.first() = keyOfBoth(*first, *second);
  if (!keepsChoices())
    return;
  if (TuneRecord const *record = findChoice(key))
    trial.settle(record->fused ? 0 : 1);
}

std::shared_ptr<FusedPair> op2::rt::findPair(PendingLoop const &first,
                                             PendingLoop const &second) {
  op2rt_fusion const *fusion = findFusion(first.desc(), second.desc());
  if (!fusion)
    return nullptr;
  auto &pairs = queuedOf(*first.call).pairs;
  auto at = std::find_if(pairs.begin(), pairs.end(), [&](auto const &pair) {
    return pair->isOf(second.call);
  });
  if (at == pairs.end()) {
    if (pairs.size() == kMaxPairs)
      pairs.pop_back();
    pairs.push_back(
        std::make_shared<FusedPair>(*fusion, first.call, second.call));
    at = pairs.end() - 1;
  }
  std::rotate(pairs.begin(), at, at + 1);
  return pairs.front();
}

//===----------------------------------------------------------------------===//
// Both as one
//===----------------------------------------------------------------------===//

static PendingGlobal const *findGlobal(PendingLoop const &loop,
                                       void const *value) {
  for (PendingGlobal const &global : loop.globals)
    if (global.copy == value)
      return &global;
  return nullptr;
}

/// May what both loops have be one parameter? Of globals they have copies.
static bool areOne(PendingLoop const &first, void const *value,
                   PendingLoop const &second, void const *other) {
  PendingGlobal const *global = findGlobal(first, value);
  PendingGlobal const *otherGlobal = findGlobal(second, other);
  if (!global || !otherGlobal)
    return value == other;
  return !global->isChanged && !otherGlobal->isChanged &&
         global->bytes == otherGlobal->bytes &&
         std::memcmp(global->copy, otherGlobal->copy,
                     static_cast<std::size_t>(global->bytes)) == 0;
}

/// The values of the fused loop's parameters; false if two that are one differ.
bool FusedPair::merge(PendingLoop const &first, PendingLoop const &second,
                      std::vector<void *> &values) const {
  std::size_t taken = first.values.size();
  values.assign(static_cast<std::size_t>(fusion.fused->nparams), nullptr);
  std::vector<bool> isFirsts(values.size());
  for (std::size_t p = 0; p < taken; ++p) {
    auto place = static_cast<std::size_t>(fusion.places[p]);
    values[place] = first.values[p];
    isFirsts[place] = true;
  }
  for (std::size_t p = 0; p < second.values.size(); ++p) {
    auto place = static_cast<std::size_t>(fusion.places[taken + p]);
    if (!isFirsts[place])
      values[place] = second.values[p];
    else if (!areOne(first, values[place], second, second.values[p]))
      return false;
  }
  return true;
}

bool FusedPair::fuse(PendingLoop const &first, PendingLoop const &second,
                     PendingLoop &both) {
  if (!merge(first, second, both.values) ||
      !haveExpectedArities(*fusion.fused, both.values.data()))
    return false;
  // Handles do not change, but with globals it may become possible later.
  if (!fusedCall) {
    std::vector<op2rt_arg> args;
    readArgs(*fusion.fused, both.values.data(), args);
    fusedCall = findCheckedCall(
        *fusion.fused, static_cast<op_set>(both.values[0]), args.data());
    if (hasRanks())
      fusedCall->parts = {nameOnRanks(*first.call), nameOnRanks(*second.call)};
  }
  both.call = fusedCall;
  return haveOwnStorage(*fusedCall) &&
         !readsChanges(first.desc(), *fusedCall) &&
         !readsChanges(second.desc(), *fusedCall);
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

/// Speed decides only if the bits are the same, and if it can be measured:
/// loops on devices end before their kernels. Ranks must all do the same.
bool FusedPair::isTuned() const {
  return fusion.exact && requestedTuning() == Tuning::On &&
         !isDeviceTarget(fusion.fused->target) && !hasRanks();
}

bool FusedPair::chooseFused() const {
  if (!isTuned() || (!trial.isSettled() && !takeTurn(trial)))
    return true;
  return trial.current() == 0;
}

bool FusedPair::isOnTrial() const {
  return isTuned() && !trial.isSettled() && hasTurn(trial);
}

void FusedPair::book(double seconds) {
  trial.book(seconds);
  if (!trial.isSettled())
    return;
  LoopKey const &both = key.first();
  if (OP_diags >= 2)
    op_printf("op2: tuned loops %s (%lld elements): %s; fused: %.1f us, apart: "
              "%.1f us\n",
              both.name.c_str(), static_cast<long long>(both.setSize),
              isApart() ? "apart" : "fused", trial.leastSeconds(0) * 1e6,
              trial.leastSeconds(1) * 1e6);
  if (keepsChoices())
    noteChoice({key, {}, !isApart()});
}
