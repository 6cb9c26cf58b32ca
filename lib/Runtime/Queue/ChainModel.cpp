//===- ChainModel.cpp - Model of the tiles of a loop chain ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainModel.h"
#include "ChainOptions.h"
#include "Execute/LoopPlan.h"

#include <algorithm>
#include <unistd.h>

using namespace op2::rt;

std::string op2::rt::namesOf(ChainCalls const &calls) {
  std::string names;
  for (auto const &call : calls)
    names += (names.empty() ? "" : ", ") + std::string(call->desc->name);
  return names;
}

PlanInput op2::rt::planInputOf(LoopCall &call, int64_t blockSize,
                               uint32_t what) {
  return planInput(loopOf(call), blockSize, what);
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// The dats of a chain, each once.
static std::vector<UsedDat> datsOf(ChainCalls const &calls) {
  std::vector<UsedDat> dats;
  for (auto const &call : calls)
    for (UsedDat const &used : call->dats) {
      auto at =
          std::find_if(dats.begin(), dats.end(), [&](UsedDat const &known) {
            return known.dat == used.dat;
          });
      if (at == dats.end())
        dats.push_back(used);
      else
        at->written |= used.written;
    }
  return dats;
}

/// visit(arg, value) for all dats of a call.
template <class Visit>
static void forEachDat(LoopCall const &call, Visit visit) {
  for (int m = 0; m < call.desc->nargs; ++m)
    if (call.desc->args[m].kind == OP2RT_ARG_DAT && call.args[m].active)
      visit(call.desc->args[m], call.args[m]);
}

static bool isAtItsBase(op2rt_arg const &value) {
  auto &dat = static_cast<Dat &>(*static_cast<op_dat>(value.data));
  return dat.data == storageOf(dat).data;
}

bool op2::rt::haveStorageOfTheirOwn(ChainCalls const &calls) {
  std::vector<UsedDat> dats = datsOf(calls);
  for (std::size_t a = 0; a < dats.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if ((dats[a].written || dats[b].written) &&
          overlap(dats[a].dat->data, dats[a].dat->bytes, dats[b].dat->data,
                  dats[b].dat->bytes))
        return false;
  bool areAtBases = true;
  for (auto const &call : calls)
    forEachDat(*call, [&](op2rt_arg_desc const &, op2rt_arg const &value) {
      areAtBases &= isAtItsBase(value);
    });
  return areAtBases;
}

static int64_t bytesOf(ChainCalls const &calls) {
  int64_t bytes = 0;
  for (UsedDat const &used : datsOf(calls))
    bytes += rowBytes(used.dat);
  std::vector<op_map> maps;
  for (auto const &call : calls)
    for (op2rt_arg const &value : call->args)
      if (value.active && value.map &&
          std::find(maps.begin(), maps.end(), value.map) == maps.end())
        maps.push_back(value.map);
  for (op_map map : maps)
    bytes += int64_t(ownOf(map->from)) * map->dim * int64_t(sizeof(int));
  return bytes;
}

static int64_t bytesOfCaches(int threads) {
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return int64_t(bytes > 0 ? bytes : 1 << 20) * threads;
}

bool op2::rt::exceedsCaches(ChainCalls const &calls, int threads) {
  return bytesOf(calls) > bytesOfCaches(threads);
}

//===----------------------------------------------------------------------===//
// The inspector's input
//===----------------------------------------------------------------------===//

namespace {
/// The accesses of the loops to dats that one of them changes.
class AccessFinder {
public:
  explicit AccessFinder(ChainCalls const &calls) {
    for (UsedDat const &used : datsOf(calls))
      if (used.written)
        changed.push_back(used.dat);
  }

  std::vector<int64_t> rows() const {
    std::vector<int64_t> sizes;
    for (Dat const *dat : changed)
      sizes.push_back(reachOf(dat->set));
    return sizes;
  }

  std::vector<ChainAccess> of(LoopCall const &call) const {
    std::vector<ChainAccess> found;
    forEachDat(call, [&](op2rt_arg_desc const &arg, op2rt_arg const &value) {
      auto &dat = static_cast<Dat &>(*static_cast<op_dat>(value.data));
      auto at = std::find(changed.begin(), changed.end(), &storageOf(dat));
      if (at == changed.end())
        return;
      auto number = static_cast<int32_t>(at - changed.begin());
      bool isChange = arg.access != OP2RT_READ;
      if (!value.map)
        return add(found, {number, isChange, {}});
      for (int s = 0; s < arg.count; ++s)
        add(found, {number,
                    isChange,
                    {tableOf(value.map), value.map->dim, arg.slot + s}});
    });
    return found;
  }

private:
  static void add(std::vector<ChainAccess> &found, ChainAccess const &access) {
    for (ChainAccess &known : found)
      if (known.dat == access.dat && known.column == access.column) {
        known.isChange |= access.isChange;
        return;
      }
    found.push_back(access);
  }

  std::vector<Dat const *> changed;
};
} // namespace

/// In how many tiles a loop over so many elements goes through the mesh.
static int32_t tilesFor(ChainCalls const &calls, int64_t loopSize,
                        int threads) {
  double share = double(bytesOfCaches(threads)) /
                 double(std::max<int64_t>(bytesOf(calls), 1));
  auto size = static_cast<int64_t>(double(loopSize) * share);
  if (int64_t asked = requestedTileSize())
    size = asked;
  size = std::max<int64_t>(size, 1);
  return static_cast<int32_t>((loopSize + size - 1) / size);
}

/// The elements in the order of a plan of coloured blocks.
static std::vector<int32_t> orderOf(Plan const &plan) {
  std::vector<int32_t> order;
  for (int32_t block : plan.blkmap)
    for (int64_t n = plan.blockBegin(block); n < plan.blockEnd(block); ++n)
      order.push_back(static_cast<int32_t>(n));
  return order;
}

// Groups of elements mostly begin where they do without tiles.
static constexpr int64_t kGroups = 64, kSmallGroups = 16;

/// How many elements must run in one tile.
static int64_t granuleSize(LoopCall const &call, bool isSmall) {
  if (isColored(call) || (call.plan->isOwned() && isSmall))
    return 1;
  if (reducesInOrder(call))
    return call.plan->blockSize;
  return isSmall ? kSmallGroups : kGroups;
}

ChainInput op2::rt::describeChain(ChainCalls const &calls, int threads) {
  AccessFinder finder(calls);
  ChainInput input;
  input.rows = finder.rows();
  input.numThreads = threads;
  for (auto const &call : calls) {
    ChainLoop loop;
    loop.size = ownOf(call->set);
    loop.mustBeRange = reducesInOrder(*call);
    if (isColored(*call))
      loop.order = orderOf(*call->plan);
    loop.accesses = finder.of(*call);
    loop.work = call->bytes / double(std::max<int64_t>(loop.size, 1));
    input.loops.push_back(std::move(loop));
  }
  int64_t largest = largestSize(input);
  for (std::size_t n = 0; n < calls.size(); ++n) {
    ChainLoop &loop = input.loops[n];
    bool isSmall = isAside(loop, largest);
    loop.granule = granuleSize(*calls[n], isSmall);
    loop.isOwned = calls[n]->plan->isOwned() && !isSmall;
    if (!isSmall && input.numTiles == 1)
      input.numTiles = tilesFor(calls, loop.size, threads);
  }
  return input;
}

std::string op2::rt::reasonAgainst(ChainInput const &input,
                                   ChainTiles const &tiles,
                                   int32_t leastTiles) {
  // What is in the last tiles of a long chain runs as without tiles: a quarter
  // of all may.
  constexpr double kMostImbalance = 3, kMostInOne = 0.25, kMostSlowdown = 1.5;
  if (!tiles.obstacle.empty())
    return tiles.obstacle;
  if (tiles.numTiles < leastTiles)
    return "only " + std::to_string(tiles.numTiles) + " tiles";
  if (imbalance(input, tiles) >
      std::max(kMostImbalance, kMostInOne * tiles.numTiles))
    return "too much must wait for the last tiles";
  if (slowdown(input, tiles) > kMostSlowdown)
    return "threads would have to wait for each other";
  return "";
}
