//===- RankLoop.cpp - Loops on ranks ------------------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop on ranks:
//
//   1. imported rows that it reads are brought from their owners, if they are
//      stale;
//   2. all own elements run, by the code, plan and threads of any loop. Through
//      maps they change own rows, and imported ones, where it has no effect;
//   3. own rows that elements of other ranks reach as well lack what those do:
//      they get back what they held before, and the copies at the border run,
//      in the order of the whole mesh. Other rows that copies change get back
//      what they held after 2.
//
// So each row has every change, in the order of the elements, whichever ranks
// there are. Reductions are those of 2, combined over ranks.
//
//===----------------------------------------------------------------------===//

#include "CopyRows.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Trace.h"
#include "Core/Types.h"
#include "Execute/LoopHooks.h"
#include "RankChain.h"
#include "RankReduction.h"
#include "Ranks.h"
#include "Storage.h"

#include <algorithm>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// One execution
//===----------------------------------------------------------------------===//

static void refreshCopies(Dat &dat, Copies const &copies) {
  uint64_t bit = uint64_t(1) << (&copies - partOf(dat.set).copies.data());
  if (dat.freshCopies & bit)
    return;
  if (isCurrentOnDevice(dat)) {
    hooks.saveRows(storageOf(dat), copies.of, copies.onTheWay);
    hooks.restoreRows(storageOf(dat), copies.rows, copies.onTheWay.get());
  }
  if (isCurrentOnHost(dat))
    copyRows(copies.rows.size(), dat.size, rowAt(&dat, copies.rows),
             rowAt(&dat, copies.of));
  dat.freshCopies |= bit;
}

static void refuse
    [[noreturn]] (op2rt_loop const &loop, int m, char const *what) {
  fatal(Problem::NotOnRanks, "%s: %s is not there yet on several ranks",
        argPlace(*loop.desc, m).c_str(), what);
}

/// Sums of ranks are added to what a global held before: each needs its own. No
/// rank's elements come before those of another one.
static void requireOwnGlobals(op2rt_loop const &loop, RankCall const &call) {
  auto data = [&](int m) { return static_cast<char *>(loop.args[m].data); };
  for (int32_t m : call.reductions) {
    if (loop.desc->args[m].access == OP2RT_RW)
      refuse(loop, m,
             "a global with OP_RW, of which each element sees what those "
             "before it have left,");
    if (isUserType(loop.desc->args[m].type) &&
        loop.desc->args[m].access != OP2RT_WRITE &&
        loop.desc->args[m].access != OP2RT_REDUCE)
      refuse(loop, m,
             "a sum or extremum of values of the application's type, other "
             "than by op_arg_reduce,");
    for (int32_t other = 0; other < loop.desc->nargs; ++other)
      if (other != m && isGlobal(loop.desc->args[other]) &&
          loop.args[other].active &&
          overlap(data(m), bytesOfGlobal(loop.desc->args[m]), data(other),
                  bytesOfGlobal(loop.desc->args[other])))
        refuse(loop, m, "a global that another argument has as well");
  }
}

/// Each dat has rows of its own, also where arrays overlap.
static void requireOwnArrays(op2rt_loop const &loop) {
  auto const &dats = loop.call->dats;
  for (UsedDat const &a : dats)
    for (UsedDat const &b : dats)
      if (a.dat != b.dat && a.written && a.dat->inArray && b.dat->inArray &&
          overlap(a.dat->data, a.dat->bytes, b.dat->data, b.dat->bytes))
        fatal(Problem::Overlay,
              "loop %s: it changes dat %s, whose array overlaps that of "
              "dat %s (OP_NO_REALLOC, overlays); expected dats with "
              "values of their own in one loop on several ranks",
              loop.desc->name, a.dat->name, b.dat->name);
}

/// Does the kernel read the array by the name of a variable? One whose size
/// only another file knows is there if it begins there.
static bool readsArrayByName(op2rt_loop_desc const &desc, Dat const &dat) {
  return std::any_of(desc.variables, desc.variables + desc.nvariables,
                     [&](op2rt_variable const &variable) {
                       bool isKnown = variable.bytes < OP2RT_UNKNOWN_BYTES;
                       return overlap(static_cast<char const *>(variable.data),
                                      isKnown ? variable.bytes : 1, dat.data,
                                      dat.bytes);
                     });
}

/// How the kernel reads the program's array of a dat, beside the loop's
/// arguments of that dat; NULL: it does not.
static char const *readsArray(op2rt_loop const &loop, Dat const &dat) {
  if (readsArrayByName(*loop.desc, dat))
    return "by the name of a variable";
  if (followsTo(*loop.desc, dat))
    return "through a pointer of the program";
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (isGlobal(loop.desc->args[m]) && loop.args[m].active &&
        overlap(static_cast<char const *>(loop.args[m].data),
                bytesOfGlobal(loop.desc->args[m]), dat.data, dat.bytes))
      return "as a global";
  return nullptr;
}

