//===- ChainSite.h - A loop that the runtime may let wait -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CHAINSITE_H
#define OP2_FRONTEND_CHAINSITE_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Why a loop cannot wait for others, as far as its arguments say; empty if it
/// can.
std::string findArgumentObstacle(const LoopDescription &loop);

/// Makes the stub of `site` offer the loop to the runtime before it runs it on
/// openmp, with what the runtime needs to run it later. `kernels` are those of
/// the loop, or of both loops if it is two.
void offerToChain(const CallSite &site,
                  llvm::ArrayRef<const llvm::Function *> kernels);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CHAINSITE_H
