//===- LoopPlanInput.cpp - Input of the construction of a plan --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a loop to conflicts, sums and the key.
//
// Conflicts are indirect INC and RW, and MIN and MAX on dats. WRITE is not
// coloured, as in OP2: the user promises that elements which write the same
// target write the same value. A direct argument that changes a dat which is
// also changed through a map conflicts too. A dat that is changed through one
// map alone, which leads to no element twice, has no conflicts. Where rows have
// owners, those that an element changes directly have one, too.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapShape.h"
#include "Loop.h"
#include "LoopPlan.h"

#include <algorithm>
#include <omp.h>

using namespace op2::rt;

namespace {
struct DatColumns {
  op_dat dat;
  ColumnSet set;
  op_map map = nullptr; ///< of the first column; null: reached directly
  bool hasOneMap = true;
};
} // namespace

static bool isConflicting(int32_t access) {
  return access == OP2RT_INC || access == OP2RT_RW || access == OP2RT_MIN ||
         access == OP2RT_MAX;
}

static void addColumn(ColumnSet &set, MapColumn const &column) {
  if (std::find(set.columns.begin(), set.columns.end(), column) ==
      set.columns.end())
    set.columns.push_back(column);
}

/// Overlays are the dat that they share storage with.
static DatColumns &findDat(std::vector<DatColumns> &dats, void *handle) {
  op_dat dat = storageOf(static_cast<op_dat>(handle));
  for (DatColumns &known : dats)
    if (known.dat == dat)
      return known;
  dats.push_back({dat, {reachOf(dat->set), {}}});
  return dats.back();
}

static bool contains(ColumnSet const &outer, ColumnSet const &inner) {
  return outer.targetSize == inner.targetSize &&
         std::all_of(inner.columns.begin(), inner.columns.end(),
                     [&](MapColumn const &column) {
                       return std::find(outer.columns.begin(),
                                        outer.columns.end(),
                                        column) != outer.columns.end();
                     });
}

/// Dats changed through the same columns, or fewer, conflict nowhere else.
/// Comparing columns as sets of a target set is right since a column's table
/// leads to one set.
static void addConflict(std::vector<ColumnSet> &conflicts, ColumnSet set) {
  auto takeWith = [](ColumnSet &to, ColumnSet const &from) {
    to.with.insert(to.with.end(), from.with.begin(), from.with.end());
  };
  for (ColumnSet &known : conflicts)
    if (contains(known, set))
      return takeWith(known, set);
  conflicts.erase(std::remove_if(conflicts.begin(), conflicts.end(),
                                 [&](ColumnSet const &known) {
                                   bool isLess = contains(set, known);
                                   if (isLess)
                                     takeWith(set, known);
                                   return isLess;
                                 }),
                  conflicts.end());
  conflicts.push_back(std::move(set));
}

static bool isDat(op2rt_loop const &loop, int m) {
  return loop.desc->args[m].kind == OP2RT_ARG_DAT && loop.args[m].active;
}

/// Whether two elements may change the same of a dat.
static bool meets(DatColumns const &dat) {
  return dat.set.columns.size() != 1 ||
         (dat.map && !isInjective(static_cast<Map &>(*dat.map)));
}

static bool isChangedDirectly(op2rt_loop const &loop, int m) {
  return isDat(loop, m) && !loop.args[m].map &&
         loop.desc->args[m].access != OP2RT_READ;
}

/// Whether another argument has the same dat, by this or another handle, and
/// does not add to it as well, or, with `isThroughMap`, goes through a map.
static bool isUsedOtherwise(op2rt_loop const &loop, int m,
                            bool isThroughMap = false) {
  auto dat = [&](int n) {
    return storageOf(static_cast<op_dat>(loop.args[n].data));
  };
  for (int n = 0; n < loop.desc->nargs; ++n)
    if (n != m && isDat(loop, m) && isDat(loop, n) && dat(m) == dat(n) &&
        (loop.desc->args[n].access != loop.desc->args[m].access ||
         loop.desc->args[m].access == OP2RT_WRITE ||
         (isThroughMap && loop.args[n].map)))
      return true;
  return false;
}

