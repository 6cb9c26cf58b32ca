//===- RankLoop.cpp - Loops on ranks ------------------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankLoop.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "Execute/ExactSum.h"
#include "Execute/LoopHooks.h"
#include "Execute/Reduction.h"
#include "RankMesh.h"
#include "Ranks.h"
#include "Storage.h"

#include <algorithm>
#include <string_view>

using namespace op2::rt;

void SavedRows::save() {
  auto size = std::size_t(dat->size);
  values.resize(rows.size() * size);
  for (std::size_t n = 0; n < rows.size(); ++n)
    std::memcpy(values.data() + n * size,
                rowData(dat) + int64_t(rows[n]) * dat->size, size);
}

void SavedRows::restore() const {
  auto size = std::size_t(dat->size);
  for (std::size_t n = 0; n < rows.size(); ++n)
    std::memcpy(rowData(dat) + int64_t(rows[n]) * dat->size,
                values.data() + n * size, size);
}

void op2::rt::combineOverRanks(void *global, Bytes const &partial,
                               int32_t access, int32_t type, int32_t dim,
                               char const *loop) {
  auto addTo = [&](auto const *values) {
    std::vector<ExactSum> sums(static_cast<std::size_t>(dim));
    for (int32_t d = 0; d < dim; ++d)
      sums[d].add(values[d]);
    addSums(global, type, dim, sums.data(), loop);
  };
  // Each exact sum is a message of its own, so not of very many components.
  bool isExact = access == OP2RT_INC && dim <= OP2RT_MOST_EXACT_COMPONENTS;
  if (isExact && type == OP2RT_F64)
    return addTo(reinterpret_cast<double const *>(partial.data()));
  if (isExact && type == OP2RT_F32)
    return addTo(reinterpret_cast<float const *>(partial.data()));
  Gathered found = gather(partial, loop);
  combinePartials({global, access, type, dim, job.size,
                   static_cast<int64_t>(found.stride), found.of(0)});
}

/// The messages of a sum over ranks have no sender, but their headers add up to
/// so many of one if they are the same.
static uint64_t hashOf(Header const &header) {
  std::string_view text(header.loop, strnlen(header.loop, sizeof header.loop));
  return std::hash<std::string_view>()(text) + header.number;
}

/// One message a component: ranks that run different loops must not have
/// messages of different sizes, either.
static void sumOnRanks(ExactSum *sums, int32_t count, char const *loop) {
  for (int32_t n = 0; n < count; ++n) {
    Header const header = nextHeader(loop);
    auto hash = static_cast<int64_t>(hashOf(header));
    ExactSum::State &state = sums[n].entries();
    std::vector<int64_t> values(state.begin(), state.end());
    values.push_back(hash);
    communicator().sum(values.data(), static_cast<int64_t>(values.size()));
    if (uint64_t(values.back()) != uint64_t(hash) * uint64_t(job.size))
      gather({}, loop); // an error that says who runs what
    std::copy_n(values.begin(), state.size(), state.begin());
  }
}

//===----------------------------------------------------------------------===//
// What a call needs
//===----------------------------------------------------------------------===//

template <class T> static void addOnce(std::vector<T *> &all, T *one) {
  if (std::find(all.begin(), all.end(), one) == all.end())
    all.push_back(one);
}

static Dat *datOf(op2rt_loop const &loop, int m) {
  return loop.desc->args[m].kind == OP2RT_ARG_DAT && loop.args[m].active
             ? static_cast<Dat *>(static_cast<op_dat>(loop.args[m].data))
             : nullptr;
}

/// Rows that copies of elements change.
static void findChangedRows(op2rt_loop const &loop, RankCall &call) {
  RankSet const &part = partOf(loop.set);
  for (Dat *dat : call.changed) {
    RankSet const &to = partOf(dat->set);
    std::vector<bool> isChanged(std::size_t(to.reach)),
        isShared(std::size_t(to.reach));
    bool isKept = std::find(call.own.begin(), call.own.end(), dat) !=
                  call.own.end(); // that copies have no rows of their own
    for (std::size_t n = 0; isKept && n < part.copied.size(); ++n)
      isChanged[part.copied[n]] = true;
    for (int m = 0; m < loop.desc->nargs; ++m) {
      op2rt_arg_desc const &arg = loop.desc->args[m];
      op_map map = loop.args[m].map;
      if (datOf(loop, m) != dat || !map || arg.access == OP2RT_READ)
        continue;
      isKept = true;
      for (int32_t row = part.reach; row < part.rows; ++row)
        for (int32_t slot = arg.slot; slot < arg.slot + arg.count; ++slot)
          isChanged[tableOf(map)[int64_t(row) * map->dim + slot]] = true;
    }
    if (!isKept)
      continue;
    for (int32_t row : part.shared[dat->set->index])
      isShared[row] = true;
    SavedRows before = {dat, {}, {}}, after = {dat, {}, {}};
    for (int32_t row = 0; row < to.reach; ++row)
      if (isChanged[row]) {
        before.rows.push_back(row);
        if (row < to.size && !isShared[row])
          after.rows.push_back(row);
      }
    call.before.push_back(std::move(before));
    call.after.push_back(std::move(after));
  }
}

