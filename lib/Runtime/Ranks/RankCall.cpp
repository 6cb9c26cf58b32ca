//===- RankCall.cpp - What loops on ranks need ----------------- -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankCall.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "Execute/LoopPlan.h"
#include "Execute/Reduction.h"
#include "Places.h"
#include "Plan/PlanOptions.h"
#include "RankMesh.h"
#include "Ranks.h"

#include <algorithm>
#include <omp.h>

using namespace op2::rt;

// Fewer rows are not worth starting threads.
static constexpr std::size_t kManyRows = 4096;

void op2::rt::bookMessages(RankFigures &figures, Exchange const &exchange) {
  figures.messages += static_cast<int64_t>(exchange.sendPeers.size());
  for (Peer const &peer : exchange.sendPeers)
    figures.bytes += peer.bytes;
}

void SavedRows::save() {
  areOnDevice = !isCurrentOnHost(*dat);
  if (areOnDevice)
    return hooks.saveRows(storageOf(*dat), rows, onDevice);
  auto size = std::size_t(dat->size);
  values.resize(rows.size() * size);
#pragma omp parallel for if (rows.size() > kManyRows)
  for (std::size_t n = 0; n < rows.size(); ++n)
    std::memcpy(values.data() + n * size,
                rowData(dat) + int64_t(rows[n]) * dat->size, size);
}

void SavedRows::restore() {
  if (areOnDevice && !isCurrentOnHost(*dat))
    return hooks.restoreRows(storageOf(*dat), rows, onDevice.get());
  auto size = std::size_t(dat->size);
  values.resize(rows.size() * size);
  if (areOnDevice)
    hooks.downloadSaved(onDevice.get(), values.data(), values.size());
  if (isCurrentOnDevice(*dat))
    hooks.uploadRows({{&storageOf(*dat), &rows, values.data()}});
  if (!isCurrentOnHost(*dat))
    return;
#pragma omp parallel for if (rows.size() > kManyRows)
  for (std::size_t n = 0; n < rows.size(); ++n)
    std::memcpy(rowData(dat) + int64_t(rows[n]) * dat->size,
                values.data() + n * size, size);
}

Dat *op2::rt::datOf(op2rt_loop_desc const &desc, op2rt_arg const *args, int m) {
  return desc.args[m].kind == OP2RT_ARG_DAT && args[m].active
             ? static_cast<Dat *>(static_cast<op_dat>(args[m].data))
             : nullptr;
}

static bool isRead(op2rt_arg_desc const &arg) {
  return arg.access == OP2RT_READ || arg.access == OP2RT_RW;
}

/// Whether the loop sees what elements before have made of the dat's rows.
static bool readsChanges(op2rt_loop const &loop, Dat const *dat) {
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (datOf(loop, m) == dat && isRead(loop.desc->args[m]))
      return true;
  return false;
}

/// Rows that copies of elements change. Those that are not shared need not be
/// what they were where the loop does not look at them.
static void findChangedRows(op2rt_loop const &loop, RankCall &call) {
  Copies const &copies = *call.copies;
  for (Dat *dat : call.changed) {
    RankSet const &to = partOf(dat->set);
    std::vector<bool> isChanged(std::size_t(to.reach)),
        isShared(std::size_t(to.reach));
    bool needsAll = !call.own.empty() || readsChanges(loop, dat);
    bool isKept = std::find(call.own.begin(), call.own.end(), dat) !=
                  call.own.end(); // that copies have no rows of their own
    for (std::size_t n = 0; isKept && n < copies.of.size(); ++n)
      isChanged[copies.of[n]] = true;
    for (int m = 0; m < loop.desc->nargs; ++m) {
      op2rt_arg_desc const &arg = loop.desc->args[m];
      op_map map = loop.args[m].map;
      if (datOf(loop, m) != dat || !map || arg.access == OP2RT_READ)
        continue;
      isKept = true;
      for (int32_t row = copies.begin; row < copies.end(); ++row)
        for (int32_t slot = arg.slot; slot < arg.slot + arg.count; ++slot)
          isChanged[tableOf(map)[int64_t(row) * map->dim + slot]] = true;
    }
    if (!isKept)
      continue;
    auto shared = copies.shared.find(static_cast<Set *>(dat->set)->serial);
    if (shared != copies.shared.end())
      for (int32_t row : shared->second)
        isShared[row] = true;
    SavedRows before, after;
    before.dat = after.dat = dat;
    for (int32_t row = 0; row < to.reach; ++row)
      if (isChanged[row]) {
        if (needsAll || isShared[row])
          before.rows.push_back(row);
        if (row < to.size && !isShared[row])
          after.rows.push_back(row);
      }
    call.before.push_back(std::move(before));
    call.after.push_back(std::move(after));
  }
}