/// What a map's entries are rows of, if nothing has changed its order since.
static EntryRows const *rowsOf(op_map map) {
  std::shared_ptr<EntryRows const> const &rows =
      static_cast<Map const *>(map)->entryRows;
  bool isCurrent = rows &&
                   rows->rowOrder == static_cast<Set *>(rows->map->to)->order &&
                   rows->entryOrder == static_cast<Set *>(map->to)->order;
  return isCurrent ? rows.get() : nullptr;
}

/// The columns through which the loop changes dats in conflict.
static std::vector<DatColumns> changedThrough(op2rt_loop const &loop) {
  std::vector<DatColumns> dats;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    op_map map = loop.args[m].map;
    if (!isDat(loop, m) || !map || !isConflicting(arg.access))
      continue;
    DatColumns &dat = findDat(dats, loop.args[m].data);
    if (dat.set.columns.empty())
      dat.map = map;
    dat.hasOneMap &= dat.map == map;
    for (int s = 0; s < arg.count; ++s)
      addColumn(dat.set, {tableOf(map), map->dim, arg.slot + s});
  }
  for (int m = 0; m < loop.desc->nargs; ++m)
    for (DatColumns &dat : dats)
      if (isChangedDirectly(loop, m) &&
          storageOf(static_cast<op_dat>(loop.args[m].data)) == dat.dat) {
        addColumn(dat.set, {});
        dat.hasOneMap = false;
      }
  return dats;
}

/// Elements meet in entries only where they meet in their rows, and who owns a
/// row owns its entries. Parts of a plan know sets by their sizes.
static void takeRows(std::vector<DatColumns> &dats) {
  for (DatColumns &dat : dats) {
    EntryRows const *rows = dat.hasOneMap ? rowsOf(dat.map) : nullptr;
    int64_t entries = dat.set.targetSize;
    bool isKnown =
        std::count_if(dats.begin(), dats.end(), [&](DatColumns const &other) {
          return other.set.targetSize == entries;
        }) == 1;
    if (!rows || !isKnown || reachOf(rows->map->to) == entries)
      continue;
    ColumnSet set{reachOf(rows->map->to), {}, {{entries, rows->begin.data()}}};
    for (int s = 0; s < rows->count; ++s)
      set.columns.push_back(
          {tableOf(rows->map), rows->map->dim, rows->first + s});
    dat.set = std::move(set);
    dat.map = rows->map;
  }
}

static bool mayMeet(std::vector<DatColumns> const &dats) {
  return std::any_of(dats.begin(), dats.end(), meets);
}

bool op2::rt::mayRunAgain(op2rt_loop const &loop) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    int32_t access = loop.desc->args[m].access;
    if (!isDat(loop, m) || access == OP2RT_READ)
      continue;
    bool isDirect = !loop.args[m].map;
    if (access != OP2RT_INC && !(isDirect && access == OP2RT_WRITE))
      return false;
    if (isUsedOtherwise(loop, m))
      return false;
  }
  return aliasingOf(loop) == Aliasing::None;
}

/// Those that the loop changes directly alone.
static void addDirect(op2rt_loop const &loop, std::vector<DatColumns> &dats) {
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (isChangedDirectly(loop, m)) {
      DatColumns &dat = findDat(dats, loop.args[m].data);
      addColumn(dat.set, {});
      dat.hasOneMap = false;
    }
}

static bool haveOneColumn(std::vector<DatColumns> const &dats) {
  return std::all_of(dats.begin(), dats.end(), [&](DatColumns const &dat) {
    return dat.set.columns.size() == 1 &&
           dat.set.targetSize == dats[0].set.targetSize &&
           dat.set.columns[0] == dats[0].set.columns[0];
  });
}

