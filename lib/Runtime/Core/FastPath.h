//===- FastPath.h - Loops for which there is nothing to do ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over a few thousand elements takes as long as some hundred accesses to
// memory, and when it is called the caches hold what larger loops have used. So
// a loop that has run before reads one line for whether any work is pending but
// to run (the fast path); who gives it some sets a flag here (the slow path).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_FASTPATH_H
#define OP2_LIB_RUNTIME_CORE_FASTPATH_H

#include "OP2/API/op_lib_core.h"

#include <atomic>
#include <cstdint>

namespace op2::rt {

/// Why a loop cannot just begin, run and end: flags.
enum PendingWork : uint32_t {
  kNewSettings = 1 << 0, ///< no loop has begun since options were given
  kInLoop = 1 << 1,      ///< a loop is in progress
  kChecking = 1 << 2,    ///< OP2_CHECK
  kProfiling = 1 << 3,   ///< the profiler watches loops
  kCopies = 1 << 4,      ///< there may be dats on devices
  kResults = 1 << 5,     ///< there may be results on devices
  kWaiting = 1 << 6,     ///< loops are pending
  kReplaying = 1 << 7,   ///< loops that were pending run in tiles
  kRanks = 1 << 8,       ///< several processes share the mesh
  kTracing = 1 << 9,     ///< OP2_TRACE
  kReporting = 1 << 10,  ///< OP2_REPORT
  kOverlays = 1 << 11,   ///< there are dats that share storage
};

struct alignas(64) FastPath {
  uint32_t pending = kNewSettings; ///< PendingWork
  /// Loops compiled for these targets run on `selected`, which is the host; 0:
  /// not known.
  uint32_t targets = 0;
  int32_t selected = 0;
  /// Objects freed so far: as long as it stays, who lives stays alive.
  uint64_t freed = 0;
  op_kernel *kernels = nullptr; ///< OP_kernels
  double nanosecond = 1e-9;     ///< in seconds
  // Who is in the library (Threads.h): thisThread(), or 0; how often it has
  // entered; what it does, and whether that is a loop.
  std::atomic<uintptr_t> thread{0};
  int32_t depth = 0;
  std::atomic<bool> doesLoop{false};
  std::atomic<char const *> doing{nullptr};
};

/// Code for pending work: it lies elsewhere.
#define OP2_SLOW_PATH [[gnu::noinline, gnu::cold]]
/// Functions that every execution calls, and their variables: they lie
/// together, since the tables of pages are not in the caches either.
#define OP2_FAST_PATH [[gnu::section("op2_fast_path")]]
#define OP2_FAST_PATH_DATA [[gnu::section("op2_fast_path_data")]]
/// For variables that the library, which CMake compiles so, finds without a
/// table of addresses.
#ifdef op2_EXPORTS
#define OP2_OWN_VARIABLE [[gnu::visibility("protected")]]
#else
#define OP2_OWN_VARIABLE
#endif

OP2_OWN_VARIABLE extern FastPath fastPath;

inline bool isPending(PendingWork work) { return fastPath.pending & work; }

inline void setPending(PendingWork work, bool is = true) {
  fastPath.pending =
      is ? fastPath.pending | work : fastPath.pending & ~uint32_t(work);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_FASTPATH_H
