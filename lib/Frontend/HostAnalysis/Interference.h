//===- Interference.h - What loops that wait do not notice ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is to be fused with a later one waits from its own call to the
// other one's; results of a loop on a device are waited for some time after its
// call; loops of a chain run together some time after theirs. Whatever might
// notice must come after that.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_INTERFERENCE_H
#define OP2_FRONTEND_INTERFERENCE_H

#include "LocalVariables.h"
#include <string>

namespace op2::frontend {

/// Decides which instructions neither see what a loop does nor change what it
/// uses, wherever they stand between its call and its execution.
class IndependenceTest {
public:
  /// `call` is the call of `loop`, or of a function in `fusedStubs`, which runs
  /// it and another one.
  IndependenceTest(const llvm::CallBase &call, const LoopDescription &loop,
                   const FileLoops &loops,
                   const std::set<const llvm::Function *> &fusedStubs = {});

  /// The same for a loop that works on copies of its globals' values: the
  /// variables are used at the call only, unless the loop changes them. `call`
  /// calls the stub of `site`.
  static IndependenceTest
  withCopies(const llvm::CallBase &call, const CallSite &site,
             const FileLoops &loops,
             const std::set<const llvm::Function *> &fusedStubs);

  bool operator()(const llvm::Instruction &inst) const;

  /// Whether a call looks at nothing that matters for the copies that it makes
  /// of its arguments.
  bool copiesArguments(const llvm::CallBase &call) const;

  const LocalVariables &getVariables() const { return variables; }

private:
  bool isIndependentCall(const llvm::CallBase &call) const;
  bool isIndependentBody(const llvm::Function &function) const;
  bool isIndependentLoad(const llvm::LoadInst &load) const;

  LocalVariables variables;
  const ChangedTypes &changedTypes;
  /// Functions of the program that were looked into.
  mutable std::map<const llvm::Function *, bool> bodies;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_INTERFERENCE_H
