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
#include "Error.h"
#include "FastPath.h"
#include "OP2/API/op_rt_support.h"
#include "OP2/Runtime/op2rt.h"
#include "PerRun.h"
#include "Settings.h"

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
char const *op2::rt::targetName(int target) {
  return target >= 0 && target < OP2RT_NUM_TARGETS ? kTargets[target] : "?";
}

void op2::rt::forgetEnvironment() {
  ++currentRun;
  fastPath.targets = 0;
  setPending(kNewSettings);
}

static WordSetting target("OP2_TARGET"), strict("OP2_STRICT"),
    check("OP2_CHECK");

int op2::rt::requestedTarget() { return target.get(); }

bool op2::rt::isStrict() { return strict.get() == 1; }

bool op2::rt::isChecking() {
  setPending(kChecking, check.get() > 0);
  return isPending(kChecking);
}

extern "C" void op2rt_fallback(char const *loop_name, char const *location,
                               char const *how, char const *reason) {
  if (!isStrict() || requestedTarget() == OP2RT_TARGET_SEQ)
    return;
  std::string place = location && *location ? std::string(" (") + location + ")"
                                            : std::string();
  fatal(Problem::Fallback,
        "loop %s%s: %s: %s; OP2_STRICT=1 makes that an error", loop_name,
        place.c_str(), how, reason);
}

extern "C" void op_seq_fallback(char const *name) {
  op2rt_fallback(name ? name : "(no name)", "",
                 "runs sequentially, by the template in op_seq.h",
                 "op2c++ has compiled the file but not this loop");
}
