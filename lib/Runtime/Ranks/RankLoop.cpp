//===- RankLoop.cpp - Loops on ranks ------------------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankLoop.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "Execute/LoopHooks.h"
#include "Execute/Reduction.h"
#include "RankMesh.h"
#include "Ranks.h"
#include "Storage.h"

#include <algorithm>

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

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
/// Before what a rank sends: ranks that run different loops must not take each
/// other's values.
struct Header {
  uint64_t number; ///< of messages before
  char loop[56];
};
} // namespace

static Header nextHeader(char const *loop) {
  static uint64_t number = 0;
  Header header = {++number, {}};
  std::strncpy(header.loop, loop, sizeof header.loop - 1);
  return header;
}

static void requireSame(Header const &own, char const *data, int32_t rank) {
  Header other;
  std::memcpy(&other, data, sizeof other);
  if (own.number != other.number ||
      std::strncmp(own.loop, other.loop, sizeof own.loop) != 0)
    op2rt_fatal("ranks run different loops: rank %d runs %.56s, its message "
                "number %llu, and rank %d %.56s, number %llu; expected every "
                "rank to run the same loops in the same order",
                job.rank, own.loop, static_cast<unsigned long long>(own.number),
                rank, other.loop,
                static_cast<unsigned long long>(other.number));
}

static RankSet const &partOf(Dat const &dat) {
  return *static_cast<Set const &>(*dat.set).part;
}

static Exchange::Side &sideOf(std::vector<Exchange::Side> &sides,
                              int32_t rank) {
  auto at = std::lower_bound(sides.begin(), sides.end(), rank,
                             [](Exchange::Side const &side, int32_t number) {
                               return side.rank < number;
                             });
  if (at == sides.end() || at->rank != rank)
    at = sides.insert(at, {rank, {}, {}});
  return *at;
}

static Exchange makeExchange(std::vector<Dat *> const &dats) {
  Exchange exchange;
  exchange.dats = dats;
  for (Dat *dat : dats) {
    for (PeerRows const &peer : partOf(*dat).sends)
      sideOf(exchange.sends, peer.rank).segments.push_back({dat, &peer.rows});
    for (PeerRows const &peer : partOf(*dat).receives)
      sideOf(exchange.receives, peer.rank)
          .segments.push_back({dat, &peer.rows});
  }
  for (auto *sides : {&exchange.sends, &exchange.receives})
    for (Exchange::Side &side : *sides) {
      std::size_t bytes = sizeof(Header);
      for (Exchange::Segment const &segment : side.segments)
        bytes += segment.rows->size() * std::size_t(segment.dat->size);
      side.buffer.resize(bytes);
    }
  return exchange;
}

/// visit(place in the buffer, row in the dat, bytes).
template <class Visit>
static void forEachRow(Exchange::Side &side, Visit visit) {
  char *place = side.buffer.data() + sizeof(Header);
  for (Exchange::Segment const &segment : side.segments) {
    int64_t size = segment.dat->size;
    char *rows = rowData(segment.dat);
    for (int32_t row : *segment.rows) {
      visit(place, rows + row * size, std::size_t(size));
      place += size;
    }
  }
}

static std::vector<Peer> asPeers(std::vector<Exchange::Side> &sides) {
  std::vector<Peer> peers;
  for (Exchange::Side &side : sides)
    peers.push_back({side.rank, side.buffer.data(),
                     static_cast<int64_t>(side.buffer.size())});
  return peers;
}

static void run(Exchange &exchange, char const *loop) {
  Header const header = nextHeader(loop);
  for (Exchange::Side &side : exchange.sends) {
    std::memcpy(side.buffer.data(), &header, sizeof header);
    forEachRow(side, [](char *place, char const *row, std::size_t size) {
      std::memcpy(place, row, size);
    });
  }
  communicator().swap(asPeers(exchange.sends), asPeers(exchange.receives));
  for (Exchange::Side &side : exchange.receives) {
    requireSame(header, side.buffer.data(), side.rank);
    forEachRow(side, [](char const *place, char *row, std::size_t size) {
      std::memcpy(row, place, size);
    });
  }
}

void op2::rt::bringImports(std::vector<Dat *> const &dats,
                           std::vector<Exchange> &exchanges, char const *loop) {
  std::vector<Dat *> stale;
  for (Dat *dat : dats)
    if (dat->dirtybit)
      stale.push_back(dat);
  if (stale.empty())
    return;
  auto at =
      std::find_if(exchanges.begin(), exchanges.end(),
                   [&](Exchange const &known) { return known.dats == stale; });
  if (at == exchanges.end())
    at = exchanges.insert(at, makeExchange(stale));
  run(*at, loop);
  for (Dat *dat : stale) {
    dat->dirtybit = 0;
    dat->areCopiesStale = true;
  }
}

namespace {
/// The same bytes of each rank, which run the same loop.
struct Gathered {
  Bytes all;
  std::size_t stride;
  char *of(int32_t rank) {
    return all.data() + std::size_t(rank) * stride + sizeof(Header);
  }
};
} // namespace

static Gathered gather(Bytes const &values, char const *loop) {
  Header const header = nextHeader(loop);
  Bytes own(sizeof header + values.size());
  std::memcpy(own.data(), &header, sizeof header);
  std::memcpy(own.data() + sizeof header, values.data(), values.size());
  Gathered found = {
      communicator().gather(own.data(), static_cast<int64_t>(own.size())),
      own.size()};
  for (int32_t rank = 0; rank < job.size; ++rank)
    requireSame(header, found.of(rank) - sizeof header, rank);
  return found;
}

