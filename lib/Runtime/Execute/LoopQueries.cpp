//===- LoopQueries.cpp - What generated code asks in a loop -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between op2rt_loop_begin and op2rt_loop_end: which elements, where the data
// are, and whether they overlap.
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/MapShape.h"
#include "Core/Pending.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Loop.h"
#include "LoopHooks.h"
#include "LoopPart.h"
#include "LoopPlan.h"
#include "Renumber/Renumber.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <link.h>
#include <unordered_map>

using namespace op2::rt;

extern "C" OP2_FAST_PATH op2rt_range op2rt_loop_range(op2rt_loop const *loop) {
  if (loop->copies)
    return {loop->copies->pieces.front().begin,
            loop->copies->pieces.front().end};
  return {0, ownOf(loop->set)};
}

extern "C" op2rt_row_ends op2rt_loop_row_ends(op2rt_loop const *loop,
                                              int32_t arg) {
  if (loop->copies)
    return {nullptr, 0};
  auto &map = static_cast<Map &>(*loop->args[arg].map);
  // Other threads run parts of the loop.
  std::vector<int32_t> const &rows =
      currentPart() ? knownRowEnds(map) : rowEndsOf(map);
  return {rows.data(), int64_t(rows.size())};
}

int64_t op2::rt::bytesOfGlobal(op2rt_arg_desc const &arg) {
  return int64_t(typeSize(arg.type)) * arg.dim;
}

bool op2::rt::overlap(char const *a, int64_t aBytes, char const *b,
                      int64_t bBytes) {
  auto first = reinterpret_cast<uintptr_t>(a);
  auto second = reinterpret_cast<uintptr_t>(b);
  return first < second + uintptr_t(bBytes) &&
         second < first + uintptr_t(aBytes);
}

/// How far the part of the program goes that a variable lies in.
static int64_t bytesToEnd(void const *variable) {
  struct Search {
    uintptr_t place;
    int64_t bytes;
  } search = {reinterpret_cast<uintptr_t>(variable),
              std::numeric_limits<int64_t>::max()};
  dl_iterate_phdr(
      [](dl_phdr_info *file, std::size_t, void *data) {
        auto &wanted = *static_cast<Search *>(data);
        for (int n = 0; n < file->dlpi_phnum; ++n) {
          ElfW(Phdr) const &part = file->dlpi_phdr[n];
          uintptr_t begin = file->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || wanted.place < begin ||
              wanted.place >= begin + part.p_memsz)
            continue;
          wanted.bytes = int64_t(begin + part.p_memsz - wanted.place);
          return 1;
        }
        return 0;
      },
      &search);
  return search.bytes;
}

/// Libraries that the program has closed so far.
static unsigned long long countClosed() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *file, std::size_t size, void *data) {
        if (size >= offsetof(dl_phdr_info, dlpi_subs) + sizeof file->dlpi_subs)
          *static_cast<unsigned long long *>(data) = file->dlpi_subs;
        return 1; // the same of each
      },
      &count);
  return count;
}

/// What only another file knows the size of is no longer than its part of the
/// program, which ends before the heap begins.
int64_t op2::rt::extentOf(op2rt_variable const &variable) {
  if (variable.bytes < OP2RT_UNKNOWN_BYTES)
    return variable.bytes;
  static auto *known = new std::unordered_map<void const *, int64_t>;
  static unsigned long long closed = 0;
  // Another library may lie where one was that is closed.
  if (unsigned long long now = countClosed(); now != closed) {
    known->clear();
    closed = now;
  }
  auto [at, isNew] = known->try_emplace(variable.data, 0);
  if (isNew)
    at->second = bytesToEnd(variable.data);
  return at->second;
}

bool op2::rt::readsByName(op2rt_loop_desc const &desc, Dat const &dat) {
  return std::any_of(desc.variables, desc.variables + desc.nvariables,
                     [&](op2rt_variable const &variable) {
                       return overlap(static_cast<char const *>(variable.data),
                                      extentOf(variable), dat.data, dat.bytes);
                     });
}

/// Does a pointer of the program, which may lie anywhere, lead there? An object
/// ends where the next one may begin, and pointers to its end are pointers into
/// it.
static bool leadsInto(void const *const *place, char const *data,
                      int64_t bytes) {
  uintptr_t pointer;
  std::memcpy(&pointer, place, sizeof pointer);
  auto first = reinterpret_cast<uintptr_t>(data);
  return pointer && first <= pointer && pointer <= first + uintptr_t(bytes);
}

bool op2::rt::followsTo(op2rt_loop_desc const &desc, Dat const &dat) {
  return desc.npointers > 0 &&
         std::any_of(desc.pointers, desc.pointers + desc.npointers,
                     [&](void const *const *pointer) {
                       return leadsInto(pointer, rowData(&dat),
                                        rowBytes(&dat)) ||
                              leadsInto(pointer, dat.data, dat.bytes);
                     });
}

