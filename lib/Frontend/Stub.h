//===- Stub.h - Functions that replace calls of op_par_loop -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_STUB_H
#define OP2_FRONTEND_STUB_H

#include "CallSite.h"

namespace op2::frontend {

/// A loop, and its other forms; null: there is none.
struct LoopForms {
  const CallSite &site;
  const CallSite *split; ///< for OpenMP, in which it is split
  const CallSite *apart; ///< for handles that only look alike
};

/// Defines the stub of a loop: takes the handles out of the op_args and calls
/// the function for the target that the runtime selects. Where the loop is not
/// compiled for that, OpenMP's or the sequential one, or the template that the
/// user's call named.
void defineStub(const LoopForms &forms, const std::vector<Target> &targets,
                const OpArgLayout &layout);

/// Defines the stub of a loop that is not compiled: calls the template that
/// the user's call named.
void defineFallbackStub(const CallSite &site,
                        const std::vector<Target> &targets);

} // namespace op2::frontend

#endif // OP2_FRONTEND_STUB_H
