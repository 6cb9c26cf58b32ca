//===- Zone.h - What a loop chain needs at the border -------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops one after the other, without a message in between. Rows of a rank are
// wrong from the border inwards: imported rows of dats that the chain changes,
// which are on their way while it runs; own rows that elements of other ranks
// change as well; then what is computed from these. An own element that would
// read such a row is not run in the mesh.
//
// The zone of a rank is a small mesh of its own: the rows that are wrong at the
// end, and the elements, own and foreign, by which they are computed again from
// the values before the chain. Each loop runs for some elements of the zone, in
// the order of the whole mesh if it matters.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_ZONE_H
#define OP2_LIB_RUNTIME_RANKS_ZONE_H

#include "Plan/Plan.h"
#include "RankMesh.h"

namespace op2::rt {

/// What a loop does to a dat: directly, or through slots of a map. A dat that
/// it changes through maps it uses in no other way, and only by INC or only by
/// WRITE; one that it changes directly it uses directly only. What is written
/// keeps what it was where a kernel leaves it out.
struct ZoneAccess {
  int32_t dat;
  int32_t map; ///< in ZoneInput::maps; kDirect
  int32_t slot, count;
  int32_t access; ///< OP2RT_READ ...

  static constexpr int32_t kDirect = -1;
};

struct ZoneLoop {
  int32_t set;
  bool reduces; ///< a global; changes nothing through maps then
  std::vector<ZoneAccess> accesses;
};

/// The rank's part of a map.
struct ZoneMap {
  int32_t from, to, dim;
  int32_t const *table; ///< rows of own and executed elements
};

/// A chain on the rank's part of the mesh.
struct ZoneInput {
  std::vector<RankSet const *> sets;
  std::vector<ZoneMap> maps;
  std::vector<int32_t> dats; ///< the set of each
  std::vector<ZoneLoop> loops;
};

struct Zone {
  struct Loop {
    /// Own elements that run in the mesh, ascending.
    std::vector<ElementRange> clean;
    /// Rows of the zone that run there, ascending: own elements whose
    /// reductions count, and those that count elsewhere. All are of the latter
    /// kind where the loop does not reduce.
    std::vector<int32_t> counted, again;
  };
  struct Values {
    /// Before the chain: from own rows to rows of the zone, ...
    std::vector<int32_t> own, ownTo;
    /// ... and from own rows of other ranks (receives: rows of the zone).
    HaloList foreign;
    /// After it: from rows of the zone to own rows.
    std::vector<int32_t> wrong, wrongFrom;
  };
  /// Of each set's rows; ascending where its loops change rows through maps.
  std::vector<std::vector<int32_t>> canonical;
  /// [rows of from][dim] of each map. Those of rows that no loop runs are 0.
  std::vector<std::vector<int32_t>> tables;
  std::vector<Values> dats;
  std::vector<Loop> loops;
};

/// Called by all ranks, with the same loops. Time and memory: one pass over the
/// rank's part for each loop, and what grows with the zone.
Zone buildZone(Communicator &ranks, ZoneInput const &input);

/// What is wrong with it, empty if it is right: runs the chain with hashes for
/// values, loop by loop with all messages and by the zone, and compares what
/// elements read, own rows, and who counts. Uses none of the code above. All
/// ranks call it.
std::string checkZone(Communicator &ranks, ZoneInput const &input,
                      Zone const &zone);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_ZONE_H