bool op2::rt::mayFollowTo(op2rt_loop_desc const &desc, Dat const &dat) {
  return desc.npointers != 0 &&
         (desc.npointers < 0 || dat.user_managed || followsTo(desc, dat));
}

bool op2::rt::haveOwnStorage(LoopCall const &call) {
  auto const &dats = call.dats;
  for (std::size_t a = 0; a < dats.size(); ++a) {
    if (dats[a].severalLayouts || (dats[a].severalGroups && dats[a].written))
      return false;
    for (std::size_t b = 0; b < a; ++b)
      if ((dats[a].written || dats[b].written ||
           dats[a].asSoA != dats[b].asSoA) &&
          overlap(rowData(dats[a].dat), rowBytes(dats[a].dat),
                  rowData(dats[b].dat), rowBytes(dats[b].dat)))
        return false;
  }
  return true;
}

/// Of what the loop changes.
static bool anyChanged(LoopCall const &call, op2rt_loop_desc const &desc,
                       bool (*reaches)(op2rt_loop_desc const &, Dat const &)) {
  return std::any_of(call.dats.begin(), call.dats.end(),
                     [&](UsedDat const &used) {
                       return used.written && reaches(desc, *used.dat);
                     });
}

bool op2::rt::readsChanges(op2rt_loop_desc const &desc, LoopCall const &call) {
  return anyChanged(call, desc, readsByName) ||
         anyChanged(call, desc, mayFollowTo);
}

bool op2::rt::haveOneArray(LoopCall const &call) {
  for (UsedDat const &a : call.dats)
    for (UsedDat const &b : call.dats)
      if (a.written && &storageOf(*a.dat) != &storageOf(*b.dat) &&
          overlap(rowData(a.dat), rowBytes(a.dat), rowData(b.dat),
                  rowBytes(b.dat)))
        return true;
  return false;
}

static Aliasing findAliasing(op2rt_loop const &loop) {
  if (haveOneArray(*loop.call) ||
      anyChanged(*loop.call, *loop.desc, readsByName))
    return Aliasing::Memory;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    auto const *value = static_cast<char const *>(loop.args[m].data);
    // Of loops that wait there are copies.
    if (!isGlobal(arg) || !loop.args[m].active || !value)
      continue;
    int64_t bytes = bytesOfGlobal(arg);
    for (UsedDat const &used : loop.call->dats)
      if (overlap(value, bytes, rowData(used.dat), rowBytes(used.dat)))
        return Aliasing::Memory;
  }
  return anyChanged(*loop.call, *loop.desc, mayFollowTo) ? Aliasing::Pointers
                                                         : Aliasing::None;
}

Aliasing op2::rt::aliasingOf(op2rt_loop const &loop) {
  if (!loop.aliasing)
    loop.aliasing = findAliasing(loop);
  return *loop.aliasing;
}

extern "C" int32_t op2rt_loop_is_alias_free(op2rt_loop const *loop) {
  return haveOwnStorage(*loop->call) && aliasingOf(*loop) == Aliasing::None;
}

extern "C" OP2_FAST_PATH void *op2rt_dat_data(op_dat_core *dat) {
  if (!dat)
    return nullptr;
  if (!isPending(kInLoop)) {
    flush();
    settleStorage();
  }
  if (isPending(kCopies))
    makeHostCurrent(static_cast<Dat &>(*dat));
  return rowData(dat);
}
extern "C" int64_t op2rt_dat_dim(op_dat_core const *dat) {
  return dat ? dat->dim : 0;
}
extern "C" op_dat_core *op2rt_numbers(op_set_core *set, op_map_core *map) {
  Turn const turn("op_arg_idx");
  // Loops that are pending stay so.
  if (map && !findMap(map))
    requireMap(map, "op_arg_idx");
  if (!map && !findSet(set))
    requireSet(set, "op_arg_idx");
  renumberIfRequested();
  if (isPending(kRanks))
    loopHooks.distribute("the first loop");
  return &numbersOf(static_cast<Set &>(*(map ? map->to : set)));
}

extern "C" OP2_FAST_PATH int64_t op2rt_dat_size(op_dat_core const *dat) {
  return dat ? rowsOf(dat->set) : 0;
}
extern "C" OP2_FAST_PATH int64_t op2rt_map_size(op_map_core const *map) {
  return map ? rowsOf(map->from) : 0;
}
extern "C" OP2_FAST_PATH int64_t op2rt_map_dim(op_map_core const *map) {
  return map ? map->dim : 0;
}
extern "C" OP2_FAST_PATH int32_t *op2rt_map_data(op_map_core *map) {
  return map ? tableOf(map) : nullptr;
}