/// A dat that the loop changes, and uses both directly and through a map; NULL
/// if there is none. An element's own row is one that others reach, so copies
/// of elements cannot have it for themselves.
static Dat const *findSharedRows(op2rt_loop const &loop, RankCall const &call) {
  auto uses = [&](Dat const *dat, bool byMap) {
    for (int m = 0; m < loop.desc->nargs; ++m)
      if (datOf(loop, m) == dat && (loop.args[m].map != nullptr) == byMap)
        return true;
    return false;
  };
  auto at =
      std::find_if(call.changed.begin(), call.changed.end(), [&](Dat *dat) {
        return uses(dat, false) && uses(dat, true);
      });
  return at == call.changed.end() ? nullptr : *at;
}

static void requirePossible(op2rt_loop const &loop, RankCall const &call) {
  Dat const *shared = findSharedRows(loop, call);
  if (isDeviceTarget(loop.desc->target) && !call.own.empty())
    fatal(Problem::NotOnRanks,
          "loop %s: it changes dat %s, which it uses both directly and through "
          "a map, and target %s is not there yet for that on several ranks; "
          "run with OP2_TARGET=openmp or seq",
          loop.desc->name, (shared ? shared : call.own.front())->name,
          targetName(loop.desc->target));
  if (!loop.desc->run)
    fatal(Problem::RankProgram,
          "loop %s: ranks run elements at their borders again, for which "
          "it has no function: expected it to be compiled with op2c++ "
          "--op2-mpi, or by another compiler",
          loop.desc->name);
}

/// What is in the way of copies that run one by one: see runOneByOne.
static void findOwnRows(op2rt_loop const &loop, RankCall &call) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    if (Dat *dat = datOf(loop, m); dat && dat->set == loop.set)
      placeOrAdd(call.own, dat);
    auto *map = static_cast<Map *>(loop.args[m].map);
    if (loop.args[m].active && map && map->to == loop.set)
      placeOrAdd(call.around, map);
  }
}

/// In one piece.
static Plan onePiece(Copies const &copies) {
  Plan plan;
  plan.what = OP2RT_PLAN_OWNER;
  plan.setOneColor(1);
  plan.pieces = {{copies.begin, copies.end(), 0}};
  plan.pieceBegin = {0, copies.of.empty() ? 0 : 1};
  plan.mostBlocks = 1;
  return plan;
}

/// What copies change directly is theirs, and no part owns it.
static bool changesDirectly(op2rt_loop const &loop) {
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (datOf(loop, m) && !loop.args[m].map &&
        loop.desc->args[m].access != OP2RT_READ)
      return true;
  return false;
}

/// As for a set of their own. Parts have equal shares of the rows that copies
/// change, which lie anywhere in their set.
static PlanInput planInputOf(op2rt_loop const &loop, Copies const &copies,
                             int32_t parts) {
  PlanInput input = planInput(loop, 0, OP2RT_PLAN_OWNER);
  input.take({copies.begin, copies.end()});
  input.parts = parts;
  std::map<int64_t, std::vector<int64_t>> rows; // by size of their set
  for (ColumnSet const &set : input.conflicts)
    forEachTarget(set, 0, input.size,
                  [&](int32_t row) { rows[set.targetSize].push_back(row); });
  for (auto &[size, all] : rows) {
    std::sort(all.begin(), all.end());
    OwnedCuts cuts = {size, {0}};
    for (int32_t part = 1; part < parts; ++part)
      cuts.begins.push_back(
          all[all.size() * std::size_t(part) / std::size_t(parts)]);
    cuts.begins.push_back(size);
    input.cuts.push_back(std::move(cuts));
  }
  return input;
}

