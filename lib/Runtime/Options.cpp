//===- Options.cpp - Settings of a run --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program arguments and environment variables.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Check/CheckMode.h"
#include "Device/DeviceCuda.h"
#include "Fallback.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"
#include "Renumber/Renumber.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

namespace {
struct NumberOption {
  char const *prefix;
  int *variable;
  long least, most;
};
} // namespace

static constexpr NumberOption kNumbers[] = {
    {"OP_PART_SIZE=", &OP_part_size, 0, INT_MAX},
    {"OP_BLOCK_SIZE=", &OP_block_size, 1, 1024},
    {"OP_CACHE_LINE_SIZE=", &OP_cache_line_size, 1, INT_MAX},
    {"OP_MAPS_BASE_INDEX=", &OP_maps_base_index, 0, 1},
    {"OP_TEST_FREQ=", &OP_mpi_test_frequency, 1, INT_MAX},
    {"OP_CUDA_REDUCTIONS_MIB=", &OP_cuda_reductions_mib, 1, INT_MAX},
};

namespace {
struct FlagOption {
  char const *word;
  int *variable;
  int value;
};
} // namespace

static constexpr FlagOption kFlags[] = {
    {"OP_NO_REALLOC", &OP_realloc, 0},
    {"OP_AUTO_SOA", &OP_auto_soa, 1},
    {"OP_PARTIAL_EXCHANGE", &OP_partial_exchange, 1},
    {"-gpudirect", &OP_gpu_direct, 1},
};

static int parseNumber(char const *text, NumberOption const &option) {
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  // strtol alone would take "", "12abc" and "  3".
  bool isNumber = (text[0] >= '0' && text[0] <= '9') && *end == '\0';
  if (!isNumber || errno != 0 || value < option.least || value > option.most)
    op2rt_fatal("%s%s: expected a whole number in %ld..%ld", option.prefix,
                text, option.least, option.most);
  return static_cast<int>(value);
}

static constexpr char const *kBalance = "OP_HYBRID_BALANCE=";

static double parseBalance(char const *text) {
  char *end = nullptr;
  double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0))
    op2rt_fatal("%s%s: expected a number above 0", kBalance, text);
  return value;
}

static void readArgument(char const *argument) {
  // OP2 accepts its options anywhere inside an argument.
  for (NumberOption const &option : kNumbers)
    if (char const *at = std::strstr(argument, option.prefix)) {
      *option.variable = parseNumber(at + std::strlen(option.prefix), option);
      if (OP_diags > 0)
        op_printf("op2: %s%d\n", option.prefix, *option.variable);
    }
  for (FlagOption const &option : kFlags)
    if (std::strstr(argument, option.word)) {
      *option.variable = option.value;
      if (OP_diags > 0)
        op_printf("op2: %s\n", option.word);
    }
  if (char const *at = std::strstr(argument, kRenumberArgument)) {
    setRenumbering(at + std::strlen(kRenumberArgument));
    if (OP_diags > 0)
      op_printf("op2: %s\n", at);
  }
  if (char const *at = std::strstr(argument, kTuneArgument)) {
    setTuning(at + std::strlen(kTuneArgument));
    if (OP_diags > 0)
      op_printf("op2: %s\n", at);
  }
  if (char const *at = std::strstr(argument, kBalance)) {
    OP_hybrid_balance = parseBalance(at + std::strlen(kBalance));
    if (OP_diags > 0)
      op_printf("op2: %s%g\n", kBalance, OP_hybrid_balance);
  }
}

void op2::rt::readArguments(int argc, char **argv) {
  for (int n = 1; n < argc && argv && argv[n]; ++n)
    readArgument(argv[n]);
  if (std::getenv("OP_AUTO_SOA"))
    OP_auto_soa = 1;
  if (char const *text = std::getenv("OP_HYBRID_BALANCE"))
    OP_hybrid_balance = parseBalance(text);
}

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

static constexpr char const *kTargets[OP2RT_NUM_TARGETS] = {"seq", "openmp",
                                                            "cuda", "emulator"};
static constexpr int kUnread = -2, kUnset = -1;
static int askedTarget = kUnread;
static int askedCheck = kUnread;
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
  askedTarget = askedCheck = owning = chaining = kUnread;
  chainStep = kUnread;
  saidTargets = 0;
  watch.targets = 0;
}

static int readTarget() {
  char const *text = std::getenv("OP2_TARGET");
  if (!text || !*text)
    return kUnset;
  for (int t = 0; t < OP2RT_NUM_TARGETS; ++t)
    if (std::strcmp(text, kTargets[t]) == 0)
      return t;
  op2rt_fatal("OP2_TARGET=%s: expected one of seq, openmp, cuda, emulator",
              text);
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
  if (askedTarget == kUnread)
    askedTarget = readTarget();
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
  if (asked != kUnread)
    return static_cast<Extent>(asked);
  char const *value = std::getenv(variable);
  std::string text = value && *value ? value : "auto";
  if (text != "auto" && text != "always" && text != "never")
    op2rt_fatal("%s=%s: expected one of auto, always, never", variable,
                text.c_str());
  Extent found = text == "auto"     ? Extent::Auto
                 : text == "always" ? Extent::Always
                                    : Extent::Never;
  asked = static_cast<int>(found);
  return found;
}

Owning op2::rt::askedOwning() { return readExtent("OP2_OWNER", owning); }

Chaining op2::rt::askedChaining() { return readExtent("OP2_CHAIN", chaining); }

int64_t op2::rt::askedChainStep() {
  if (chainStep == kUnread) {
    char const *text = std::getenv("OP2_CHAIN_STEP");
    NumberOption const option = {"OP2_CHAIN_STEP=", nullptr, 1, INT_MAX};
    chainStep = text && *text ? parseNumber(text, option) : 0;
  }
  return chainStep;
}

bool op2::rt::shouldCheckPlans() {
  if (askedCheck == kUnread) {
    char const *text = std::getenv("OP2_CHECK_PLAN");
    askedCheck = text && *text && std::strcmp(text, "0") != 0;
  }
  return askedCheck > 0 || OP_diags > 3;
}
