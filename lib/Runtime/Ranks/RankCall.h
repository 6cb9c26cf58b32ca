//===- RankCall.h - What loops on ranks need ------------------- -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKCALL_H
#define OP2_LIB_RUNTIME_RANKS_RANKCALL_H

#include "Exchange.h"
#include "Execute/Loop.h"
#include "Meeting.h"
#include "Plan/Plan.h"

namespace op2::rt {

/// Rows that are given back: from where the dat is current to where it is
/// current then.
struct SavedRows {
  Dat *dat = nullptr;
  std::vector<int32_t> rows;
  Bytes values;
  std::shared_ptr<void> onDevice;
  bool areOnDevice = false; ///< those of the last time

  void save();
  void restore();
};

/// What the folder Ranks keeps with a call.
struct RankCall {
  LoopName name = {};              ///< nameOnRanks
  std::vector<Need> read;          ///< imported rows
  std::vector<Dat *> direct;       ///< whose copies it reads, if copies run
  std::vector<Dat *> changed;      ///< each once
  std::vector<int32_t> reductions; ///< arguments
  std::vector<int32_t> infos;      ///< that come along with them
  /// Those that run; NULL: it changes nothing through maps.
  Copies const *copies = nullptr;
  /// Not empty: copies run one by one, and these, the dats of the loop's own
  /// set, have their rows there. See runOneByOne.
  std::vector<Dat *> own;
  std::vector<Map *> around; ///< maps of the set to itself
  /// Before 2: all rows that copies change. After it: those that are not
  /// shared.
  std::vector<SavedRows> before, after;
  std::unique_ptr<op2rt_plan> plan; ///< for copies
  std::vector<Exchange> exchanges;
  /// It may be pending for a loop chain: see RankChain.h. Changes only when it,
  /// or such a chain, has run, so that it is the same on all ranks.
  bool mayWait = false;
  bool hasRun = false;
  // Of one execution.
  std::vector<Bytes> incoming; ///< globals, by number in `reductions`
};

/// Of argument m; NULL if it is none, or not active.
Dat *datOf(op2rt_loop_desc const &desc, op2rt_arg const *args, int m);
inline Dat *datOf(op2rt_loop const &loop, int m) {
  return datOf(*loop.desc, loop.args, m);
}
inline Dat *datOf(LoopCall const &call, int m) {
  return datOf(*call.desc, call.args.data(), m);
}

/// Adds what an exchange has sent.
void bookMessages(RankFigures &figures, Exchange const &exchange);

/// The same on all ranks: which set, maps and dats it has, by their numbers,
/// and what it does with them.
LoopName nameOnRanks(LoopCall const &call);
/// It runs now.
inline void noteOnRanks(LoopCall const &call) {
  if (call.parts.empty())
    noteLoop(call.ranks->name);
  for (LoopName const &part : call.parts)
    noteLoop(part);
}
/// In words.
Items describeHandles(LoopCall const &call);

/// When a call is first seen. Called by all ranks.
std::shared_ptr<RankCall> describeOnRanks(op2rt_loop const &loop);

/// The plan for copies: by owners, as own elements run, if there are enough of
/// them.
std::unique_ptr<op2rt_plan> planOfCopies(op2rt_loop const &loop,
                                         RankCall const &call);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKCALL_H