/// On devices one piece: what else is in the plan depends on what the loop's
/// code asks for (LoopPlan.cpp).
std::unique_ptr<op2rt_plan> op2::rt::planOfCopies(op2rt_loop const &loop,
                                                  RankCall const &call) {
  constexpr int64_t kLeastPart = 256; // copies
  Copies const &copies = *call.copies;
  auto parts = static_cast<int32_t>(std::min<int64_t>(
      int64_t(copies.of.size()) / kLeastPart, omp_get_max_threads()));
  Plan plan = onePiece(copies);
  if (parts > 1 && loop.call->plan && loop.call->plan->isOwned() &&
      call.own.empty() && !changesDirectly(loop)) {
    PlanInput input = planInputOf(loop, copies, parts);
    plan = buildPlan(input);
    if (shouldCheckPlans())
      requireSoundPlan(loop.desc->name, input, plan);
    for (PlanPiece &piece : plan.pieces) {
      piece.begin += copies.begin;
      piece.end += copies.begin;
    }
  }
  plan.size = copies.end();
  return std::make_unique<op2rt_plan>(std::move(plan));
}

/// The copies that run for a loop that changes rows through these maps.
static Copies const &copiesFor(op2rt_loop const &loop,
                               std::vector<Map *> const &maps) {
  std::vector<Copies> const &all = partOf(loop.set).copies;
  Map const *map = maps[0]->columnsOf ? maps[0]->columnsOf : maps[0];
  for (Copies const &copies : all)
    if (maps.size() == 1 && copies.map == map->serial)
      return copies;
  return all.back();
}

/// The list of a dat's imported rows that the loop reads: through maps, by own
/// elements and by copies, and, of elements that copies repeat, their own.
static int32_t findList(op2rt_loop const &loop, RankCall const &call,
                        Dat *dat) {
  RankSet const &part = partOf(loop.set);
  RankSet &to = *static_cast<Set *>(dat->set)->part;
  bool isDirect = std::find(call.direct.begin(), call.direct.end(), dat) !=
                  call.direct.end();
  std::vector<uint64_t> key = {
      static_cast<Set *>(loop.set)->serial,
      call.copies ? uint64_t(call.copies - part.copies.data()) + 1 : 0,
      isDirect};
  std::vector<int> reading;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    auto const *map = static_cast<Map *>(loop.args[m].map);
    if (datOf(loop, m) != dat || !map || !isRead(arg))
      continue;
    reading.push_back(m);
    key.insert(key.end(),
               {map->serial, uint64_t(arg.slot), uint64_t(arg.count)});
  }
  auto known = to.listsByReach.find(key);
  if (known != to.listsByReach.end())
    return known->second;
  std::vector<bool> wanted(std::size_t(to.reach));
  auto reach = [&](int32_t begin, int32_t end) {
    for (int m : reading) {
      op2rt_arg_desc const &arg = loop.desc->args[m];
      op_map map = loop.args[m].map;
      for (int64_t row = begin; row < end; ++row)
        for (int32_t slot = arg.slot; slot < arg.slot + arg.count; ++slot)
          wanted[tableOf(map)[row * map->dim + slot]] = true;
    }
  };
  reach(0, part.size);
  if (call.copies)
    reach(call.copies->begin, call.copies->end());
  if (isDirect)
    for (int32_t row : call.copies->of)
      wanted[row] = true;
  int32_t list = addList(communicator(), to, wanted);
  if (shouldCheckPlans())
    if (std::string text = checkList(communicator(), to, list, wanted);
        !text.empty())
      fatal(Problem::Bug,
            "loop %s: its imported rows of set %s are wrong, please report "
            "this: %s",
            loop.desc->name, dat->set->name, text.c_str());
  return to.listsByReach[key] = list;
}

/// Of a global that is only read ranks may have as much as they like.
static bool isAlike(op2rt_arg_desc const &arg) {
  return !isGlobal(arg) || arg.access != OP2RT_READ;
}

