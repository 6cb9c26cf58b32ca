//===- FusedCalls.h - Calls of loops that wait ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_FUSEDCALLS_H
#define OP2_FRONTEND_FUSEDCALLS_H

#include "FusedStub.h"
#include <memory>

namespace op2::frontend {

/// Two calls, and what does as one what both do.
struct FusedCall {
  llvm::CallBase *first, *second;
  Fusion *fusion;
};

/// Which calls are fused, of all that `fusions` name: a call is either a first
/// one or a second one; those that save most are chosen first.
std::vector<FusedCall>
chooseFusedCalls(llvm::ArrayRef<std::shared_ptr<Fusion>> fusions);

/// Lets each first call wait for a second one. On every path, what might notice
/// comes after it: before each instruction that is not harmless, and before
/// other loops, a loop that still waits runs by itself.
void rewriteFusedCalls(std::vector<FusedCall> calls, const FileLoops &loops);

} // namespace op2::frontend

#endif // OP2_FRONTEND_FUSEDCALLS_H
