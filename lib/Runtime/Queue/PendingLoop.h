//===- PendingLoop.h - Loops that run later ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_PENDINGLOOP_H
#define OP2_LIB_RUNTIME_QUEUE_PENDINGLOOP_H

#include "Execute/Loop.h"

namespace op2::rt {

/// A global of a pending loop.
struct PendingGlobal {
  char *data; ///< the program's
  int64_t bytes;
  char *copy; ///< what the loop works on
  bool isChanged;
  bool isDropped; ///< its value is not needed any more

  /// On devices, what the loop changes.
  bool isInPlace() const { return copy == data; }
};

struct Region;

/// A pending loop, or two as one, with all that it needs.
struct PendingLoop {
  std::shared_ptr<LoopCall> call;
  std::vector<void *> values; ///< of desc().run; those of globals are copies
  std::vector<PendingGlobal> globals;
  Region *region = nullptr; ///< that the program was in
  /// Could it run as one with the loop before it?
  bool isSecond = false;

  op2rt_loop_desc const &desc() const { return *call->desc; }
  void run() const { desc().run(values.data()); }

  /// Takes a loop; copies what its globals hold.
  void fill(std::shared_ptr<LoopCall> withCall, void *const *from);
  /// Brings results to the program.
  void storeResults() const;

private:
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> storage; ///< of the copies
};

/// A global of a loop, as the program has it.
struct GlobalUse {
  int32_t param;
  int64_t bytes;
  bool isChanged;
};
/// Of the arguments that are active, each global once.
std::vector<GlobalUse> globalsOf(op2rt_loop_desc const &desc,
                                 void *const *values);

/// The values of a loop's arguments.
void readArgs(op2rt_loop_desc const &desc, void *const *values,
              std::vector<op2rt_arg> &args);

/// Have the maps as many slots as code expects that may run in place of the
/// loop?
bool haveExpectedArities(op2rt_loop_desc const &desc, void *const *values);

/// Code for both loops as one; NULL if there is none.
op2rt_fusion const *findFusion(op2rt_loop_desc const &first,
                               op2rt_loop_desc const &second);

/// Executes loops that were pending. False if none of them went in tiles, or
/// ever will.
bool runPending(PendingLoop const *loops, int32_t count);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_PENDINGLOOP_H