static uint32_t hashHandles(LoopCall const &call) {
  uint32_t hash = kFirstHash;
  auto add = [&](int value) { hash = addToHash(hash, uint32_t(value)); };
  for (char const *at = call.desc->name; *at; ++at)
    add(*at);
  add(call.set->number);
  for (int m = 0; m < call.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = call.desc->args[m];
    add(call.args[m].active ? arg.kind + 1 : 0);
    if (!call.args[m].active)
      continue;
    add(arg.access);
    if (Dat const *dat = datOf(call, m)) {
      auto const *map = static_cast<Map const *>(call.args[m].map);
      for (int value :
           {dat->number, static_cast<Set *>(dat->set)->number,
            map ? map->number : -1, map ? arg.slot : 0, map ? arg.count : 0})
        add(value);
    } else if (isAlike(arg)) {
      add(arg.dim);
      add(arg.type);
    }
  }
  return hash;
}

LoopName op2::rt::nameOnRanks(LoopCall const &call) {
  if (call.ranks)
    return call.ranks->name;
  return {static_cast<LoopState *>(call.desc->state)->name.c_str(),
          hashHandles(call)};
}

static std::string describeArg(LoopCall const &call, int m) {
  op2rt_arg_desc const &arg = call.desc->args[m];
  std::string text;
  if (!call.args[m].active)
    text = "nothing";
  else if (Dat const *dat = datOf(call, m))
    text = nameOf(*dat);
  else if (isAlike(arg))
    text = "a global of " + std::to_string(arg.dim) + " values of type " +
           typeName(arg.type);
  else
    text = "a global";
  if (!call.args[m].active)
    return text + " as argument " + std::to_string(m + firstNumber);
  if (auto const *map = static_cast<Map const *>(call.args[m].map))
    text += " through slot " + std::to_string(arg.slot + firstNumber) +
            (arg.count > 1 ? " and the next " + std::to_string(arg.count - 1)
                           : "") +
            " of " + nameOf(*map);
  return text + ", " + accessName(arg.access) + ", as argument " +
         std::to_string(m + firstNumber);
}

Items op2::rt::describeHandles(LoopCall const &call) {
  Items items = {{Item::Sets, nameOf(*call.set)}};
  for (int m = 0; m < call.desc->nargs; ++m)
    items.push_back({Item::Arguments, describeArg(call, m)});
  return items;
}

std::shared_ptr<RankCall> op2::rt::describeOnRanks(op2rt_loop const &loop) {
  auto call = std::make_shared<RankCall>();
  call->name = nameOnRanks(*loop.call);
  meetWith(
      loop.desc->name, call->name.hash,
      [&] { return describeHandles(*loop.call); }, Problem::RanksDisagree);
  std::vector<Map *> changing;
  std::vector<Dat *> read;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    // Exact sums, and what functions of the program reduce, are of all ranks
    // when they get to their globals.
    if (isGlobal(arg) && loop.args[m].active && arg.access != OP2RT_READ &&
        arg.access != OP2RT_WORK && arg.access != OP2RT_REDUCE &&
        !isExactSum(arg))
      (arg.kind == OP2RT_ARG_INFO ? call->infos : call->reductions)
          .push_back(m);
    Dat *dat = datOf(loop, m);
    if (!dat)
      continue;
    auto *map = static_cast<Map *>(loop.args[m].map);
    if (map && isRead(arg))
      placeOrAdd(read, dat);
    if (arg.access == OP2RT_READ)
      continue;
    placeOrAdd(call->changed, dat);
    if (map)
      placeOrAdd(changing, map);
  }
  if (!changing.empty())
    call->copies = &copiesFor(loop, changing);
  call->incoming.resize(call->reductions.size());
  // Copies of imported elements read what these import.
  for (int m = 0; m < loop.desc->nargs && call->copies; ++m)
    if (Dat *dat = datOf(loop, m);
        dat && !loop.args[m].map && loop.desc->args[m].access != OP2RT_WRITE) {
      placeOrAdd(call->direct, dat);
      placeOrAdd(read, dat);
    }
  for (Dat *dat : read)
    call->read.push_back({dat, findList(loop, *call, dat)});
  if (!call->copies)
    return call;
  if (findSharedRows(loop, *call))
    findOwnRows(loop, *call);
  requirePossible(loop, *call);
  findChangedRows(loop, *call);
  return call;
}
