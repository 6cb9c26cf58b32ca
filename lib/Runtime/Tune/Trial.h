//===- Trial.h - The fastest of several ways --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_TUNE_TRIAL_H
#define OP2_LIB_RUNTIME_TUNE_TRIAL_H

#include <vector>

namespace op2::rt {

/// Finds the fastest of several ways to do something that is done again and
/// again anyway. Way 0 is the default. The first execution does not count; then
/// the ways take turns. The caller brings the times.
class Trial {
public:
  /// Counted executions of each way.
  static constexpr int kRuns = 4;
  /// A way that takes this many times the default's time is dropped after
  /// kRuns / 2 executions.
  static constexpr double kHopeless = 2;
  /// What another way's time must be of the default's, at most, to be chosen.
  static constexpr double kGain = 0.95;

  explicit Trial(int numWays) : ways(static_cast<std::size_t>(numWays)) {}

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
  /// Ends the trial with a way that is known to be good.
  void settle(int way);

private:
  struct Way {
    int runs = 0;
    double least = 0;
    bool dropped = false;
  };
  bool isWaiting(int way) const {
    return !ways[way].dropped && ways[way].runs < kRuns;
  }
  void goOn();
  int fastest() const;

  std::vector<Way> ways;
  int now = 0;
  bool isWarm = false, settled = false;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_TUNE_TRIAL_H