void op2::rt::combineOverRanks(void *global, Bytes const &partial,
                               int32_t access, int32_t type, int32_t dim,
                               char const *loop) {
  Gathered found = gather(partial, loop);
  combinePartials({global, access, type, dim, job.size,
                   static_cast<int64_t>(found.stride), found.of(0)});
}

//===----------------------------------------------------------------------===//
// What a call needs
//===----------------------------------------------------------------------===//

static void addOnce(std::vector<Dat *> &dats, Dat *dat) {
  if (std::find(dats.begin(), dats.end(), dat) == dats.end())
    dats.push_back(dat);
}

static Dat *datOf(op2rt_loop const &loop, int m) {
  return loop.desc->args[m].kind == OP2RT_ARG_DAT && loop.args[m].active
             ? static_cast<Dat *>(static_cast<op_dat>(loop.args[m].data))
             : nullptr;
}

/// Rows that copies of elements change through maps.
static void findChangedRows(op2rt_loop const &loop, RankCall &call) {
  RankSet const &part = *static_cast<Set const &>(*loop.set).part;
  for (Dat *dat : call.changed) {
    RankSet const &to = partOf(*dat);
    std::vector<bool> isChanged(std::size_t(to.reach)),
        isShared(std::size_t(to.reach));
    bool isIndirect = false;
    for (int m = 0; m < loop.desc->nargs; ++m) {
      op2rt_arg_desc const &arg = loop.desc->args[m];
      op_map map = loop.args[m].map;
      if (datOf(loop, m) != dat || !map || arg.access == OP2RT_READ)
        continue;
      isIndirect = true;
      for (int32_t row = part.reach; row < part.rows; ++row)
        for (int32_t slot = arg.slot; slot < arg.slot + arg.count; ++slot)
          isChanged[map->map[int64_t(row) * map->dim + slot]] = true;
    }
    if (!isIndirect)
      continue;
    // Those that elements of other ranks reach through any map: what decides
    // which elements have copies.
    for (op_map map : registry().maps)
      if (map->from == loop.set && map->to == dat->set)
        for (int32_t n = 0; n < part.rows - part.reach; ++n)
          if (part.copied[n] >= part.size)
            for (int32_t slot = 0; slot < map->dim; ++slot)
              isShared[map->map[int64_t(part.reach + n) * map->dim + slot]] =
                  true;
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
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    Dat *dat = datOf(loop, m);
    bool isChangedDirectly =
        dat && !loop.args[m].map && arg.access != OP2RT_READ;
    if (!call.runsCopies || !isChangedDirectly)
      continue;
    // Copies of the row would be changed, not the row.
    for (int other = 0; other < loop.desc->nargs; ++other)
      if (datOf(loop, other) == dat && loop.args[other].map)
        refuse(loop, m,
               "a dat that one loop changes directly and uses through a map, "
               "while it changes dats through maps,");
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
    if (isGlobal(arg) && loop.args[m].active && arg.access != OP2RT_READ &&
        arg.access != OP2RT_WORK)
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
  findChangedRows(loop, *call);
  call->copies = planOfCopies(*static_cast<Set const &>(*loop.set).part);
  return call;
}

//===----------------------------------------------------------------------===//
// One execution
//===----------------------------------------------------------------------===//

static void refreshCopies(Dat &dat) {
  RankSet const &part = partOf(dat);
  int64_t size = dat.size;
  char *rows = rowData(&dat), *copy = rows + part.reach * size;
  for (int32_t row : part.copied) {
    std::memcpy(copy, rows + row * size, std::size_t(size));
    copy += size;
  }
  dat.areCopiesStale = false;
}

/// -0.0 and 0, which nothing is added to.
static void setToNothing(void *values, int32_t type, int32_t dim) {
  std::memset(values, 0, std::size_t(dim) * std::size_t(typeSize(type)));
  for (int32_t n = 0; n < dim; ++n)
    if (type == OP2RT_F64)
      static_cast<double *>(values)[n] = -0.0;
    else if (type == OP2RT_F32)
      static_cast<float *>(values)[n] = -0.0f;
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

/// Each dat has rows of its own, also where the application's arrays overlap.
static void requireOwnArrays(op2rt_loop const &loop) {
  auto const &dats = loop.call->dats;
  for (UsedDat const &a : dats)
    for (UsedDat const &b : dats)
      if (a.dat != b.dat && a.written && a.dat->user_managed &&
          b.dat->user_managed &&
          overlap(a.dat->data, a.dat->bytes, b.dat->data, b.dat->bytes))
        op2rt_fatal("loop %s: it changes dat %s, whose array overlaps that of "
                    "dat %s (OP_NO_REALLOC); expected arrays of their own on "
                    "several ranks",
                    loop.desc->name, a.dat->name, b.dat->name);
}

static void begin(op2rt_loop const &loop) {
  std::shared_ptr<RankCall> &call = loop.call->ranks;
  if (!call)
    call = describe(loop);
  requireOwnGlobals(loop, *call);
  requireOwnArrays(loop);
  for (UsedDat const &used : loop.call->dats)
    if (used.dat->user_managed)
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
      setToNothing(values, arg.type, arg.dim);
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
  again.desc->run(valuesOf(again).data());
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
  RankSet const &part = *static_cast<Set const &>(*loop.set).part;
  if (call.runsCopies && part.rows > part.reach)
    runCopies(loop, call);
  for (Dat *dat : call.changed) {
    dat->dirtybit = dat->areCopiesStale = true;
    if (dat->user_managed)
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
  loopHooks.endOnRanks = end;
}