// With ownership an element runs where anything of it is owned, so that it must
// be all or nothing.
static void addConflicts(op2rt_loop const &loop, bool byRows,
                         PlanInput &input) {
  std::vector<DatColumns> dats = changedThrough(loop);
  bool areConflicts = mayMeet(dats);
  bool isForOwners = areConflicts && (input.what & OP2RT_PLAN_OWNER);
  bool runsAgain = isForOwners && mayRunAgain(loop);
  if (runsAgain)
    addDirect(loop, dats);
  if (areConflicts && byRows)
    takeRows(dats);
  if (isForOwners && !runsAgain && !haveOneColumn(dats))
    input.owning = Owning::Never;
  std::vector<ColumnSet> &sets = areConflicts ? input.conflicts : input.apart;
  for (DatColumns &dat : dats)
    addConflict(sets, std::move(dat.set));
}

template <class Is> static bool anyConflicting(op2rt_loop const &loop, Is is) {
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (isDat(loop, m) && loop.args[m].map &&
        isConflicting(loop.desc->args[m].access) && is(*loop.args[m].map))
      return true;
  return false;
}

bool op2::rt::hasScatteredConflicts(op2rt_loop const &loop) {
  constexpr double kFarApart = 0.1;
  return loop.call->distance > kFarApart &&
         anyConflicting(loop,
                        [](op_map_core const &map) {
                          return sampleDistance(map) > kFarApart;
                        }) &&
         mayMeet(changedThrough(loop));
}

bool op2::rt::changesHubs(op2rt_loop const &loop) {
  return anyConflicting(loop, hasHubs);
}

/// Of an element that several blocks run, one does what it does to rows of its
/// own, and each adds to the rows that are its block's; another may run before
/// or after that. Whether something else looks at these rows or adds to them.
static bool areChangedRowsShared(op2rt_loop const &loop) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    int32_t access = loop.desc->args[m].access;
    bool isAdded = isChangedDirectly(loop, m) && access != OP2RT_WRITE;
    if (isDat(loop, m) && access != OP2RT_READ &&
        isUsedOtherwise(loop, m, /*isThroughMap=*/isAdded))
      return true;
  }
  return aliasingOf(loop) == Aliasing::Memory;
}

/// The slots through which the loop adds to its dats, by the groups that its
/// kernel was compiled for.
static void addSums(op2rt_loop const &loop, PlanInput &input) {
  input.isInOrder = areChangedRowsShared(loop);
  std::vector<DatColumns> dats; // only to tell groups apart
  std::vector<int32_t> groups, numbers;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    op_map map = loop.args[m].map;
    bool isDirect = loop.args[m].active && !map;
    if (arg.kind != OP2RT_ARG_DAT || arg.access != OP2RT_INC || isDirect)
      continue;
    auto at = std::find(groups.begin(), groups.end(), arg.group);
    auto dataset = at - groups.begin();
    if (at == groups.end()) {
      groups.push_back(arg.group);
      numbers.push_back(0);
      input.sums.emplace_back();
      dats.push_back({nullptr, {}});
    }
    input.sumArgs.push_back({m, static_cast<int32_t>(dataset)});
    SumSlots &sum = input.sums[std::size_t(dataset)];
    sum.perElement += arg.count;
    for (int s = 0; s < arg.count; ++s, ++numbers[std::size_t(dataset)]) {
      if (!loop.args[m].active)
        continue;
      op_dat dat = storageOf(static_cast<op_dat>(loop.args[m].data));
      dats[std::size_t(dataset)].dat = dat;
      sum.targetSize = reachOf(dat->set);
      sum.columns.push_back({tableOf(map), map->dim, arg.slot + s});
      sum.numbers.push_back(numbers[std::size_t(dataset)]);
    }
  }
  if (dats.empty())
    fatal(Problem::Call,
          "loop %s: adds to nothing through a map, so that no block has rows "
          "of its own, or elements; expected another plan",
          loop.desc->name);
  for (std::size_t a = 0; a < dats.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      input.isOneByOne |= dats[a].dat && dats[a].dat == dats[b].dat;
}