/// What a loop changes gets there when it has ended.
static void requireUnreadArrays(op2rt_loop const &loop) {
  for (UsedDat const &used : loop.call->dats) {
    if (!used.written || !used.dat->inArray)
      continue;
    if (char const *how = readsArray(loop, *used.dat))
      fatal(Problem::Overlay,
            "loop %s: it changes dat %s, whose array the kernel reads %s, too; "
            "on several ranks what a loop changes is not in the array "
            "(OP_NO_REALLOC, overlays, OP2_RANKS=mirrored) before it ends: "
            "expected it to be read as an argument of that dat",
            loop.desc->name, used.dat->name, how);
  }
}

static void begin(op2rt_loop const &loop) {
  std::shared_ptr<RankCall> &call = loop.call->ranks;
  if (mayWaitOnRanks(*loop.call) && !AgreedLoops::areRunning())
    agreeOnPending({nameOnRanks(*loop.call)});
  if (!call)
    call = describeOnRanks(loop);
  noteOnRanks(*loop.call);
  requireOwnGlobals(loop, *call);
  requireOwnArrays(loop);
  requireUnreadArrays(loop);
  for (UsedDat const &used : loop.call->dats)
    if (used.dat->inArray)
      takeFromProgram(*used.dat);
  RankFigures &figures = loop.state->ranks;
  double start = now();
  if (Exchange const *exchange =
          bringImports(call->read, call->exchanges, loop.desc->name)) {
    traceSince(start, "exchange", loop.desc->name);
    bookMessages(figures, *exchange);
  }
  double end = now();
  figures.waiting += end - start;
  if (call->copies) {
    for (Dat *dat : call->direct)
      refreshCopies(*dat, *call->copies);
    for (SavedRows &rows : call->before)
      rows.save();
    figures.border += now() - end;
  }
  beginReductions(loop, call->incoming);
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
    if (arg.merge)
      values[arg.merge] = reinterpret_cast<void *>(loop.args[m].merge);
    if (arg.identity)
      values[arg.identity] = const_cast<void *>(loop.args[m].identity);
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

/// On the host.
static void copyRow(Dat const &dat, int64_t from, int64_t to) {
  char *rows = rowData(&dat);
  std::memcpy(rows + to * dat.size, rows + from * dat.size,
              std::size_t(dat.size));
}

/// Each copy takes the rows of its element along, runs, and brings them back:
/// the next one sees what it has done. Where a map leads from the element to
/// itself it leads to the rows that it has meanwhile.
static void runOneByOne(op2rt_loop const &loop, RankCall &call,
                        std::vector<void *> values) {
  for (int32_t copy = call.copies->begin; copy < call.copies->end(); ++copy) {
    int32_t row = call.copies->of[copy - call.copies->begin];
    call.plan->pieces = {{copy, copy + 1, 0}};
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
  if (!call.plan)
    call.plan = planOfCopies(loop, call);
  for (SavedRows &rows : call.after)
    rows.save();
  for (SavedRows &rows : call.before)
    rows.restore();
  // The loop in progress is another one then.
  op2rt_loop again = loop;
  std::vector<op2rt_arg> args(loop.args, loop.args + loop.desc->nargs);
  std::vector<Bytes> const globals = takeGlobals(again, args);
  again.args = args.data();
  RunOfCopies const run(*loop.call, *call.plan);
  if (call.own.empty())
    again.desc->run(valuesOf(again).data());
  else
    runOneByOne(again, call, valuesOf(again));
  for (SavedRows &rows : call.after)
    rows.restore();
}

static void end(op2rt_loop const &loop) {
  RankCall &call = *loop.call->ranks;
  double start = now();
  if (call.copies && !call.copies->of.empty()) {
    runCopies(loop, call);
    traceSince(start, "border", loop.desc->name);
  }
  double reduced = now();
  loop.state->ranks.border += reduced - start;
  for (Dat *dat : call.changed) {
    programChanged(*dat);
    if (dat->inArray)
      giveToProgram(*dat);
  }
  endReductions(loop, call.incoming);
  loop.state->ranks.waiting += now() - reduced;
  if (call.hasRun)
    return;
  call.hasRun = true;
  call.mayWait =
      votesOfRanks(mayChain(*loop.call), loop.desc->name) == job.size;
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.distribute = distribute;
  loopHooks.beginOnRanks = begin;
  loopHooks.endOnRanks = end;
}
