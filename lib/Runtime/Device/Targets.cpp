//===- Targets.cpp - Choice of the target of a loop -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Memory.h"
#include "Core/Options.h"
#include "Core/PerRun.h"
#include "Core/Threads.h"
#include "DeviceCuda.h"
#include "Fallback.h"
#include "OP2/API/op_lib_core.h"

using namespace op2::rt;

/// Targets that were reported, as bits.
static PerRun<uint32_t> said;

static std::string targetList(uint32_t mask) {
  std::string list;
  for (int t = 0; t < OP2RT_NUM_TARGETS; ++t)
    if (mask & (1u << t))
      list += (list.empty() ? "" : ", ") + std::string(targetName(t));
  return list.empty() ? "no target" : list;
}

// Once per target of a run; why() is the reason. Whether there is a GPU decides
// how long the program takes: that is printed by all but quiet programs.
template <class Why> static void sayTarget(int target, bool isUsual, Why why) {
  if (*said & (1u << target))
    return;
  if (OP_diags > (isUsual ? 1 : 0))
    op_printf("op2: loops run on %s: %s\n", targetName(target),
              std::string(why()).c_str());
  *said |= 1u << target;
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
        fatal(Problem::Fallback,
              "loop %s: runs on %s instead of cuda: %s; OP2_STRICT=1 "
              "makes that an error",
              loop, targetName(target), why().c_str());
      sayTarget(target, /*isUsual=*/!hasCuda, why);
      return target;
    }
  if (hasCuda)
    fatal(Problem::Cuda, "loop %s: was compiled for %s, and %s", loop,
          targetList(mask).c_str(), why().c_str());
  sayTarget(__builtin_ctz(mask), /*isUsual=*/true, why);
  return __builtin_ctz(mask);
}

/// The target of OP2_TARGET, if the loop has it.
static int obeyTarget(int asked, uint32_t mask, char const *loop) {
  if (asked < 0 || !(mask & (1u << asked)))
    fatal(Problem::Target,
          "loop %s: OP2_TARGET=%s, but the loop was compiled for %s", loop,
          targetName(asked), targetList(mask).c_str());
  bool isCuda = asked == OP2RT_TARGET_CUDA;
  if (isCuda && !cudaProblem().empty())
    fatal(Problem::Cuda, "loop %s: OP2_TARGET=cuda, but %s", loop,
          cudaProblem().c_str());
  sayTarget(asked, /*isUsual=*/true, [&] {
    return "OP2_TARGET asks for it" +
           (isCuda ? "; " + cudaDevice().name() : std::string());
  });
  return asked;
}

OP2_SLOW_PATH
static int32_t findTarget(uint32_t mask, char const *loop_name) try {
  Turn const turn(loop_name);
  int asked = requestedTarget();
  int target = asked < 0 && mask != 0 ? chooseTarget(mask, loop_name)
                                      : obeyTarget(asked, mask, loop_name);
  if (!isDeviceTarget(target)) {
    fastPath.targets = mask;
    fastPath.selected = target;
  }
  if (!isDeviceTarget(target) || mayUseDevice(loop_name))
    return target;
  return selectHostTarget(mask, loop_name, kKeptOff);
} catch (std::bad_alloc const &) {
  endWithoutMemory("the choice of a target");
}

int32_t op2::rt::selectHostTarget(uint32_t mask, char const *loop,
                                  std::string const &why) {
  uint32_t host = mask & ~kDeviceTargets;
  refuseDevice(host, loop, why);
  return chooseTarget(host, loop);
}

extern "C" OP2_FAST_PATH int32_t op2rt_select_target(uint32_t mask,
                                                     char const *loop_name) {
  return mask != 0 && mask == fastPath.targets ? fastPath.selected
                                               : findTarget(mask, loop_name);
}
