//===- Pending.h - Loops that have not run yet ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_PENDING_H
#define OP2_LIB_RUNTIME_CORE_PENDING_H

#include "OP2/Runtime/op2rt.h"

namespace op2::rt {

/// Runs the loops that wait, if there are any. To be called before anything
/// that may look at data or handles, or change them.
inline void flush() {
  if (op2rt_pending != 0)
    op2rt_flush();
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_PENDING_H
