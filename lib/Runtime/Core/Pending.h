//===- Pending.h - Loops that have not run yet ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_PENDING_H
#define OP2_LIB_RUNTIME_CORE_PENDING_H

#include "FastPath.h"
#include "Hooks.h"

namespace op2::rt {

/// Runs pending loops, if there are any. To be called before anything that may
/// look at data or handles, or change them. Results of loops on devices may
/// still be on their way: they go to globals only.
inline void flush() {
  if (isPending(kWaiting))
    hooks.runPending();
}

/// The same, and brings these results, too. `site`: who asks, for messages; may
/// be null.
void flushWithResults(void const *site = nullptr);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_PENDING_H