static void refuse
    [[noreturn]] (op2rt_loop const &loop, int m, char const *what) {
  op2rt_fatal("%s: %s is not there yet on several ranks",
              argPlace(*loop.desc, m).c_str(), what);
}

static void requirePossible(op2rt_loop const &loop, RankCall const &call) {
  if (isDeviceTarget(loop.desc->target))
    op2rt_fatal("loop %s: target %s is not there yet on several ranks; run "
                "with OP2_TARGET=openmp or seq",
                loop.desc->name, targetName(loop.desc->target));
  if (call.runsCopies && !loop.desc->run)
    op2rt_fatal("loop %s: ranks run elements at their borders again, for which "
                "it has no function: expected it to be compiled with op2c++ "
                "--op2-mpi, or by another compiler",
                loop.desc->name);
}

/// A dat that the loop changes, and uses both directly and through a map: an
/// element's own row is one that others reach, so copies of elements cannot
/// have it for themselves.
static bool needsOwnRows(op2rt_loop const &loop, RankCall const &call) {
  auto uses = [&](Dat const *dat, bool byMap) {
    for (int m = 0; m < loop.desc->nargs; ++m)
      if (datOf(loop, m) == dat && (loop.args[m].map != nullptr) == byMap)
        return true;
    return false;
  };
  return std::any_of(call.changed.begin(), call.changed.end(), [&](Dat *dat) {
    return uses(dat, false) && uses(dat, true);
  });
}

/// What is in the way of copies that run one by one: see runOneByOne.
static void findOwnRows(op2rt_loop const &loop, RankCall &call) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    if (Dat *dat = datOf(loop, m); dat && dat->set == loop.set)
      addOnce(call.own, dat);
    auto *map = static_cast<Map *>(loop.args[m].map);
    if (loop.args[m].active && map && map->to == loop.set)
      addOnce(call.around, map);
  }
}

static std::unique_ptr<op2rt_plan> planOfCopies(RankSet const &part) {
  Plan plan;
  plan.size = part.rows;
  plan.what = OP2RT_PLAN_OWNER;
  plan.setOneColor(1);
  plan.pieces = {{part.reach, part.rows, 0}};
  plan.pieceBegin = {0, part.rows > part.reach ? 1 : 0};
  plan.mostBlocks = 1;
  return std::make_unique<op2rt_plan>(std::move(plan));
}

static std::shared_ptr<RankCall> describe(op2rt_loop const &loop) {
  auto call = std::make_shared<RankCall>();
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    // Exact sums are of all ranks when they get to their globals.
    if (isGlobal(arg) && loop.args[m].active && arg.access != OP2RT_READ &&
        arg.access != OP2RT_WORK && !isExactSum(arg))
      (arg.kind == OP2RT_ARG_INFO ? call->infos : call->reductions)
          .push_back(m);
    Dat *dat = datOf(loop, m);
    if (!dat)
      continue;
    bool isRead = arg.access == OP2RT_READ || arg.access == OP2RT_RW;
    if (loop.args[m].map && isRead)
      addOnce(call->read, dat);
    if (arg.access != OP2RT_READ)
      addOnce(call->changed, dat);
    call->runsCopies |= loop.args[m].map && arg.access != OP2RT_READ;
  }
  requirePossible(loop, *call);
  call->incoming.resize(call->reductions.size());
  if (!call->runsCopies)
    return call;
  // Copies of imported elements read what these import.
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (Dat *dat = datOf(loop, m);
        dat && !loop.args[m].map && loop.desc->args[m].access != OP2RT_WRITE) {
      addOnce(call->direct, dat);
      addOnce(call->read, dat);
    }
  if (needsOwnRows(loop, *call))
    findOwnRows(loop, *call);
  findChangedRows(loop, *call);
  call->copies = planOfCopies(partOf(loop.set));
  return call;
}

//===----------------------------------------------------------------------===//
// One execution
//===----------------------------------------------------------------------===//

static void copyRow(Dat const &dat, int64_t from, int64_t to) {
  char *rows = rowData(&dat);
  std::memcpy(rows + to * dat.size, rows + from * dat.size,
              std::size_t(dat.size));
}

