//===- CheckConflicts.cpp - Two elements that write one ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMode.h"
#include "Renumber/UserOrder.h"
#include "Types.h"

#include <algorithm>

using namespace op2::rt;

static bool overwrites(op2rt_arg_desc const &arg) {
  return arg.access == OP2RT_WRITE || arg.access == OP2RT_RW;
}

namespace {
/// The arguments of a loop on one dat.
class ConflictSearch {
public:
  ConflictSearch(op2rt_loop const &loop, Dat const &dat)
      : loop(loop), dat(dat) {
    for (int m = 0; m < loop.desc->nargs; ++m)
      if (isOnDat(m))
        args.push_back(m);
  }

  void run() {
    auto indirect = [&](int m) { return loop.args[m].map != nullptr; };
    auto writes = [&](int m) { return overwrites(loop.desc->args[m]); };
    if (std::none_of(args.begin(), args.end(), indirect) ||
        std::none_of(args.begin(), args.end(), writes))
      return;
    writers.assign(static_cast<std::size_t>(dat.set->size), -1);
    for (int m : args)
      if (writes(m) && !visit(m, /*mark=*/true))
        return;
    for (int m : args)
      if (!writes(m) && loop.desc->args[m].access != OP2RT_READ &&
          !visit(m, /*mark=*/false))
        return;
  }

private:
  bool isOnDat(int m) const {
    if (loop.desc->args[m].kind != OP2RT_ARG_DAT || !loop.args[m].active)
      return false;
    auto *other = static_cast<Dat *>(static_cast<op_dat>(loop.args[m].data));
    return &storageOf(*other) == &dat;
  }

  /// Visits all that the argument reaches; false after a conflict.
  bool visit(int m, bool mark) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    op_map map = loop.args[m].map;
    for (int32_t e = 0; e < loop.set->size; ++e)
      for (int slot = 0; slot < arg.count; ++slot) {
        int32_t target =
            map ? map->map[int64_t(e) * map->dim + arg.slot + slot] : e;
        if (writers[target] >= 0 && writers[target] != e) {
          report(m, writers[target], e, target);
          return false;
        }
        if (mark)
          writers[target] = e;
      }
    return true;
  }

  void report(int m, int32_t first, int32_t second, int32_t target) {
    int a = userNumber(loop.set, first), b = userNumber(loop.set, second);
    reportBroken(
        loop, m,
        "%s on dat %s: elements %d and %d of set %s both reach element %d of "
        "set %s, and one of them overwrites it: which value stays differs "
        "between targets; add with OP_INC, use OP_MIN or OP_MAX, or a map that "
        "leads to each element once (if all write the same value: "
        "OP2_CHECK=warn)",
        accessName(loop.desc->args[m].access), dat.name, std::min(a, b),
        std::max(a, b), loop.set->name, userNumber(dat.set, target),
        dat.set->name);
  }

  op2rt_loop const &loop;
  Dat const &dat;
  std::vector<int> args;
  std::vector<int32_t> writers; ///< the element of the loop, or -1
};
} // namespace

void op2::rt::checkConflicts(op2rt_loop const &loop) {
  for (UsedDat const &used : loop.call->dats)
    if (used.written)
      ConflictSearch(loop, *used.dat).run();
}
