//===- FusedPair.h - Two pending loops as one -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_FUSEDPAIR_H
#define OP2_LIB_RUNTIME_QUEUE_FUSEDPAIR_H

#include "PendingLoop.h"
#include "Tune/Trial.h"
#include "Tune/TuneFile.h"

namespace op2::rt {

/// Two loops for which there is code as one, with certain handles. Way 0 of the
/// trial is fused, way 1 is apart.
class FusedPair {
public:
  FusedPair(op2rt_fusion const &fusion, std::shared_ptr<LoopCall> const &first,
            std::shared_ptr<LoopCall> const &second);

  bool isOf(std::shared_ptr<LoopCall> const &second) const {
    return !withSecond.owner_before(second) && !second.owner_before(withSecond);
  }

  /// Makes one of two pending loops; false if that is not possible now.
  bool fuse(PendingLoop const &first, PendingLoop const &second,
            PendingLoop &both);

  int64_t savedBytes() const { return fusion.saved_bytes; }
  /// Is it faster apart, by measurement?
  bool isApart() const { return trial.isSettled() && trial.current() == 1; }
  /// Does it run as one now? It may be its turn on trial then: `isOnTrial`.
  bool chooseFused() const;
  bool isOnTrial() const;
  /// It took so long, in the way that chooseFused returned.
  void book(double seconds);

private:
  bool isTuned() const;
  bool merge(PendingLoop const &first, PendingLoop const &second,
             std::vector<void *> &values) const;

  op2rt_fusion const &fusion;
  std::weak_ptr<LoopCall> withSecond;
  std::shared_ptr<LoopCall> fusedCall; ///< once it was possible
  Trial trial{2};
  TuneKey key{"", 1, Tuned::Pair};
};

/// NULL if there is no code for both as one.
std::shared_ptr<FusedPair> findPair(PendingLoop const &first,
                                    PendingLoop const &second);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_FUSEDPAIR_H
