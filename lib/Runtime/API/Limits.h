//===- Limits.h - Bottlenecks of loops --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_API_LIMITS_H
#define OP2_LIB_RUNTIME_API_LIMITS_H

#include "Execute/Loop.h"

#include <cstdint>
#include <string>

namespace op2::rt {

/// What the machine does at best, with all threads.
struct MachineRate {
  double bytesPerSecond; ///< of reading or copying memory, the better one
  double startSeconds;   ///< to start and join the threads
};

/// Measures it: takes about a tenth of a second and 128 MiB.
MachineRate measureMachine();

/// Floating-point operations (of doubles) a second that all threads together do
/// at best: multiply-adds on registers, by the widest vectors there are. Takes
/// some hundredths of a second.
double measureArithmetic();

/// All executions of a loop on OpenMP.
struct LoopFigures {
  int64_t count;
  double busySeconds, planSeconds; ///< apart from each other
  double bytes;                    ///< useful ones
  double distance;                 ///< as LoopCall::distance
};

/// LoopCall::distance of the call that moves most: where one call site goes
/// over several meshes, as in multigrid programs, the small ones do not count.
double distanceOf(LoopState const &loop);

/// The one thing that holds the loop back; the first that applies:
/// - plans take more time than the loop;
/// - an execution takes less than ten times the start of threads;
/// - it has 70 % of the machine's rate: the memory; above 130 % the data come
///   from caches, and nothing stands out;
/// - neighbouring elements reach rows more than 2 % of a set apart: the order
///   of the mesh;
/// - else it is the computation.
std::string findLimit(LoopFigures const &loop, MachineRate const &machine);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_API_LIMITS_H
