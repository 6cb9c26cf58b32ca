//===- RaceCheck.cpp - Accesses that nothing orders -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceCheck.h"
#include "OP2/Runtime/op2emu.h"

using namespace op2::rt;

static bool isUnordered(RaceCheck::Access const &a,
                        RaceCheck::Access const &b) {
  if (!a.exists() || a.isSameThread(b))
    return false;
  return a.block != b.block || a.epoch == b.epoch;
}

RaceCheck::Access const *
RaceCheck::History::findUnordered(Access const &access) const {
  for (Access const *earlier : {&last, &before, &elsewhere})
    if (isUnordered(*earlier, access))
      return earlier;
  return nullptr;
}

void RaceCheck::History::add(Access const &access) {
  if (last.exists() && last.block != access.block) {
    elsewhere = last;
    before = {};
  } else if (!last.isSameThread(access)) {
    before = last;
  }
  last = access;
}

void RaceCheck::beginBlock(int64_t number) {
  block = number;
  epoch = 0;
}

/// Launches are in order, and shared memory is each block's own: pages of
/// earlier ones begin anew.
RaceCheck::Byte &RaceCheck::find(Pages &pages, bool isShared,
                                 uintptr_t address) {
  std::unique_ptr<Page> &page = pages[address / kPageBytes];
  if (!page || page->launch != launch || (isShared && page->block != block)) {
    page = std::make_unique<Page>();
    page->launch = launch;
    page->block = block;
  }
  return page->bytes[address % kPageBytes];
}

std::optional<RaceCheck::Race> RaceCheck::note(int32_t thread,
                                               char const *address,
                                               bool isShared, int64_t bytes,
                                               int32_t kind) {
  Access access = {block, epoch, int16_t(thread), int8_t(kind)};
  for (char const *at = address; at < address + bytes; ++at) {
    Byte &byte = find(isShared ? shared : global, isShared,
                      reinterpret_cast<uintptr_t>(at));
    for (int32_t other : {OP2EMU_LOAD, OP2EMU_ATOMIC, OP2EMU_STORE}) {
      bool areAlike = other == kind && kind != OP2EMU_STORE;
      Access const *earlier =
          areAlike ? nullptr : byte[other].findUnordered(access);
      if (!earlier)
        continue;
      Race race = {*earlier, access, at, *at};
      if (other != kind)
        return race;
      if (earlier->block == block)
        stores.push_back(race);
      else
        contested.try_emplace(at, race);
    }
    byte[kind].add(access);
  }
  return std::nullopt;
}

std::optional<RaceCheck::Race> RaceCheck::findDifferentStore() {
  std::optional<Race> found;
  for (Race const &race : stores)
    if (*race.at != race.value)
      found = race;
  stores.clear();
  return found;
}

std::optional<RaceCheck::Race> RaceCheck::findDifferentBlock() {
  std::optional<Race> found;
  for (auto const &[at, race] : contested)
    if (*at != race.value && (!found || at < found->at))
      found = race;
  contested.clear();
  return found;
}
