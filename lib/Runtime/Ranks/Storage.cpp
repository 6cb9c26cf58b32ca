//===- Storage.cpp - Values where the application has them --- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Storage.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Fault.h"
#include "Core/Job.h"
#include "Core/Memory.h"
#include "Core/UserOrder.h"
#include "Distribute.h"
#include "Ranks.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <tuple>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static struct sigaction before;

/// What is no guard is left to who handled it before.
static void onFault(int, siginfo_t *info, void *context) {
  auto const *at = static_cast<char const *>(info->si_addr);
  for (Dat const *dat : registry().dats)
    if (dat->part && !dat->inArray && at >= dat->data &&
        at < dat->data + dat->bytes)
      fatal(Problem::DataPointer,
            "dat %s: the program looks at dat->data, which with "
            "OP2_RANKS=whole has no values once ranks have their parts; "
            "expected op_fetch_data, or OP2_RANKS=mirrored, with which "
            "each rank has all values there",
            dat->name);
  for (op_map core : registry().maps) {
    auto const &map = static_cast<Map const &>(*core);
    auto const *table = reinterpret_cast<char const *>(map.map);
    if (!map.part || at < table || at >= table + declaredBytes(map))
      continue;
    if (map.isShown)
      fatal(Problem::Order,
            "map %s: the program writes to map->map, but ranks have "
            "their parts of the table already; expected it to be filled "
            "before op_partition and the first loop",
            map.name);
    fatal(Problem::DataPointer,
          "map %s: the program looks at map->map, which has no values "
          "once ranks have their parts; expected it to keep the table "
          "that it declared",
          map.name);
  }
  leaveFaultTo(before, info, context);
}

static void watchFaults() {
  static bool isWatched = false;
  if (isWatched)
    return;
  isWatched = true;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
}

static int64_t bytesDeclared(Dat const &dat) {
  return int64_t(static_cast<Set &>(*dat.set).declaredSize) * dat.size;
}

/// `values`, or zeros if that is NULL.
static char *moveToPages(void *values, int64_t bytes, std::string const &what) {
  char *pages = allocatePages(bytes, 1, what);
  if (values)
    std::memcpy(pages, values, std::size_t(bytes));
  deallocate(values);
  return pages;
}

void op2::rt::keepInPages(Dat &dat) {
  dat.bytes = bytesDeclared(dat);
  dat.given = dat.data = moveToPages(dat.data, dat.bytes, "dat " + dat.ownName);
  dat.inPages = true;
}

void op2::rt::setStorage(Dat &dat, char *rows) {
  if (job.declaresWhole) {
    dat.part = rows;
    if (!dat.inPages) {
      dat.data = nullptr;
      keepInPages(dat);
    }
    closePages(dat.data, dat.bytes);
    watchFaults();
  } else {
    dat.bytes = rowBytes(&dat);
    dat.data = rows;
    dat.part = nullptr;
  }
  dat.given = dat.data;
  if (job.keepsMirrors)
    keepInArray(dat);
}

void op2::rt::keepInPages(Map &map) {
  map.map = reinterpret_cast<int *>(
      moveToPages(map.map, declaredBytes(map), "map " + map.ownName));
  map.inPages = true;
}

static void show(Map &map, int const *whole) {
  auto *pages = reinterpret_cast<char *>(map.map);
  int64_t bytes = declaredBytes(map);
  openPages(pages, bytes);
  if (bytes > 0)
    std::memcpy(pages, whole, std::size_t(bytes));
  protectPages(pages, bytes);
  map.isShown = true;
}

void op2::rt::setStorage(Map &map, int *table, int const *whole) {
  if (!job.declaresWhole) {
    map.map = table;
    return;
  }
  map.part = table;
  if (!map.inPages) {
    map.map = nullptr;
    keepInPages(map);
  }
  map.isShown = false;
  if (whole)
    show(map, whole);
  else
    closePages(reinterpret_cast<char *>(map.map), declaredBytes(map));
  watchFaults();
}

void op2::rt::keepWholeTable(Map &map) {
  if (map.part && !map.isShown)
    show(map, wholeTable(map).data());
}

