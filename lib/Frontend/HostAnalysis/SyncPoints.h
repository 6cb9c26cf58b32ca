//===- SyncPoints.h - Synchronization points of the program -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_SYNCPOINTS_H
#define OP2_FRONTEND_SYNCPOINTS_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace op2::frontend {

/// Where code is to be inserted: before an instruction or, if the block is not
/// null, on the way from that instruction to the block.
using SyncPoint = std::pair<llvm::Instruction *, llvm::BasicBlock *>;

/// Finds where to stand on the paths to instructions that might look at what a
/// loop does. All places are to be found before code is inserted at any.
class SyncPoints {
public:
  explicit SyncPoints(llvm::ArrayRef<CallSite> sites);
  ~SyncPoints();

  /// On all paths to `stop` from `start`, behind which a loop is pending, or
  /// from the beginning of a function if that is null. Not again and again
  /// where the host computes: before the control flow's loops around the stop
  /// that run no loops of OP2.
  std::vector<SyncPoint> find(const llvm::Instruction *start,
                              llvm::Instruction &stop);

  /// Records that loops also run, or are pending, in a function that is called.
  void addCaller(const llvm::Function &function) { callers.insert(&function); }

private:
  struct FlowLoops;

  bool runsLoops(const llvm::Instruction &inst) const;

  std::set<const llvm::Function *> loopFunctions, callers;
  std::map<const llvm::Function *, std::unique_ptr<FlowLoops>> flows;
};

/// Inserts a test of whether anything is pending; returns the instruction
/// before which code is executed if it is. `isShared`: threads may run the test
/// that have nothing to do with loops.
llvm::Instruction *insertTest(const SyncPoint &place, bool isShared);

} // namespace op2::frontend

#endif // OP2_FRONTEND_SYNCPOINTS_H
