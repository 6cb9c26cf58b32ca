//===- CheckConflicts.cpp - Two elements that meet in one -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMode.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"

#include <algorithm>
#include <cstring>

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
      if (isOnDat(loop, m, dat))
        args.push_back(m);
  }

  /// Before the loop: two elements of which one overwrites.
  void checkWrites() {
    auto writes = [&](int m) { return overwrites(loop.desc->args[m]); };
    if (!isIndirect() || std::none_of(args.begin(), args.end(), writes))
      return;
    writers.assign(static_cast<std::size_t>(reachOf(dat.set)), kNobody);
    for (bool isSecond : {false, true})
      for (int m : args) {
        if (reads(m) || writes(m) == isSecond)
          continue;
        bool isFine = visit(m, [&](int32_t e, int32_t target) {
          int32_t first = writers[target];
          if (!isSecond)
            writers[target] = e;
          return first == kNobody || first == e ||
                 reportWrites(m, first, e, target);
        });
        if (!isFine)
          return;
      }
  }

  /// After the loop: an element that reads what another one has changed.
  /// `before`: the dat's bytes before the loop.
  void checkReads(char const *before) {
    auto isRead = [&](int m) { return reads(m); };
    if (!isIndirect() || std::none_of(args.begin(), args.end(), isRead) ||
        std::all_of(args.begin(), args.end(), isRead))
      return;
    writers.assign(static_cast<std::size_t>(reachOf(dat.set)), kNobody);
    for (int m : args)
      if (!reads(m))
        visit(m, [&](int32_t e, int32_t target) {
          int32_t &writer = writers[target];
          writer = writer == kNobody || writer == e ? e : kSeveral;
          return true;
        });
    for (int m : args)
      if (reads(m) && !visit(m, [&](int32_t e, int32_t target) {
            int32_t writer = writers[target];
            return writer == kNobody || writer == e ||
                   !isChanged(target, before) || reportRead(m, e, target);
          }))
        return;
  }

private:
  static constexpr int32_t kNobody = -1, kSeveral = -2;

  bool reads(int m) const { return loop.desc->args[m].access == OP2RT_READ; }
  bool isIndirect() const {
    return std::any_of(args.begin(), args.end(),
                       [&](int m) { return loop.args[m].map != nullptr; });
  }
  bool isChanged(int64_t target, char const *before) const {
    return std::memcmp(before + target * dat.size,
                       rowData(&dat) + target * dat.size,
                       static_cast<std::size_t>(dat.size)) != 0;
  }

  /// see(element, target) for all that the argument reaches, until it returns
  /// false; whether it never did.
  template <class See> bool visit(int m, See see) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    op_map map = loop.args[m].map;
    for (int32_t e = 0; e < ownOf(loop.set); ++e)
      for (int slot = 0; slot < arg.count; ++slot)
        if (!see(e, map ? tableOf(map)[int64_t(e) * map->dim + arg.slot + slot]
                        : e))
          return false;
    return true;
  }

  bool reportWrites(int m, int32_t first, int32_t second, int32_t target) {
    int a = userNumber(loop.set, first), b = userNumber(loop.set, second);
    reportBroken(
        loop, m,
        "%s on dat %s: elements %lld and %lld of set %s both reach element "
        "%lld of set %s, and one of them overwrites it: which value stays "
        "differs between targets; add with OP_INC, use OP_MIN or OP_MAX, or a "
        "map that leads to each element once (if all write the same value, "
        "other components, or only add to it: OP2_CHECK=warn)",
        accessName(loop.desc->args[m].access), dat.name, shown(std::min(a, b)),
        shown(std::max(a, b)), loop.set->name,
        shown(userNumber(dat.set, target)), dat.set->name);
    return false;
  }

  bool reportRead(int m, int32_t element, int32_t target) {
    reportBroken(
        loop, m,
        "OP_READ on dat %s: element %lld of set %s reads element %lld of set "
        "%s, which another element changes in the same loop: whether it sees "
        "the old or the new value differs between targets; read a copy of the "
        "dat",
        dat.name, shown(userNumber(loop.set, element)), loop.set->name,
        shown(userNumber(dat.set, target)), dat.set->name);
    return false;
  }

  op2rt_loop const &loop;
  Dat const &dat;
  std::vector<int> args;
  std::vector<int32_t> writers; ///< elements of the loop
};
} // namespace

void op2::rt::checkConflicts(op2rt_loop const &loop) {
  if (isOverLayers(loop))
    return;
  for (UsedDat const &used : loop.call->dats)
    if (used.written)
      ConflictSearch(loop, *used.dat).checkWrites();
}

void op2::rt::checkReadsOfChanges(op2rt_loop const &loop, Dat const &dat,
                                  char const *before) {
  if (!isOverLayers(loop))
    ConflictSearch(loop, dat).checkReads(before);
}