void op2::rt::keepInArray(Dat &dat) {
  if (dat.inArray)
    return;
  dat.inArray = true;
  bool hasRows = dat.part || job.isDistributed;
  if (!hasRows)
    return;
  if (dat.inPages) {
    openPages(dat.data, dat.bytes);
  } else {
    dat.part = dat.data;
    dat.bytes = bytesDeclared(dat);
    dat.given = dat.data = allocateZeroed(dat.bytes, 1, "dat " + dat.ownName);
  }
  giveToProgram(dat);
}

//===----------------------------------------------------------------------===//
// Exchanged storage
//===----------------------------------------------------------------------===//

/// What goes with `data`.
static auto storageFlags(Dat &dat) {
  return std::tie(dat.part, dat.bytes, dat.inPages, dat.inArray,
                  dat.user_managed);
}

static bool isOfLibrary(char const *data) {
  auto const &dats = registry().dats;
  return std::any_of(dats.begin(), dats.end(), [&](Dat const *dat) {
    return !dat->base && !dat->user_managed && dat->given == data;
  });
}

/// Each dat has what another one has had: with OP_NO_REALLOC also a new array
/// of the program in place of one.
static void settleRows() {
  struct Move {
    Dat *dat;
    std::tuple<char *, int64_t, bool, bool, int> flags;
  };
  std::vector<Dat *> moved, strange;
  for (Dat *dat : registry().dats)
    if (!dat->base && dat->data != dat->given)
      moved.push_back(dat);
  std::vector<Dat *> givers = moved;
  std::vector<Move> moves;
  auto take = [&](Dat *dat, auto gives) {
    auto giver = std::find_if(givers.begin(), givers.end(), [&](Dat *other) {
      return other->set == dat->set && other->size == dat->size && gives(other);
    });
    if (giver == givers.end())
      return false;
    moves.push_back({dat, storageFlags(**giver)});
    givers.erase(giver);
    return true;
  };
  for (Dat *dat : moved)
    if (!take(dat, [&](Dat *other) { return other->given == dat->data; }))
      strange.push_back(dat);
  for (Dat *dat : strange) {
    if (isOfLibrary(dat->data) ||
        !take(dat, [](Dat *other) { return other->user_managed != 0; }))
      fatal(Problem::DataPointer,
            "dat %s: dat->data is %p; expected it as it was, or exchanged "
            "with another dat on set %s of %d bytes an element: on several "
            "ranks the library's rows are elsewhere",
            dat->name, static_cast<void *>(dat->data), dat->set->name,
            dat->size);
    registry().programArrays.insert(dat->data);
  }
  for (Move const &move : moves)
    storageFlags(*move.dat) = move.flags;
  for (Dat *dat : moved) {
    programChanged(*dat);
    dat->given = dat->data;
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static void placeRows(Dat &dat, char const *values) {
  auto const &set = static_cast<Set const &>(*dat.set);
  char *rows = rowData(&dat);
  if (!job.declaresWhole) {
    Bytes moved = declared(&set).mover.move(communicator(), values, dat.size);
    if (!moved.empty())
      std::memcpy(rows, moved.data(), moved.size());
    return;
  }
  // It has all rows: no messages.
  int64_t size = dat.size;
  for (int64_t row = 0; row < set.rows; ++row)
    std::memcpy(rows + row * size, values + set.toUser[row] * size,
                std::size_t(size));
}

void op2::rt::takeFromProgram(Dat &dat) {
  hostChanged(dat);
  placeRows(dat, dat.data);
  if (!job.declaresWhole)
    return programChanged(dat);
  dat.dirtybit = 0;
  dat.freshImports = dat.freshCopies = ~uint64_t(0);
}

void op2::rt::giveToProgram(Dat &dat) {
  makeHostCurrent(dat);
  auto const &set = static_cast<Set &>(*dat.set);
  hooks.collectRows(set, dat.part, /*areDeclared=*/false, dat.size,
                    set.declaredBegin, set.declaredBegin + set.declaredSize,
                    dat.data, {&dat, nullptr});
}

[[gnu::constructor]] static void enterHooks() {
  hooks.settleRows = settleRows;
  hooks.placeRows = placeRows;
}
