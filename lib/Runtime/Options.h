//===- Options.h - Settings of a run ----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_OPTIONS_H
#define OP2_LIB_RUNTIME_OPTIONS_H

#include "OP2/Runtime/op2rt.h"

#include <cstdint>

namespace op2::rt {

/// Elements per block where neither the loop nor OP_PART_SIZE says otherwise:
/// large blocks for large sets, at least 128 blocks where that leaves 256
/// elements in each, multiples of 256. It depends on the size of the set only,
/// never on the machine, because results depend on it. Airfoil at 720,000 cells
/// gains 5 to 8 % from 8192 instead of 1024 (benchmarks/README.md).
int64_t defaultBlockSize(int64_t setSize);
/// The same where elements change rows far apart: few blocks have no row in
/// common then, and those of one colour must be enough for many threads. On a
/// mesh numbered at random a loop over edges needs about as many colours as a
/// block has elements; so sqrt(size / 128) elements leave 128 blocks of each.
/// Multiples of 16, from 32 to the size above.
int64_t scatteredBlockSize(int64_t setSize);

/// Gives the OP_* variables their values before any option.
void resetSettings(int diags, int soa);
/// Forgets what was read from the environment; it is read again on demand.
void forgetEnvironment();
/// OP2_CHECK_PLAN=1, or OP_diags > 3.
bool shouldCheckPlans();
/// OP2_STRICT=1: a loop that runs otherwise than it was compiled for is an
/// error.
bool isStrict();
/// OP2_TARGET=seq.
bool isSequentialAsked();
/// What a variable asks for, in the order of its words (Settings.cpp).
enum class Extent { Auto, Always, Never };
/// OP2_OWNER=auto|always|never: which loops that could be divided by ownership
/// are. Auto: those whose maps make it cheap.
using Owning = Extent;
Owning askedOwning();
/// OP2_CHAIN=auto|always|never: which chains of loops go through the mesh in
/// one sweep. Auto: those where that is faster.
using Chaining = Extent;
Chaining askedChaining();
/// OP2_CHAIN_STEP=N: elements of the first large loop of a chain in each step;
/// 0 if it is not set.
int64_t askedChainStep();
/// The targets where a loop asks for each dat that it uses (op2rt_device_dat).
inline constexpr uint32_t kDeviceTargets =
    1u << OP2RT_TARGET_CUDA | 1u << OP2RT_TARGET_EMULATOR;
inline bool isDeviceTarget(int target) {
  return (kDeviceTargets >> target & 1u) != 0;
}
/// The words of OP2_TARGET, by OP2RT_TARGET_*.
char const *targetName(int target);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_OPTIONS_H
