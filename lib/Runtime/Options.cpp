//===- Options.cpp - Settings of a run --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the settings (Settings.h) mean for the choice of targets, blocks and
// ways to run.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Check/CheckMode.h"
#include "Device/DeviceCuda.h"
#include "Fallback.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2rt.h"
#include "Renumber/Renumber.h"
#include "Settings.h"
#include "Threads.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace op2::rt;

extern "C" {
int OP_diags = 0;
int OP_part_size = 0;
int OP_block_size = 64;
int OP_cache_line_size = 128;
int OP_auto_soa = 0;
int OP_maps_base_index = 0;
int OP_realloc = 1;
int OP_is_partitioned = 0;
int OP_gpu_direct = 0;
int OP_hybrid_gpu = 0;
int OP_mpi_test_frequency = 1 << 30;
int OP_partial_exchange = 0;
int OP_disable_mpi_reductions = 0;
int OP_cuda_reductions_mib = 5;
double OP_hybrid_balance = 1.0;
}

void op2::rt::resetSettings(int diags, int soa) {
  OP_diags = diags;
  OP_part_size = 0;
  OP_block_size = 64;
  OP_cache_line_size = 128;
  OP_maps_base_index = 0;
  OP_realloc = 1;
  OP_is_partitioned = 0;
  OP_auto_soa = soa;
  OP_gpu_direct = OP_hybrid_gpu = 0;
  OP_mpi_test_frequency = 1 << 30;
  OP_partial_exchange = OP_disable_mpi_reductions = 0;
  OP_cuda_reductions_mib = 5;
  OP_hybrid_balance = 1.0;
}

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

static constexpr char const *kTargets[OP2RT_NUM_TARGETS] = {"seq", "openmp",
                                                            "cuda", "emulator"};
static constexpr int kUnread = -2, kUnset = -1;
static int askedTarget = kUnread;
static int askedCheck = kUnread, strict = kUnread;
static int owning = kUnread, chaining = kUnread;
static int64_t chainStep = kUnread;
static uint32_t saidTargets = 0;

int64_t op2::rt::defaultBlockSize(int64_t setSize) {
  constexpr int64_t kBlocks = 128, kStep = 256, kLargest = 8192;
  int64_t size = (setSize / kBlocks + kStep - 1) / kStep * kStep;
  return std::min(std::max(size, kStep), kLargest);
}

int64_t op2::rt::scatteredBlockSize(int64_t setSize) {
  constexpr double kBlocksOfColor = 128;
  constexpr int64_t kStep = 16, kLeast = 32;
  auto size = static_cast<int64_t>(std::sqrt(setSize / kBlocksOfColor));
  return std::min(std::max(size / kStep * kStep, kLeast),
                  defaultBlockSize(setSize));
}

char const *op2::rt::targetName(int target) {
  return target >= 0 && target < OP2RT_NUM_TARGETS ? kTargets[target] : "?";
}

void op2::rt::forgetEnvironment() {
  forgetFallback();
  resetRenumbering();
  resetTuning();
  forgetCheckMode();
  askedTarget = askedCheck = strict = owning = chaining = kUnread;
  chainStep = kUnread;
  saidTargets = 0;
  watch.targets = 0;
}

static std::string targetList(uint32_t mask) {
  std::string list;
  for (int t = 0; t < OP2RT_NUM_TARGETS; ++t)
    if (mask & (1u << t))
      list += (list.empty() ? "" : ", ") + std::string(kTargets[t]);
  return list.empty() ? "no target" : list;
}

// Once per target of a run; why() is the reason. Whether there is a GPU decides
// how long the program takes: that is said to all but quiet programs.
template <class Why> static void sayTarget(int target, bool isUsual, Why why) {
  if (saidTargets & (1u << target))
    return;
  if (OP_diags > (isUsual ? 1 : 0))
    op_printf("op2: loops run on %s: %s\n", targetName(target),
              std::string(why()).c_str());
  saidTargets |= 1u << target;
}

