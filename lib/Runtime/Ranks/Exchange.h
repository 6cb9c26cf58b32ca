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
#include "Meeting.h"
#include "Pack.h"
#include "RankMesh.h"

namespace op2::rt {

/// Before what a rank sends: ranks that run different loops must not take each
/// other's values.
struct Header {
  uint64_t number; ///< of messages before
  char loop[44];
  /// This loop and those that wait behind it, the least and the greatest number
  /// that is known of a rank, and what they are; 0: it runs.
  int32_t pending, most;
  uint32_t hash;
  /// Of the loops that have run, with their handles, and of what else ranks
  /// have alike (Meeting.h): the least and the greatest that is known of a
  /// rank.
  uint32_t least, greatest;
};
Header nextHeader(char const *loop);
/// An error unless two ranks are at the same message.
void requireSameName(Header const &own, int32_t ownRank, Header const &other,
                     int32_t rank);

/// Rows of a dat that another one gets, from several ranks.
struct RowsApart {
  Dat *to;
  HaloList list;                   ///< receives: rows of `to`
  std::vector<int32_t> own, ownTo; ///< rows that come from this rank
  uint64_t changes = ~uint64_t(0); ///< Dat::changes that they have
};

/// Imported rows of a dat: a list of its set, by number; or its rows for
/// another one.
struct Need {
  Dat *dat;
  int32_t list;
  RowsApart *apart = nullptr;

  bool operator==(Need const &other) const {
    return dat == other.dat && list == other.list && apart == other.apart;
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
  // Of one execution.
  Header header = {};
  std::unique_ptr<Transfer> transfer;
};

inline RankSet const &partOf(op_set_core const *set) {
  return *static_cast<Set const *>(set)->part;
}

/// Begins to bring imported rows, unless they are fresh. What they go through;
/// NULL if all are fresh.
Exchange *beginImports(std::vector<Need> const &needs,
                       std::vector<Exchange> &exchanges, char const *loop);
/// They are there, and Dat says so.
void endImports(Exchange &exchange);
/// Both.
Exchange const *bringImports(std::vector<Need> const &needs,
                             std::vector<Exchange> &exchanges,
                             char const *loop);

/// How many of the first pending loops all ranks have: at least one. A rank
/// that has more waits for no other one. An error if these loops differ.
int32_t agreeOnPending(std::vector<LoopName> const &loops);

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
