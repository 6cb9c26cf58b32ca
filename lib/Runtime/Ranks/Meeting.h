//===- Meeting.h - What all ranks say alike ------------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks number sets, maps and dats in the order of declaration, and know each
// other's by these numbers: so they must declare the same ones, and run the
// same loops on them. Declarations are compared where ranks meet. The loops
// that have run are one hash, which comes with all that is sent for loops.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_MEETING_H
#define OP2_LIB_RUNTIME_RANKS_MEETING_H

#include "Core/Error.h"
#include "Execute/Loop.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace op2::rt {

/// What is the same on all ranks. Items of a kind come together, in this order.
struct Item {
  enum Kind { Sets, Maps, Dats, LayersOfSets, Matrices, Requests, Arguments };
  Kind kind;
  std::string text; ///< with its name, as messages say it
};
using Items = std::vector<Item>;

uint32_t hashOf(Items const &items);

/// As meet() (Exchange.h), and an error, on all ranks, that names the first
/// difference unless their items are the same.
void meetWith(char const *what, Items const &items, Problem problem);
/// The same; asked for items only if hashes differ.
void meetWith(char const *what, uint32_t hash,
              std::function<Items()> const &describe, Problem problem);

/// A dat is declared, or freed, where ranks have their parts of the mesh.
void meetOver(Dat const &dat, char const *where);
/// "dat NAME", once the mesh is distributed also the number that ranks know it
/// by.
std::string nameOf(Set const &set);
std::string nameOf(Map const &map);
std::string nameOf(Dat const &dat);
/// With what ranks must declare alike.
std::string describe(Map const &map);
std::string describe(Dat const &dat);

/// FNV-1a (Fowler, Noll, Vo, 1991), of words.
inline constexpr uint32_t kFirstHash = 2166136261u;
inline uint32_t addToHash(uint32_t hash, uint32_t word) {
  return (hash ^ word) * 16777619u;
}

/// Loops that have run on this rank, the latest ones by name.
struct LoopLog {
  static constexpr uint64_t kMostLatest = 16;
  uint32_t hash = kFirstHash;
  uint64_t count = 0;
  uint64_t headers = 0;              ///< of messages
  LoopName latest[kMostLatest] = {}; ///< by number modulo their count
};
extern LoopLog loopLog;

/// The loop runs now.
inline void noteLoop(LoopName const &loop) {
  loopLog.hash = addToHash(loopLog.hash, loop.hash);
  loopLog.latest[loopLog.count++ % LoopLog::kMostLatest] = loop;
}
/// A hash of all loops that have run.
inline uint32_t loopsSoFar() { return loopLog.hash; }
/// The names of the latest ones.
std::string latestLoops();

/// What the loop in progress runs on; nothing if there is none.
Items itemsOfLoop();

/// Hashes of ranks differ: an error, on all of them, that names the first
/// difference of where they are, of items, or else of the loops that have run.
[[noreturn]] void differ(char const *what, Items const &own, Problem problem);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_MEETING_H
