//===- Trial.h - The fastest of several ways --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_TUNE_TRIAL_H
#define OP2_LIB_RUNTIME_TUNE_TRIAL_H

#include <cstdint>
#include <vector>

namespace op2::rt {

class Trial;

/// One trial at a time: what another loop tries shows in the caches, and two
/// trials in step would each see what the other one does. True if it is, or now
/// becomes, the turn of `trial`. One that has not run while another asked 16
/// times loses its turn.
bool takeTurn(Trial const &trial);
/// Is it the turn of `trial`?
bool hasTurn(Trial const &trial);

/// Finds the fastest of several ways to do something that is done again and
/// again anyway. Way 0 is the default. The ways take turns, `rounds` times, for
/// kInRow executions each; the first of a row does not count, since it finds
/// the caches as another way has left them. The caller brings the times.
class Trial {
public:
  static constexpr int kRounds = 2;
  static constexpr int kInRow = 4;
  /// A way that takes this many times the default's time is dropped after its
  /// first round.
  static constexpr double kHopeless = 2;
  /// What another way's time must be of the default's, at most, to be chosen.
  static constexpr double kGain = 0.9;
  /// A trial of more rounds ends after kRounds if the fastest other way takes
  /// less than this of the default's time, or the default of its time.
  static constexpr double kClear = 0.85;

  /// `gain`: in place of kGain.
  explicit Trial(int numWays, int rounds = kRounds, double gain = kGain)
      : ways(static_cast<std::size_t>(numWays)), rounds(rounds), gain(gain) {}
  Trial(Trial const &) = delete;
  ~Trial() { endTurn(); }

  /// The way to take now; the chosen one if the trial is over.
  int current() const { return now; }
  bool isSettled() const { return settled; }
  int numWays() const { return static_cast<int>(ways.size()); }
  /// Least time of the counted executions of a way; 0 if there are none.
  double leastSeconds(int way) const { return ways[way].least; }

  /// An execution of current() took so long.
  void book(double seconds);
  /// Does not try a way (again); never the default.
  void drop(int way);
  /// Ends the trial with a given way.
  void settle(int way);

private:
  struct Way {
    int rounds = 0;
    double least = 0;
    bool dropped = false;
  };
  bool isWaiting(int way) const {
    return !ways[way].dropped && ways[way].rounds < rounds;
  }
  friend bool takeTurn(Trial const &trial);
  void goOn();
  void endTurn();
  int fastest() const;
  bool isClear() const;

  std::vector<Way> ways;
  int rounds;
  double gain;
  int now = 0;
  int inRow = 0; ///< executions of `now` in this round
  bool settled = false;
  mutable int asked = 0;           ///< for the turn, in vain, ...
  mutable int64_t askedSince = -1; ///< ... since its owner ran
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_TUNE_TRIAL_H
