//===- CheckMode.cpp - Promises of loops, checked as they run ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mode, its messages, and what is checked when.
//
//===----------------------------------------------------------------------===//

#include "CheckMode.h"
#include "CheckValues.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/MapTable.h"
#include "Core/PerRun.h"
#include "Core/Settings.h"
#include "Core/UserOrder.h"
#include "Execute/LoopHooks.h"

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <set>

using namespace op2::rt;

static WordSetting mode("OP2_CHECK");
static constexpr int kError = 1; // of its words

static std::set<std::string> &saidLines() {
  static auto *lines = new PerRun<std::set<std::string>>;
  return **lines;
}

static void warn(op2rt_loop const &loop, int arg, char const *text) {
  // One line an argument: the next call of the loop has the same to say.
  std::string place = argPlace(*loop.desc, arg);
  if (!saidLines().insert(place).second)
    return;
  warning(Problem::Check, "%s: %s", place.c_str(), text);
}

static std::string formatted(char const *format, std::va_list values) {
  char text[1024];
  std::vsnprintf(text, sizeof text, format, values);
  return text;
}

void op2::rt::reportBroken(op2rt_loop const &loop, int arg, char const *format,
                           ...) {
  std::va_list values;
  va_start(values, format);
  std::string text = formatted(format, values);
  va_end(values);
  if (mode.get() == kError)
    argError(*loop.desc, arg, Problem::Check, "%s", text.c_str());
  warn(loop, arg, text.c_str());
}

void op2::rt::reportSuspicious(op2rt_loop const &loop, int arg,
                               char const *format, ...) {
  std::va_list values;
  va_start(values, format);
  std::string text = formatted(format, values);
  va_end(values);
  warn(loop, arg, text.c_str());
}

bool op2::rt::isOnDat(op2rt_loop const &loop, int arg, Dat const &dat) {
  return loop.desc->args[arg].kind == OP2RT_ARG_DAT && loop.args[arg].active &&
         storageOf(static_cast<op_dat>(loop.args[arg].data)) == &dat;
}

/// Plans, tiles and copies on devices are those of the table that they were
/// made for. The library changes tables together with their sets' orders.
static void checkIsKept(op2rt_loop const &loop, int arg, Map &map) {
  int const *table = tableOf(&map);
  if (!table)
    return;
  uint64_t hash = hashValues(table, int64_t(ownOf(map.from)) * map.dim);
  uint64_t const orders[] = {static_cast<Set *>(map.from)->order,
                             static_cast<Set *>(map.to)->order};
  bool isSameOrder =
      map.isUsed && std::equal(orders, orders + 2, map.usedOrders);
  if (isSameOrder && map.usedHash != hash)
    argError(*loop.desc, arg, Problem::MapValue,
             "the table of map %s was changed after a loop had used it; "
             "expected another map, made by op_decl_map",
             map.name);
  map.isUsed = true;
  map.usedHash = hash;
  std::copy(orders, orders + 2, map.usedOrders);
}

/// The maps that a composition goes through, which have tables of their own;
/// those of a subset are compositions, too.
static void checkSourcesAreKept(op2rt_loop const &loop, int arg,
                                Map const &map) {
  for (op_map handle : registry().maps) {
    auto &first = static_cast<Map &>(*handle);
    for (auto [after, made] : first.compositions)
      if (made == &map)
        for (Map *source : {&first, const_cast<Map *>(after)}) {
          checkIsKept(loop, arg, *source);
          checkSourcesAreKept(loop, arg, *source);
        }
  }
}

// Applications fill tables themselves, also after the first loop.
static void checkMaps(op2rt_loop const &loop) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    if (!loop.args[m].active || !loop.args[m].map)
      continue;
    auto &map = static_cast<Map &>(*loop.args[m].map);
    int const *table = tableOf(&map);
    if (!table)
      continue;
    int64_t bad = findOutOfRange(table, int64_t(ownOf(map.from)) * map.dim,
                                 reachOf(map.to));
    if (bad >= 0) // nothing to go on with
      argError(*loop.desc, m, Problem::MapValue,
               "map %s was changed: element %lld, slot %lld is %d; expected "
               "%d..%d (set %s has %d elements)",
               map.name, shown(userNumber(map.from, bad / map.dim)),
               shown(bad % map.dim), table[bad] + OP_maps_base_index,
               OP_maps_base_index, reachOf(map.to) - 1 + OP_maps_base_index,
               map.to->name, reachOf(map.to));
    checkIsKept(loop, m, map);
    checkSourcesAreKept(loop, m, map);
  }
}

namespace {
/// The check of the loop that runs.
struct RunningCheck {
  explicit RunningCheck(op2rt_loop const &loop) : values(loop) {}

  /// Whether a kernel of the loop has thrown: then elements are left.
  bool hasThrown() const {
    return op2rt_has_exception || uncaught != std::uncaught_exceptions() ||
           caught != std::current_exception();
  }

  ValueCheck values;
  // Of exceptions that the loop has nothing to do with.
  int uncaught = std::uncaught_exceptions();
  std::exception_ptr caught = std::current_exception();
};
} // namespace

static std::unique_ptr<RunningCheck> &runningCheck() {
  static auto *check = new std::unique_ptr<RunningCheck>;
  return *check;
}

/// Before the loop's dats are made current for its target.
static void beginCheck(op2rt_loop const &loop) {
  for (UsedDat const &used : loop.call->dats)
    makeHostCurrent(*used.dat);
  checkMaps(loop);
  checkConflicts(loop);
  runningCheck() = std::make_unique<RunningCheck>(loop);
}

/// After it has marked what it has written.
static void endCheck(op2rt_loop const &loop) {
  for (UsedDat const &used : loop.call->dats)
    makeHostCurrent(*used.dat);
  if (runningCheck()->hasThrown())
    runningCheck()->values.restore();
  else
    runningCheck()->values.finish();
  runningCheck().reset();
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.beginCheck = beginCheck;
  loopHooks.endCheck = endCheck;
}