static void refreshCopies(Dat &dat) {
  RankSet const &part = partOf(dat.set);
  for (int32_t copy = part.reach; copy < part.rows; ++copy)
    copyRow(dat, part.copied[copy - part.reach], copy);
  dat.areCopiesStale = false;
}

/// Sums of ranks are added to what a global held before: each needs its own.
static void requireOwnGlobals(op2rt_loop const &loop, RankCall const &call) {
  auto data = [&](int m) { return static_cast<char *>(loop.args[m].data); };
  for (int32_t m : call.reductions)
    for (int32_t other = 0; other < loop.desc->nargs; ++other)
      if (other != m && isGlobal(loop.desc->args[other]) &&
          loop.args[other].active &&
          overlap(data(m), bytesOfGlobal(loop.desc->args[m]), data(other),
                  bytesOfGlobal(loop.desc->args[other])))
        refuse(loop, m, "a global that another argument has as well");
}

/// Each dat has rows of its own, also where arrays overlap.
static void requireOwnArrays(op2rt_loop const &loop) {
  auto const &dats = loop.call->dats;
  for (UsedDat const &a : dats)
    for (UsedDat const &b : dats)
      if (a.dat != b.dat && a.written && a.dat->inArray && b.dat->inArray &&
          overlap(a.dat->data, a.dat->bytes, b.dat->data, b.dat->bytes))
        op2rt_fatal("loop %s: it changes dat %s, whose array overlaps that of "
                    "dat %s (OP_NO_REALLOC, overlays); expected dats with "
                    "values of their own in one loop on several ranks",
                    loop.desc->name, a.dat->name, b.dat->name);
}

static void begin(op2rt_loop const &loop) {
  settleStorage();
  std::shared_ptr<RankCall> &call = loop.call->ranks;
  if (!call)
    call = describe(loop);
  requireOwnGlobals(loop, *call);
  requireOwnArrays(loop);
  for (UsedDat const &used : loop.call->dats)
    if (used.dat->inArray)
      takeFromProgram(*used.dat);
  bringImports(call->read, call->exchanges, loop.desc->name);
  if (call->runsCopies) {
    for (Dat *dat : call->direct)
      if (dat->areCopiesStale)
        refreshCopies(*dat);
    for (SavedRows &rows : call->before)
      rows.save();
  }
  for (std::size_t n = 0; n < call->reductions.size(); ++n) {
    int32_t m = call->reductions[n];
    op2rt_arg_desc const &arg = loop.desc->args[m];
    auto *values = static_cast<char *>(loop.args[m].data);
    call->incoming[n].assign(values, values + bytesOfGlobal(arg));
    if (arg.access == OP2RT_INC)
      std::memset(values, 0, call->incoming[n].size());
  }
}

/// The values of desc.run.
static std::vector<void *> valuesOf(op2rt_loop const &loop) {
  std::vector<void *> values(std::size_t(loop.desc->nparams));
  values[0] = loop.set;
  static char yes;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (arg.data)
      values[arg.data] = loop.args[m].data;
    if (arg.map)
      values[arg.map] = loop.args[m].map;
    if (arg.flag)
      values[arg.flag] = loop.args[m].active ? &yes : nullptr;
  }
  return values;
}

/// What copies reduce counts with their owners: it goes here.
static std::vector<Bytes> takeGlobals(op2rt_loop &loop,
                                      std::vector<op2rt_arg> &args) {
  std::vector<Bytes> globals(std::size_t(loop.desc->nargs));
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (!isGlobal(arg) || !args[m].active || arg.access == OP2RT_READ)
      continue;
    auto const *data = static_cast<char const *>(args[m].data);
    globals[m].assign(data, data + bytesOfGlobal(arg));
    args[m].data = globals[m].data();
  }
  return globals;
}

static void exchangeRow(Map &map, int32_t row, int32_t from, int32_t to) {
  int *entries = tableOf(&map) + int64_t(row) * map.dim;
  std::replace(entries, entries + map.dim, from, to);
}

/// Each copy takes the rows of its element along, runs, and brings them back:
/// the next one sees what it has done. Where a map leads from the element to
/// itself it leads to the rows that it has meanwhile.
static void runOneByOne(op2rt_loop const &loop, RankCall &call,
                        std::vector<void *> values) {
  RankSet const &part = partOf(loop.set);
  for (int32_t copy = part.reach; copy < part.rows; ++copy) {
    int32_t row = part.copied[copy - part.reach];
    call.copies->pieces = {{copy, copy + 1, 0}};
    for (Dat *dat : call.own)
      copyRow(*dat, row, copy);
    for (Map *map : call.around)
      exchangeRow(*map, copy, row, copy);
    loop.desc->run(values.data());
    for (Map *map : call.around)
      exchangeRow(*map, copy, copy, row);
    for (Dat *dat : call.own)
      copyRow(*dat, copy, row);
  }
}

