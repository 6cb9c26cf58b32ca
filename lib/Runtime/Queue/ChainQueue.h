//===- ChainQueue.h - Loops that wait ---------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINQUEUE_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINQUEUE_H

#include "ChainSite.h"

namespace op2::rt {

/// A global of a loop that waits.
struct PendingGlobal {
  char *data; ///< the program's
  int64_t bytes;
  char *copy; ///< what the loop works on
  bool isChanged;
  bool isDropped; ///< nobody wants its value any more
};

/// A loop that waits, with all that it needs.
struct PendingLoop {
  op2rt_site const *site = nullptr;
  std::shared_ptr<SiteCall const> call;
  std::vector<void *> values; ///< those of globals are copies
  std::vector<PendingGlobal> globals;

  void run() const { site->run(values.data()); }

  /// Takes a loop; copies what its globals hold.
  void fill(op2rt_site const &site, std::shared_ptr<SiteCall const> call,
            void *const *values);
  /// Brings results to the program.
  void storeResults() const;

private:
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<Line> storage; ///< of the copies
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINQUEUE_H
