//===- Exchange.h - What ranks send each other in loops ------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imported rows of dats, and the same bytes of each rank. All that is sent
// begins with its number and the loop it is for.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_EXCHANGE_H
#define OP2_LIB_RUNTIME_RANKS_EXCHANGE_H

#include "Core/Registry.h"
#include "Pack.h"
#include "RankMesh.h"

namespace op2::rt {

/// Before what a rank sends: ranks that run different loops must not take each
/// other's values.
struct Header {
  uint64_t number; ///< of messages before
  char loop[56];
};
Header nextHeader(char const *loop);

/// Imported rows of a dat: a list of its set, by number.
struct Need {
  Dat *dat;
  int32_t list;

  bool operator==(Need const &other) const {
    return dat == other.dat && list == other.list;
  }
};

/// What some imported rows go through, kept for the next time.
struct Exchange {
  struct Segment {
    Dat *dat;
    std::vector<int32_t> const *rows;
  };
  struct Side {
    int32_t rank;
    std::vector<Segment> segments;
    Bytes buffer;
  };
  std::vector<Need> needs;
  std::vector<Side> sends, receives;
  std::vector<Peer> sendPeers, receivePeers; ///< their buffers
};

inline RankSet const &partOf(op_set_core const *set) {
  return *static_cast<Set const *>(set)->part;
}

/// Brings imported rows, unless they are fresh, and says so (Dat). What they
/// went through; NULL if all are fresh.
Exchange const *bringImports(std::vector<Need> const &needs,
                             std::vector<Exchange> &exchanges,
                             char const *loop);

/// All ranks are here, or there is an error that says who is where. Before what
/// all ranks do together but not in every execution of a loop.
void meet(char const *loop);

/// The same bytes of each rank.
struct Gathered {
  Bytes all;
  std::size_t stride, begin;
  char *of(int32_t rank) {
    return all.data() + std::size_t(rank) * stride + begin;
  }
};
/// An error if ranks do not run the same loop.
Gathered gather(Bytes const &values, char const *loop);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_EXCHANGE_H
