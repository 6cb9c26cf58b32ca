//===- Job.h - The processes that run a program together --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_JOB_H
#define OP2_LIB_RUNTIME_CORE_JOB_H

#include "FastPath.h"

#include <cstdint>

namespace op2::rt {

struct Job {
  int32_t rank = 0, size = 1;
  /// Number among the processes on one machine, which share its devices.
  int32_t rankOnMachine = 0;
  /// The program is linked for ranks: every loop adds to a row in the order of
  /// the elements, so that results do not depend on how many there are.
  bool keepsOrder = false;
  /// Each rank declares the whole mesh, not its block of it.
  bool declaresWhole = true;
  /// And has all values of each dat in `data`, beside the rows of its part.
  bool keepsMirrors = false;
  /// It declares its block since nobody said anything else, and blocks were
  /// read from a file: a program for one process would not notice.
  bool mayMeanWhole = false;
  /// Plans are proven, on all ranks, if one was told so before the partition.
  bool checksPlans = false;
  /// Each rank has its part of the mesh, once the first loop has begun.
  bool isDistributed = false;
  /// Ends all processes; NULL where there is one.
  void (*abort)(int status) = nullptr;
};

OP2_OWN_VARIABLE extern Job job;

inline bool hasRanks() { return job.size > 1; }
inline bool isRoot() { return job.rank == 0; }

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_JOB_H
