//===- Renumber.cpp - New numbers for the elements of all sets --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op_renumber, and the option that renumbers programs that do not call it.
//
//===----------------------------------------------------------------------===//

#include "Renumber.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Memory.h"
#include "Core/PerRun.h"
#include "Core/Progress.h"
#include "Core/Settings.h"
#include "Core/Threads.h"
#include "Core/Trace.h"
#include "Core/Types.h"
#include "MeshOrder.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;

namespace {
enum class Method { Unset, None, Rcm, Hilbert };
struct Option {
  Method method = Method::Unset;
  std::string coordinates; ///< name of a dat, or ""
};
enum class Moment { Unknown, Waiting, Over };
} // namespace

namespace {
struct Renumbering {
  // Unknown: the environment has not been read yet.
  Moment moment = Moment::Unknown;
  Option option;
};
} // namespace

static Renumbering &state() {
  static auto *theState = new PerRun<Renumbering>;
  return **theState;
}

//===----------------------------------------------------------------------===//
// The option
//===----------------------------------------------------------------------===//

static Option parse(std::string const &word) {
  if (word.empty())
    return {};
  std::size_t colon = word.find(':');
  return {word == "none"  ? Method::None
          : word == "rcm" ? Method::Rcm
                          : Method::Hilbert,
          colon == std::string::npos ? "" : word.substr(colon + 1)};
}

static void readEnvironment() {
  if (state().moment != Moment::Unknown)
    return;
  char const *text = settingText("OP2_RENUMBER");
  state() = {Moment::Waiting, parse(text ? text : "")};
}

