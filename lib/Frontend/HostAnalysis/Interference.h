//===- Interference.h - Interference with pending loops ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pending loop runs some time after its call; results of a loop on a device
// are waited for some time after its call. Whatever might notice must come
// after that.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_INTERFERENCE_H
#define OP2_FRONTEND_INTERFERENCE_H

#include "LocalVariables.h"
#include <string>

namespace op2::frontend {

/// The type, in TBAA's words, of handles in Fortran's records: no loop changes
/// them.
inline constexpr char kHandleType[] = "op2 handle";

/// Decides which instructions neither see what a loop does nor change what it
/// uses, wherever they stand between its call and its execution. The loop works
/// on copies of its globals' values: the variables are used at the call only,
/// unless the loop changes them.
class IndependenceTest {
public:
  /// `call` calls the stub of `site`.
  IndependenceTest(const llvm::CallBase &call, const CallSite &site,
                   const FileLoops &loops);

  /// For any loop that may be pending where a file calls another one, behind
  /// `call` or, if that is null, from the beginning of a function.
  IndependenceTest(const llvm::CallBase *call, const FileLoops &loops);

  bool operator()(const llvm::Instruction &inst) const;

  /// Whether a call looks at nothing that matters for the copies that it makes
  /// of its arguments.
  bool copiesArguments(const llvm::CallBase &call) const;

  const LocalVariables &getVariables() const { return variables; }

private:
  bool isIndependentCall(const llvm::CallBase &call) const;
  bool isIndependentService(const llvm::CallBase &call) const;
  bool isIndependentBody(const llvm::Function &function) const;
  bool isIndependentLoad(const llvm::LoadInst &load) const;

  const llvm::CallBase *start; ///< the loop is pending behind it
  LocalVariables variables;
  const ChangedTypes &changedTypes;
  /// Functions of the program that were looked into.
  mutable std::map<const llvm::Function *, bool> bodies;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_INTERFERENCE_H
