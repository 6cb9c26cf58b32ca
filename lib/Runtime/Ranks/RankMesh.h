//===- RankMesh.h - What a rank has of the mesh ------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a set on a rank, and what it imports and exports.
//
//     own │ imported, to execute │ imported, to read │ copies
//     0   size                   exec                reach    rows
//
// Own rows and copies ascend in canonical numbers, the application's; imported
// ones by their owners, then likewise. To execute: elements that reach an own
// row through some map. To read: what else own elements and these reach.
//
// Copies repeat elements, own and imported, of which loops need the effect on
// own rows that elements of other ranks reach as well (shared rows): all that
// reach one, or are one. There are some for loops that change rows through one
// map, for each map, and those for loops that do so through several. See
// RankLoop.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKMESH_H
#define OP2_LIB_RUNTIME_RANKS_RANKMESH_H

#include "Communicator.h"

#include <deque>
#include <map>
#include <memory>

namespace op2::rt {

/// Rows that go to a rank, or come from it.
struct PeerRows {
  int32_t rank;
  std::vector<int32_t> rows;
};

/// For loops that change rows through some maps.
struct Copies {
  uint64_t map = kAllMaps;   ///< its PartMap::key
  int32_t begin = 0;         ///< the first one's row
  std::vector<int32_t> rows; ///< from there on
  std::vector<int32_t> of;   ///< the row that each repeats
  /// Memory on a device for the way from there.
  mutable std::shared_ptr<void> onTheWay;
  /// Own rows that imported elements of this set reach through these maps,
  /// ascending; of sets that have some, by their keys in the mesh.
  std::map<uint64_t, std::vector<int32_t>> shared;

  static constexpr uint64_t kAllMaps = 0;
  int32_t end() const { return begin + static_cast<int32_t>(of.size()); }
  bool isFor(uint64_t key) const { return map == kAllMaps || map == key; }
};

/// Imported rows that come together. Both sides have the same elements in the
/// same order.
struct HaloList {
  std::vector<PeerRows> sends, receives;
  /// Bit n: on all ranks the rows of list n of the set are among these.
  uint64_t contains = ~uint64_t(0);
  bool isFree = false; ///< the next one that is added takes its place
};

struct RankSet {
  int32_t size = 0, exec = 0, reach = 0, rows = 0; ///< ends
  std::vector<int32_t> canonical;                  ///< [rows]
  int64_t limit = 0; ///< canonical numbers of all ranks are less
  /// Of each map from the set; of all of them behind, if there are several.
  std::vector<Copies> copies;
  /// The first one: all imported rows.
  std::deque<HaloList> lists = std::deque<HaloList>(1);
  /// What loops reach, from their set's serial number on (RankCall.cpp), and
  /// the list for it.
  std::map<std::vector<uint64_t>, int32_t> listsByReach;
  /// Own rows by the application's numbers, once they are asked for.
  std::vector<int32_t> userOrder;
};

/// A map between sets of a mesh, by their numbers.
struct PartMap {
  int32_t from, to, dim;
  /// Canonical numbers, of the rows of own elements.
  std::vector<int32_t> targets;
  uint64_t key; ///< not 0, and no other map's
};

/// What ranks own, before they know of each other.
struct PartMesh {
  std::vector<std::vector<int32_t>> owned; ///< of each set, ascending
  std::vector<int64_t> sizes;              ///< canonical numbers are less
  std::vector<uint64_t> keys;              ///< of the sets
  std::vector<PartMap> maps;
  /// Of each set the numbers of elements of other ranks and their owners,
  /// ascending, if those are known of all that the maps reach here and on
  /// elements of others that are here; on all ranks, or on none.
  std::vector<std::vector<std::pair<int32_t, int32_t>>> imports;
};

struct RankMesh {
  std::vector<RankSet> sets;
  /// [rows of from][dim] of each map: rows of the target set. Those of
  /// elements that are only read are 0.
  std::vector<std::vector<int32_t>> tables;
};

/// Finds imports, exports and copies. Time and memory grow with what a rank has
/// and with the ranks it meets.
RankMesh buildRankMesh(Communicator &ranks, PartMesh const &mesh);

/// The number of the list of rows that are wanted ([reach]; own ones do not
/// count), which is made if there is none: what all ranks want. 0 if there are
/// too many.
int32_t addList(Communicator &ranks, RankSet &set,
                std::vector<bool> const &wanted);

/// Forgets what loops over a set reach in this one. Bit n of what it returns:
/// list n is free now.
uint64_t forgetReach(RankSet &set, uint64_t serialOfLoopSet);

/// What is wrong with a list, which must have what is wanted, or be that of all
/// imported rows; empty if it is right. All ranks call it.
std::string checkList(Communicator &ranks, RankSet const &set, int32_t list,
                      std::vector<bool> const &wanted);

/// What is wrong with it; empty if it is right. Uses none of the code above.
std::vector<std::string>
checkRankMesh(Communicator &ranks, PartMesh const &mesh, RankMesh const &found);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKMESH_H
