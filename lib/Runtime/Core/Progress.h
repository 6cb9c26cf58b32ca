//===- Progress.h - Long work, told on a terminal ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_PROGRESS_H
#define OP2_LIB_RUNTIME_CORE_PROGRESS_H

#include <atomic>
#include <cstdint>
#include <string>

namespace op2::rt {

/// Work that lasts from here to the end of the block. If it takes more than a
/// second, a line on stderr says what it is, how long it has taken and, with
/// `total`, how much of it is done; the line is gone at the end. Only where
/// stderr is a terminal, on rank 0, and with diags > 0 (op_init). Begun and
/// ended by the thread that runs the program. Work inside of other work takes
/// its place in the line meanwhile.
class Progress {
public:
  explicit Progress(std::string what, int64_t total = 0);
  ~Progress() { end(); }
  Progress(Progress const &) = delete;
  Progress &operator=(Progress const &) = delete;

  /// Before the end of the block.
  void end();
  /// By any thread.
  void advance(int64_t steps = 1) {
    done.fetch_add(steps, std::memory_order_relaxed);
  }

private:
  friend class Ticker;
  std::string line() const;

  std::string what;
  int64_t total;
  std::atomic<int64_t> done{0};
  double begin = 0;
  bool isShown = false;
  Progress *outer = nullptr;
};

/// Removes the line, before others write to stderr. It does not come again
/// before there is other work.
void clearProgress();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_PROGRESS_H