static int chooseTarget(uint32_t mask, char const *loop) {
  bool hasCuda = (mask & (1u << OP2RT_TARGET_CUDA)) != 0;
  if (hasCuda && cudaProblem().empty()) {
    sayTarget(OP2RT_TARGET_CUDA, /*isUsual=*/false,
              [] { return cudaDevice().name() + " answers"; });
    return OP2RT_TARGET_CUDA;
  }
  auto why = [&] {
    return hasCuda ? cudaProblem() : "compiled for " + targetList(mask);
  };
  for (int target : {OP2RT_TARGET_OPENMP, OP2RT_TARGET_SEQ})
    if (mask & (1u << target)) {
      if (hasCuda && isStrict())
        op2rt_fatal("loop %s: runs on %s instead of cuda: %s; OP2_STRICT=1 "
                    "makes that an error",
                    loop, targetName(target), why().c_str());
      sayTarget(target, /*isUsual=*/!hasCuda, why);
      return target;
    }
  if (hasCuda)
    op2rt_fatal("loop %s: was compiled for %s, and %s", loop,
                targetList(mask).c_str(), why().c_str());
  sayTarget(__builtin_ctz(mask), /*isUsual=*/true, why);
  return __builtin_ctz(mask);
}

/// What OP2_TARGET asks for, if the loop has it.
static int obeyTarget(uint32_t mask, char const *loop) {
  if (askedTarget < 0 || !(mask & (1u << askedTarget)))
    op2rt_fatal("loop %s: OP2_TARGET=%s, but the loop was compiled for %s",
                loop, targetName(askedTarget), targetList(mask).c_str());
  if (askedTarget == OP2RT_TARGET_CUDA && !cudaProblem().empty())
    op2rt_fatal("loop %s: OP2_TARGET=cuda, but %s", loop,
                cudaProblem().c_str());
  sayTarget(askedTarget, /*isUsual=*/true, [] {
    return "OP2_TARGET asks for it" + (askedTarget == OP2RT_TARGET_CUDA
                                           ? "; " + cudaDevice().name()
                                           : std::string());
  });
  return askedTarget;
}

OP2_RARELY
static int32_t findTarget(uint32_t mask, char const *loop_name) {
  Turn const turn(loop_name);
  if (askedTarget == kUnread)
    askedTarget = askedWord("OP2_TARGET");
  int target = askedTarget == kUnset && mask != 0
                   ? chooseTarget(mask, loop_name)
                   : obeyTarget(mask, loop_name);
  if (!isDeviceTarget(target)) {
    watch.targets = mask;
    watch.selected = target;
  }
  if (!isDeviceTarget(target) || mayUseDevice(loop_name))
    return target;
  uint32_t host = mask & ~kDeviceTargets;
  refuseDevice(host, loop_name);
  return chooseTarget(host, loop_name);
}

extern "C" OP2_OFTEN int32_t op2rt_select_target(uint32_t mask,
                                                 char const *loop_name) {
  return mask != 0 && mask == watch.targets ? watch.selected
                                            : findTarget(mask, loop_name);
}

/// What `variable` says, read once into `asked`.
static Extent readExtent(char const *variable, int &asked) {
  if (asked == kUnread)
    asked = std::max(askedWord(variable), static_cast<int>(Extent::Auto));
  return static_cast<Extent>(asked);
}

Owning op2::rt::askedOwning() { return readExtent("OP2_OWNER", owning); }

Chaining op2::rt::askedChaining() { return readExtent("OP2_CHAIN", chaining); }

int64_t op2::rt::askedChainStep() {
  if (chainStep == kUnread)
    chainStep = static_cast<int64_t>(askedNumber("OP2_CHAIN_STEP", 0));
  return chainStep;
}

bool op2::rt::isStrict() {
  if (strict == kUnread)
    strict = askedWord("OP2_STRICT") == 1;
  return strict > 0;
}

bool op2::rt::isSequentialAsked() {
  if (askedTarget == kUnread)
    askedTarget = askedWord("OP2_TARGET");
  return askedTarget == OP2RT_TARGET_SEQ;
}

extern "C" void op2rt_fallback(char const *loop_name, char const *location,
                               char const *how, char const *reason) {
  if (!isStrict() || isSequentialAsked())
    return;
  std::string place = location && *location ? std::string(" (") + location + ")"
                                            : std::string();
  op2rt_fatal("loop %s%s: %s: %s; OP2_STRICT=1 makes that an error", loop_name,
              place.c_str(), how, reason);
}

extern "C" void op_seq_fallback(char const *name) {
  op2rt_fallback(name ? name : "(no name)", "",
                 "runs sequentially, by the template in op_seq.h",
                 "op2c++ has compiled the file but not this loop");
}

bool op2::rt::shouldCheckPlans() {
  if (askedCheck == kUnread)
    askedCheck = askedWord("OP2_CHECK_PLAN") == 1;
  return askedCheck > 0 || OP_diags > 3;
}