static void runCopies(op2rt_loop const &loop, RankCall &call) {
  for (SavedRows &rows : call.after)
    rows.save();
  for (SavedRows const &rows : call.before)
    rows.restore();
  // The loop in progress is another one then.
  op2rt_loop again = loop;
  std::vector<op2rt_arg> args(loop.args, loop.args + loop.desc->nargs);
  std::vector<Bytes> const globals = takeGlobals(again, args);
  again.args = args.data();
  RunOfCopies const run(*loop.call, *call.copies);
  if (call.own.empty())
    again.desc->run(valuesOf(again).data());
  else
    runOneByOne(again, call, valuesOf(again));
  for (SavedRows const &rows : call.after)
    rows.restore();
}

/// Of values of one type, by the first that differs.
static bool isLess(int32_t type, std::size_t bytes, char const *a,
                   char const *b) {
  bool answer = false;
  forType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
      T x, y;
      std::memcpy(&x, a + at, sizeof x);
      std::memcpy(&y, b + at, sizeof y);
      if (x < y || y < x) {
        answer = x < y;
        return;
      }
    }
  });
  return answer;
}

/// What comes along with a least or greatest value: with the best of all ranks.
/// Of equal ones the lesser info counts, wherever it is from. The global itself
/// has been combined, and the infos have what each rank found.
static void combineInfos(op2rt_loop const &loop, RankCall const &call,
                         std::size_t reduction, Bytes const &own) {
  int32_t leader = call.reductions[reduction];
  op2rt_arg_desc const &value = loop.desc->args[leader];
  std::vector<int32_t> args;
  for (int32_t m : call.infos)
    if (loop.desc->args[m].slot == leader)
      args.push_back(m);
  if (args.empty())
    return;
  // Each rank's own value comes with its infos.
  Bytes values = own;
  std::vector<std::size_t> begins;
  for (int32_t m : args) {
    begins.push_back(values.size());
    auto const *data = static_cast<char const *>(loop.args[m].data);
    values.insert(values.end(), data, data + bytesOfGlobal(loop.desc->args[m]));
  }
  Gathered results = gather(values, loop.desc->name);
  auto width = std::size_t(typeSize(value.type));
  auto const *best = static_cast<char const *>(loop.args[leader].data);
  for (std::size_t a = 0; a < args.size(); ++a) {
    op2rt_arg_desc const &info = loop.desc->args[args[a]];
    std::size_t bytes =
        std::size_t(bytesOfGlobal(info)) / std::size_t(value.dim);
    for (int32_t d = 0; d < value.dim; ++d) {
      // Nobody has found a better one.
      auto at = std::size_t(d);
      if (std::memcmp(best + at * width,
                      call.incoming[reduction].data() + at * width, width) == 0)
        continue;
      char const *least = nullptr;
      for (int32_t rank = 0; rank < job.size; ++rank) {
        char const *found = results.of(rank);
        char const *from = found + begins[a] + at * bytes;
        bool isBest =
            std::memcmp(found + at * width, best + at * width, width) == 0;
        if (isBest && (!least || isLess(info.type, bytes, from, least)))
          least = from;
      }
      if (least)
        std::memcpy(static_cast<char *>(loop.args[args[a]].data) + at * bytes,
                    least, bytes);
    }
  }
}

static void end(op2rt_loop const &loop) {
  RankCall &call = *loop.call->ranks;
  RankSet const &part = partOf(loop.set);
  if (call.runsCopies && part.rows > part.reach)
    runCopies(loop, call);
  for (Dat *dat : call.changed) {
    dat->dirtybit = dat->areCopiesStale = true;
    if (dat->inArray)
      giveToProgram(*dat);
  }
  for (std::size_t n = 0; n < call.reductions.size(); ++n) {
    int32_t m = call.reductions[n];
    op2rt_arg_desc const &arg = loop.desc->args[m];
    Bytes const partial(static_cast<char const *>(loop.args[m].data),
                        static_cast<char const *>(loop.args[m].data) +
                            bytesOfGlobal(arg));
    std::memcpy(loop.args[m].data, call.incoming[n].data(),
                call.incoming[n].size());
    combineOverRanks(loop.args[m].data, partial, arg.access, arg.type, arg.dim,
                     loop.desc->name);
    combineInfos(loop, call, n, partial);
  }
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.distribute = distribute;
  loopHooks.beginOnRanks = begin;
  loopHooks.sumOnRanks = sumOnRanks;
  loopHooks.endOnRanks = end;
}