// One part a thread, but not so many that each has next to nothing.
static int32_t partsOf(int64_t size) {
  constexpr int64_t kLeastPart = 256;
  int64_t most = std::max<int64_t>(size / kLeastPart, 1);
  return static_cast<int32_t>(std::min<int64_t>(omp_get_max_threads(), most));
}

PlanInput op2::rt::planInput(op2rt_loop const &loop, int64_t blockSize,
                             uint32_t what, bool byRows) {
  PlanInput input;
  input.size = ownOf(loop.set);
  input.blockSize = blockSize;
  input.what = what;
  if (what & OP2RT_PLAN_OWNER) {
    input.owning = job.keepsOrder ? Owning::Always : requestedOwning();
    input.parts = input.owning == Owning::Always ? omp_get_max_threads()
                                                 : partsOf(input.size);
  }
  if (what & OP2RT_PLAN_OWNED_ROWS) {
    addSums(loop, input);
    return input;
  }
  // Blocks without colours have no use for conflicts, but the elements of a
  // block may still want colours.
  if (!(what & OP2RT_PLAN_UNCOLORED) || (what & OP2RT_PLAN_ELEMENT_COLORS))
    addConflicts(loop, byRows, input);
  return input;
}

//===----------------------------------------------------------------------===//
// Key
//===----------------------------------------------------------------------===//

namespace {
class KeyWriter {
public:
  explicit KeyWriter(std::string &key) : key(key) {}
  void add(uint64_t value) {
    key.append(reinterpret_cast<char const *>(&value), sizeof value);
  }
  void add(int64_t targetSize, std::vector<MapColumn> const &columns) {
    add(static_cast<uint64_t>(targetSize));
    add(columns.size());
    for (MapColumn const &column : columns) {
      add(reinterpret_cast<uintptr_t>(column.table));
      add(static_cast<uint64_t>(column.width));
      add(static_cast<uint64_t>(column.slot));
    }
  }
  void add(SumSlots const &sum) {
    add(sum.targetSize, sum.columns);
    for (int32_t number : sum.numbers)
      add(static_cast<uint64_t>(number));
    add(static_cast<uint64_t>(sum.perElement));
  }
  void add(ColumnSet const &set) {
    add(set.targetSize, set.columns);
    add(set.with.size());
    for (OwnedWith const &other : set.with) {
      add(static_cast<uint64_t>(other.size));
      add(reinterpret_cast<uintptr_t>(other.begin));
    }
  }

private:
  std::string &key;
};
} // namespace

// The input determines the plan, so the input is the key. Tables stand for
// their maps: a map's table lives as long as the map, and plans are forgotten
// with the maps. The set tells apart loops on equally large sets.
std::string op2::rt::planKeyOf(Set const &set) {
  std::string key;
  KeyWriter(key).add(set.serial);
  return key;
}

std::string op2::rt::planKey(op2rt_loop const &loop, PlanInput const &input) {
  std::string key = planKeyOf(static_cast<Set &>(*loop.set));
  KeyWriter writer(key);
  writer.add(static_cast<uint64_t>(input.first));
  writer.add(static_cast<uint64_t>(input.size));
  writer.add(static_cast<uint64_t>(input.blockSize));
  writer.add(input.what);
  writer.add(static_cast<uint64_t>(input.owning));
  writer.add(static_cast<uint64_t>(input.parts));
  writer.add(input.conflicts.size());
  for (ColumnSet const &set : input.conflicts)
    writer.add(set);
  writer.add(input.sums.size());
  for (SumSlots const &sum : input.sums)
    writer.add(sum);
  writer.add(input.isOneByOne);
  writer.add(input.isInOrder);
  for (SumArg const &arg : input.sumArgs) {
    writer.add(static_cast<uint64_t>(arg.arg));
    writer.add(static_cast<uint64_t>(arg.dataset));
  }
  return key;
}