/// Ranks that declare the whole mesh find the same order, each for itself.
static bool isAsked() {
  bool is = state().option.method == Method::Rcm ||
            state().option.method == Method::Hilbert;
  if (is && !job.declaresWhole)
    fatal(Problem::RanksDeclare,
          "%s%s needs the whole mesh, but each rank declares a block; "
          "expected OP2_RANKS=whole, or %snone",
          kRenumberVariable, settingText("OP2_RENUMBER"), kRenumberVariable);
  return is;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// How far apart the targets of a row are, in the mean.
static double meanSpread(Map const &map) {
  double sum = 0;
  int64_t size = map.from->size, dim = map.dim;
  for (int64_t e = 0; e < size; ++e) {
    int const *row = map.map + e * dim;
    int least = row[0], most = row[0];
    for (int64_t slot = 1; slot < dim; ++slot) {
      least = MIN(least, row[slot]);
      most = MAX(most, row[slot]);
    }
    sum += double(most) - least;
  }
  return size ? sum / double(size) : 0;
}

static std::vector<double> spreads() {
  std::vector<double> values;
  for (op_map map : registry().maps)
    values.push_back(map->map && map->dim > 1
                         ? meanSpread(static_cast<Map const &>(*map))
                         : 0);
  return values;
}

static void report(MeshOrder const &order, double seconds,
                   std::vector<double> const &before) {
  std::string names;
  for (Set const *set : order.bases())
    names += (names.empty() ? "" : ", ") + set->ownName;
  op_printf("op2: renumbered %zu sets, beginning with %s, %.3f ms\n",
            registry().sets.size(), names.c_str(), seconds * 1e3);
  std::vector<double> after = spreads();
  for (std::size_t m = 0; m < after.size(); ++m)
    if (registry().maps[m]->dim > 1)
      op_printf("op2:   map %s: targets of a row %.1f apart in the mean, "
                "before %.1f\n",
                registry().maps[m]->name, after[m], before[m]);
  for (op_set core : registry().sets) {
    auto const &set = static_cast<Set const &>(*core);
    if (std::string why = reasonToKeep(set); !why.empty())
      op_printf("op2:   set %s keeps its order: %s\n", set.name, why.c_str());
  }
}

//===----------------------------------------------------------------------===//
// When
//===----------------------------------------------------------------------===//

static void acceptTables(char const *where) {
  for (op_map core : registry().maps) {
    auto &map = static_cast<Map &>(*core);
    if (map.map && !map.accepted)
      acceptTable(map, where);
  }
}

static void renumber(Start const &start) try {
  state().moment = Moment::Over;
  acceptTables(start.where);
  std::vector<double> before;
  if (OP_diags > 1)
    before = spreads();
  double begin = now();
  Progress progress("renumbering the mesh");
  MeshOrder order(start);
  applyOrders(order.orders());
  double seconds = now() - begin;
  progress.end();
  traceSince(begin, "renumbering", start.where);
  if (OP_diags > 1)
    report(order, seconds, before);
} catch (std::bad_alloc const &) {
  endWithoutMemory("op_renumber");
}

/// The coordinates for a Hilbert curve: those that the option names, else those
/// that the program gave.
static Dat const *chooseCoordinates(Dat const *given, char const *where) {
  if (state().option.method != Method::Hilbert)
    return nullptr;
  if (state().option.coordinates.empty() && given)
    return given;
  if (state().option.coordinates.empty())
    fatal(Problem::Coordinates,
          "%s: %shilbert needs coordinates: expected hilbert:<name of a "
          "dat>, or a dat as the last argument of op_partition",
          where, kRenumberVariable);
  for (Dat const *dat : registry().dats)
    if (dat->ownName == state().option.coordinates)
      return dat;
  fatal(Problem::Coordinates, "%s: %shilbert:%s: there is no dat of this name",
        where, kRenumberVariable, state().option.coordinates.c_str());
}

void op2::rt::renumberIfRequested() {
  if (state().moment == Moment::Over)
    return;
  readEnvironment();
  if (isAsked())
    renumber(
        {nullptr, chooseCoordinates(nullptr, "renumbering"), "renumbering"});
  state().moment = Moment::Over;
}

// What the call says about the mesh serves renumbering, if the option asks for
// that: programs that read dat->data after the call do not expect it otherwise.
void op2::rt::renumberAtPartition(Map const *map, Dat const *coords) {
  readEnvironment();
  if (!isAsked() || state().moment == Moment::Over)
    return;
  renumber({map && givesNeighbors(*map) ? map : nullptr,
            chooseCoordinates(coords, "op_partition"), "op_partition"});
}

/// Whether programs may renumber: not on ranks that have less than all, and not
/// where the option says so.
static bool mayRenumber(char const *where) {
  if (!job.declaresWhole || job.isDistributed) {
    if (OP_diags > 0)
      op_printf("op2: %s has no effect on ranks that declare blocks, or have "
                "their parts\n",
                where);
    return false;
  }
  readEnvironment();
  return state().option.method != Method::None;
}

extern "C" void op_renumber(op_map base) {
  Call const call(__func__);
  requireRunning("op_renumber");
  Map const &map = requireMap(base, "op_renumber");
  if (!map.map && map.from->size > 0)
    fatal(Problem::MapTable,
          "op_renumber %s: the map was declared without a table and has "
          "not been filled",
          map.name);
  if (map.dim == 1 && map.from != map.to)
    fatal(Problem::Renumber,
          "op_renumber %s: the map leads from set %s to one element of "
          "set %s; expected a map of at least two, or from a set to "
          "itself, that makes elements neighbours",
          map.name, map.from->name, map.to->name);
  if (!mayRenumber("op_renumber"))
    return;
  bool isDone = state().moment == Moment::Over && isAsked();
  if (isDone)
    return;
  renumber({&map, chooseCoordinates(nullptr, "op_renumber"), "op_renumber"});
}

/// Elements with smaller values first; of equal ones the first. Values are
/// least to least + numKeys - 1.
template <class Value>
static void countingSort(Value const *values, Value least, std::size_t numKeys,
                         Order &order) {
  std::vector<int32_t> next(numKeys + 1);
  auto keyOf = [&](std::size_t e) {
    return static_cast<std::size_t>(uint64_t(values[e]) - uint64_t(least));
  };
  for (std::size_t e = 0; e < order.size(); ++e)
    ++next[keyOf(e) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t e = 0; e < order.size(); ++e)
    order[std::size_t(next[keyOf(e)]++)] = static_cast<int32_t>(e);
}

static Order orderByKey(Dat const &key) {
  Order order = identityOrder(key.set->size);
  if (order.empty())
    return order;
  forType(key.elementType, [&](auto tag) {
    using Value = typename decltype(tag)::Type;
    auto const *values = reinterpret_cast<Value const *>(key.data);
    auto [least, most] = std::minmax_element(values, values + order.size());
    // Numbers of cells and the like: ten times as fast.
    uint64_t range = uint64_t(*most) - uint64_t(*least);
    if (range < 4 * uint64_t(order.size()))
      return countingSort(values, *least, std::size_t(range) + 1, order);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return values[a] != values[b] ? values[a] < values[b] : a < b;
    });
  });
  return order;
}

extern "C" void op_renumber_by(op_set set, op_dat key) {
  Call const call(__func__);
  requireRunning(__func__);
  Set &of = requireSet(set, __func__);
  Dat &dat = requireDat(key, __func__);
  if (dat.set != set)
    fatal(Problem::SetMismatch,
          "op_renumber_by: dat %s lives on set %s; expected a dat on set "
          "%s",
          dat.name, dat.set->name, set->name);
  if (dat.dim != 1 || !isIntegerType(dat.elementType))
    fatal(Problem::ValueType,
          "op_renumber_by: dat %s holds %d values of type %s; expected "
          "one of a type of integers for each element",
          dat.name, dat.dim, dat.type);
  requireOwnValues(dat, __func__);
  if (!mayRenumber(__func__))
    return;
  // What the option asks for comes first.
  renumberIfRequested();
  if (std::string why = reasonToKeep(of); !why.empty()) {
    if (OP_diags > 0)
      op_printf("op2: op_renumber_by: set %s keeps its order: %s\n", of.name,
                why.c_str());
    return;
  }
  acceptTables(__func__);
  makeHostCurrent(dat);
  std::vector<Order> orders(registry().sets.size());
  orders[of.index] = orderByKey(dat);
  applyOrders(orders);
}
