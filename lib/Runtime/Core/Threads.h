//===- Threads.h - One thread at a time -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library belongs to one thread from the beginning of a loop to its end,
// and during every other call: threads of the program may take turns, and where
// two of them come together one gets an error that names both. docs/guide.md,
// "Threads".
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_THREADS_H
#define OP2_LIB_RUNTIME_CORE_THREADS_H

#include "FastPath.h"
#include "Memory.h"
#include "OP2/Runtime/op2rt.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

namespace op2::rt {

/// "loop flux" begins, or "op_decl_set" is called, while another thread is in
/// the library, or this one in a loop.
[[noreturn]] void refuseEntry(char const *name, bool isLoop);

/// What the thread does that is in the library: "loop flux", "op_fetch_data".
std::string whatIsDone();

/// Differs between threads, and is no call: what a loop does not call is not
/// fetched into the caches for it.
inline uintptr_t thisThread() {
  return reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
}

/// The thread whose loops are pending, or whose results are late.
extern std::atomic<uintptr_t> pendingThread;

/// One more loop of this thread is pending, or its results are late.
inline void addPending() {
  pendingThread.store(thisThread(), std::memory_order_relaxed);
  // Who sees the number sees the thread.
  std::atomic_thread_fence(std::memory_order_release);
  ++op2rt_pending;
}

/// The library is this thread's until it leaves as often as it has entered.
/// False: it is another's.
inline bool tryEnter() {
  uintptr_t self = thisThread();
  uintptr_t holder = 0;
  if (!fastPath.thread.compare_exchange_strong(holder, self,
                                               std::memory_order_acquire) &&
      holder != self)
    return false;
  ++fastPath.depth;
  return true;
}
inline void leave() {
  if (--fastPath.depth == 0)
    fastPath.thread.store(0, std::memory_order_release);
}

/// The program ends in the middle of a call, but not of a loop: what it does at
/// exit may call the library, and is not inside that call.
inline void leaveForGood() {
  if (isPending(kInLoop) ||
      fastPath.thread.load(std::memory_order_relaxed) != thisThread())
    return;
  fastPath.depth = 0;
  fastPath.thread.store(0, std::memory_order_release);
}

/// What the thread does, for the other one's message.
inline void sayDoing(char const *name, bool isLoop) {
  fastPath.doing.store(name, std::memory_order_relaxed);
  fastPath.doesLoop.store(isLoop, std::memory_order_relaxed);
}

/// A loop begins; its end leaves.
inline void enterLoop(char const *name) {
  if (!tryEnter() || isPending(kInLoop))
    refuseEntry(name, /*isLoop=*/true);
  sayDoing(name, /*isLoop=*/true);
}

/// A call that generated code makes around loops, from where it stands to the
/// end of the block.
class Turn {
public:
  explicit Turn(char const *name, bool isLoop = false) {
    if (!tryEnter())
      refuseEntry(name, isLoop);
    if (fastPath.depth == 1)
      sayDoing(name, isLoop);
  }
  ~Turn() { leave(); }
  Turn(Turn const &) = delete;
  Turn &operator=(Turn const &) = delete;
};

/// A call of the program, which kernels may not make. std::bad_alloc does not
/// leave it: half of what it does may be done.
class Call : Turn {
public:
  explicit Call(char const *function)
      : Turn(function), name(function), exceptions(std::uncaught_exceptions()) {
    if (isPending(kInLoop) || isPending(kReplaying))
      refuseEntry(name, /*isLoop=*/false);
  }
  ~Call() {
    if (std::uncaught_exceptions() > exceptions)
      endWithoutMemory(name);
  }

private:
  char const *name;
  int exceptions;
};

/// For calls that are made for every argument of a loop, and only look: nobody
/// else may be in the library.
inline void requireTurn(char const *name) {
  uintptr_t holder = fastPath.thread.load(std::memory_order_acquire);
  if (holder != 0 && holder != thisThread())
    refuseEntry(name, /*isLoop=*/false);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_THREADS_H
