//===- LoopCalls.h - Calls of loops, and what comes behind them -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPCALLS_H
#define OP2_FRONTEND_LOOPCALLS_H

#include "CallSite.h"
#include "FollowedCalls.h"
#include "OtherFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace op2::frontend {

/// Instructions that overwrite results, and where, with the number of bytes.
using Drops =
    llvm::MapVector<std::pair<llvm::Instruction *, llvm::Value *>, int64_t>;

/// How far a loop may be pending, on all paths behind its call.
struct PendingReach {
  llvm::SetVector<llvm::Instruction *> stops; ///< what might notice
  llvm::SetVector<llvm::Function *> left; ///< behind whose ends it is pending
  llvm::SetVector<llvm::CallBase *> crossed; ///< calls of other files
  bool mayCross = false; ///< it may be pending in other files
  Drops drops;
};

/// What the call of another loop is for one that is pending.
enum class Meeting { Passes, Ends, Stops };

/// Is called for calls of loops; `results` are what the results of the pending
/// loop lie in, as LocalVariables finds them.
using MeetFunction = llvm::function_ref<Meeting(
    llvm::CallBase &next, llvm::ArrayRef<const llvm::Value *> results)>;

struct LoopTraits {
  bool followsPointers; ///< it reads what the program knows the address of
  bool mayCross;        ///< unless its types or results forbid it
};

/// The calls of a module's loops whose successors are known.
class LoopCalls {
public:
  LoopCalls(llvm::ArrayRef<CallSite> sites, const FileLoops &loops);

  /// With paths through functions of other files.
  LoopCalls(llvm::Module &module, llvm::ArrayRef<CallSite> sites,
            const FileLoops &loops);

  std::vector<llvm::CallBase *> getCalls(const CallSite &site) const;
  bool callsLoop(const llvm::Instruction &inst) const;
  const FollowedCalls &getFollowed() const { return followed; }
  const OtherFiles &getOtherFiles() const { return otherFiles; }

  /// Follows the paths behind `call`, which calls the loop of `site`.
  PendingReach follow(llvm::CallBase &call, const CallSite &site,
                      LoopTraits traits, MeetFunction meet) const;

  /// Follows the paths of what other files leave pending behind `call`.
  PendingReach followOthers(llvm::CallBase &call, MeetFunction meet) const;

  /// The same of what is pending where others enter a function.
  PendingReach followOthers(llvm::Function &entry, MeetFunction meet) const;

  /// The calls of loops that may come next behind an instruction, whatever is
  /// between.
  llvm::SetVector<llvm::CallBase *> findNext(llvm::Instruction &inst) const;

private:
  class Step;

  llvm::SetVector<llvm::Function *> findCallers() const;

  llvm::ArrayRef<CallSite> sites;
  const FileLoops &loops;
  std::set<const llvm::Function *> stubs;
  OtherFiles otherFiles;
  FollowedCalls followed;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPCALLS_H
