//===- Profile.h - A tree of timed regions ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PROFILE_H
#define OP2_LIB_RUNTIME_PROFILE_H

namespace op2::rt {

/// The profiler runs and OP_PROFILE_LEVEL asks for loops.
bool isProfilingLoops();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PROFILE_H
