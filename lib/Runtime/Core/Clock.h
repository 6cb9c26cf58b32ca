//===- Clock.h - Wall-clock time --------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_CLOCK_H
#define OP2_LIB_RUNTIME_CORE_CLOCK_H

#include "FastPath.h"

#include <ctime>

namespace op2::rt {

/// Seconds since some moment; never goes back.
inline double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + fastPath.nanosecond * double(time.tv_nsec);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_CLOCK_H
