//===- Options.h - Settings of a run ----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_OPTIONS_H
#define OP2_LIB_RUNTIME_CORE_OPTIONS_H

#include "OP2/Runtime/op2rt.h"

#include <cstdint>

namespace op2::rt {

/// Gives the OP_* variables their values before any option.
void resetSettings(int diags, int soa);
/// A run begins: what was read from the environment is read again on demand.
void forgetEnvironment();
/// OP2_STRICT=1: a loop that runs otherwise than it was compiled for is an
/// error.
bool isStrict();
/// OP2_CHECK is 1 or warn.
bool isChecking();
/// OP2_TARGET as one of OP2RT_TARGET_*; -1 if it is not set.
int requestedTarget();
/// The value of a variable, in the order of its words (Settings.cpp).
enum class Extent { Auto, Always, Never };
inline Extent asExtent(int word) {
  return word < 0 ? Extent::Auto : static_cast<Extent>(word);
}
/// The targets where a loop requests each dat that it uses (op2rt_device_dat).
inline constexpr uint32_t kDeviceTargets =
    1u << OP2RT_TARGET_CUDA | 1u << OP2RT_TARGET_EMULATOR;
inline bool isDeviceTarget(int target) {
  return (kDeviceTargets >> target & 1u) != 0;
}
/// The words of OP2_TARGET, by OP2RT_TARGET_*.
char const *targetName(int target);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_OPTIONS_H
