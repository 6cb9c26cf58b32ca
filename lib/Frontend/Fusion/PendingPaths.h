//===- PendingPaths.h - What may happen while a loop waits ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is to be fused with a later one waits from its own call to the
// other one's; results of a loop on a device are waited for some time after its
// call. Whatever might notice must come after that.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_PENDINGPATHS_H
#define OP2_FRONTEND_PENDINGPATHS_H

#include "CallSite.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include <set>
#include <string>

namespace op2::frontend {

/// Decides which instructions neither see what a loop does nor change what it
/// uses, wherever they stand between its call and its execution.
class Harmless {
public:
  /// `call` is the call of `loop`, or of a function in `fusedStubs`, which runs
  /// it and another one.
  Harmless(const llvm::CallBase &call, const LoopDescription &loop,
           const FileLoops &loops,
           const std::set<const llvm::Function *> &fusedStubs = {});

  bool operator()(const llvm::Instruction &inst) const;

private:
  bool isHarmlessCall(const llvm::CallBase &call) const;
  bool isHarmlessLoad(const llvm::LoadInst &load) const;
  bool isPrivate(const llvm::Value *pointer) const;
  bool staysPrivate(const llvm::Value *pointer) const;
  bool isPrivateUse(const llvm::CallBase &call, unsigned operand) const;
  bool isForOthers(const llvm::Value *pointer,
                   llvm::SmallPtrSetImpl<const llvm::Value *> &seen) const;
  bool takesArgument(const llvm::CallBase &call, unsigned operand) const;
  bool makesArgument(const llvm::CallBase &call) const;

  const llvm::CallBase &loopCall;
  const FileLoops &loops;
  std::set<const llvm::Function *> fusedStubs;
  /// The C++ types of what the loop changes, as TBAA names them.
  std::set<std::string> changedTypes;
  /// For each local variable whether the loop cannot reach it.
  mutable llvm::DenseMap<const llvm::AllocaInst *, bool> known;
};

/// Whether the paths through a function are what they seem: not where it may be
/// left and entered again unseen.
bool pathsAreKnown(const llvm::Function &function);

/// The paths that start behind `start`, the call of a loop: for each path the
/// first instruction that is not harmless.
std::vector<llvm::Instruction *>
findStops(llvm::CallBase &start,
          llvm::function_ref<bool(const llvm::Instruction &)> isHarmless);

/// The calls of functions in `callees` that come next on some path from
/// `inst`, whatever is between.
std::vector<llvm::CallBase *>
findNextCalls(llvm::Instruction &inst,
              const std::set<const llvm::Function *> &callees);

/// What an instruction that is not harmless does, for people: "'printf' is
/// called (app.cpp:12)".
std::string describeStop(const llvm::Instruction &inst);

} // namespace op2::frontend

#endif // OP2_FRONTEND_PENDINGPATHS_H
