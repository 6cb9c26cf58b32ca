//===- Loop.h - Loops in progress and what is remembered of them *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call site has one LoopState for the whole program. It remembers the
// combinations of handles it was called with (a multigrid code runs one call
// site on many sets), so that a later call only compares them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_LOOP_H
#define OP2_LIB_RUNTIME_LOOP_H

#include "OP2/Runtime/op2rt.h"
#include "Registry.h"
#include "Tune/LoopTuning.h"

#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

/// The handles of one argument, by address and serial number.
struct ArgKey {
  void const *dat = nullptr;
  void const *map = nullptr;
  uint64_t datSerial = 0, mapSerial = 0;
  int32_t active = 0;
};

struct PlanUse {
  int64_t blockSize;
  uint32_t what;
  op2rt_plan const *plan;
};

/// What a loop on a device works on in one execution.
enum class Asked { Nothing, HostMemory, CopyAoS, CopySoA };

/// A dat of a call, each once.
struct UsedDat {
  Dat *dat;
  bool written;
  bool severalGroups; ///< reached by arguments of different groups
  Asked asked = Asked::Nothing;
};

/// A checked combination of handles.
struct LoopCall {
  Set *set = nullptr;
  uint64_t setSerial = 0;
  std::vector<ArgKey> keys;
  std::vector<UsedDat> dats;
  std::vector<PlanUse> plans;
  std::unique_ptr<LoopTuning> tuning; ///< once it has a plan on OpenMP
  double bytes = 0;                   ///< useful traffic of one execution
};

/// The copy of a global on the loop's device, and what it holds.
struct DeviceGlobal {
  void *data = nullptr;
  std::vector<char> value;
};

struct LoopState {
  std::string name, location, strategy;
  int target = 0;
  std::vector<std::shared_ptr<LoopCall>> calls; ///< the latest first
  std::vector<DeviceGlobal> globals;            ///< by argument
  int64_t count = 0;
  int64_t countAlone = 0;   ///< of them, on one thread although there are more
  int64_t countChained = 0; ///< of them, in the steps of a chain
  double seconds = 0, planSeconds = 0, bytes = 0;
  int kernel = -1; ///< in OP_kernels
};

/// Does a loop for it ask for each dat that it uses (op2rt_device_dat)?
inline bool isDeviceTarget(int target) {
  return target == OP2RT_TARGET_CUDA || target == OP2RT_TARGET_EMULATOR;
}

/// Every call site that has run, in the order of first use.
std::vector<LoopState *> const &allLoopStates();
/// Forgets handles and counts, at op_exit.
void forgetLoopCalls();
/// Forgets handles: every call is checked again.
void forgetHandles();
/// NULL outside of a loop.
op2rt_loop *currentLoop();
/// NULL outside of a loop.
char const *currentLoopName();

/// Brings the loop's entry of OP_kernels up to date.
void bookKernel(LoopState &state);
/// Empties OP_kernels, at op_exit.
void forgetKernels();

/// op2rt_loop_desc.strategy of loops that the header's template runs.
inline constexpr char kHeaderStrategy[] = "op_seq.h, not compiled";

/// Ends the program with an error if an argument breaks a rule of the API.
void checkLoop(op2rt_loop_desc const &desc, op_set_core *set,
               op2rt_arg const *args);
/// An error about argument number `arg` (from 0), naming the loop.
[[noreturn]] void argError(op2rt_loop_desc const &desc, int arg,
                           char const *format, ...)
    __attribute__((format(printf, 3, 4)));

/// "loop NAME (FILE:LINE), argument N".
std::string argPlace(op2rt_loop_desc const &desc, int arg);

/// Do two pieces of storage share a byte?
bool overlap(char const *a, int64_t aBytes, char const *b, int64_t bBytes);

/// Bytes that one execution must move between memory and cores: each value
/// once per loop, twice if it is read and written, plus the maps.
double usefulBytes(op2rt_loop_desc const &desc, op_set_core const *set,
                   op2rt_arg const *args);

} // namespace op2::rt

/// The loop in progress.
struct op2rt_loop {
  op2rt_loop_desc *desc;
  op_set_core *set;
  op2rt_arg const *args;
  op2::rt::LoopState *state;
  op2::rt::LoopCall *call;
  double start;
  double planSeconds; ///< of the state, at the start
  bool inThreads;     ///< decided with the plan
};

#endif // OP2_LIB_RUNTIME_LOOP_H
