//===- RankChain.h - Loop chains on ranks ------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops one after the other with one exchange before them. Who runs them (the
// room Queue) asks for the elements that run in the mesh, and has the others
// run in the zone (Zone.h), whose sets, maps and dats have handles of their
// own: each loop's function gets these in place of the program's.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKCHAIN_H
#define OP2_LIB_RUNTIME_RANKS_RANKCHAIN_H

#include "RankCall.h"
#include "Zone.h"

namespace op2::rt {

/// May the loop be pending on ranks for a chain, as all of them agreed when it
/// had run? Each of its executions is one that ranks agree on (agreeOnPending).
inline bool mayWaitOnRanks(LoopCall const &call) {
  return call.ranks && call.ranks->mayWait;
}

/// May a loop that has run be part of a chain, as this rank sees it? A vote.
bool mayChain(LoopCall &call);

/// While one lives, loops run that ranks have agreed on.
class AgreedLoops {
public:
  AgreedLoops();
  ~AgreedLoops();
  AgreedLoops(AgreedLoops const &) = delete;
  AgreedLoops &operator=(AgreedLoops const &) = delete;
  static bool areRunning();
};

/// The greatest value of all ranks; what for: a loop's name.
double greatestOfRanks(double value, char const *loop);
/// How many of the ranks say yes.
int32_t votesOfRanks(bool isYes, char const *loop);

class RankChain {
public:
  /// Called by all ranks; each of the calls has run before, and may wait.
  explicit RankChain(std::vector<std::shared_ptr<LoopCall>> const &calls);
  ~RankChain();
  RankChain(RankChain const &) = delete;
  RankChain &operator=(RankChain const &) = delete;

  /// Have all dats rows of their own, now?
  bool isPossible() const;

  Zone::Loop const &of(std::size_t loop) const { return zone.loops[loop]; }
  /// The values of desc.run for the zone.
  std::vector<void *> valuesInZone(std::size_t loop,
                                   std::vector<void *> values) const;
  /// The loop with the zone's set, maps and dats. `args`: becomes what it has.
  op2rt_loop loopInZone(std::size_t loop, std::vector<op2rt_arg> &args) const;

  /// Before its loops. What they read of other ranks in the mesh is there then;
  /// what the zone needs is on its way. values[loop]: of desc.run.
  void begin(std::vector<std::vector<void *> const *> const &values);
  /// Lets it come on. While loops run in the mesh, by the thread that began.
  void poll();
  /// They have run in the mesh: waits for what the zone needs.
  void beginZone();
  /// Loop number `loop` has reduced what is this rank's.
  void combine(std::size_t loop, std::vector<void *> const &values) const;
  /// All have run, in the mesh and in the zone.
  void end();

private:
  struct Twins;

  op_set twinOf(op_set set) const;
  op_map twinOf(op_map map) const;
  op_dat twinOf(Dat const *dat) const;
  ZoneInput describe();
  void makeTwins();
  void findNeeds();

  std::vector<std::shared_ptr<LoopCall>> calls;
  std::vector<Set *> sets;
  std::vector<Dat *> dats;
  std::vector<Map *> maps;
  std::vector<bool> isChanged; ///< by dat
  Zone zone;
  std::unique_ptr<Twins> twins;
  std::vector<RowsApart> apart; ///< by dat
  std::vector<Need> needs;
  std::vector<Exchange> exchanges;
  // Of one execution.
  Exchange *onItsWay = nullptr;
  std::vector<std::vector<Bytes>> incoming; ///< by loop: a call may be twice
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKCHAIN_H
