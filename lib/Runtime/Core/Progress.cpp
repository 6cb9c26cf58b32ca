//===- Progress.cpp - Long work, told on a terminal -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of its own writes: the work is mostly in libraries, or in loops that
// should know nothing of it. It exists only while something may be shown.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Clock.h"
#include "Job.h"
#include "OP2/API/op_lib_core.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace op2::rt;

static constexpr double kPatience = 1;    ///< seconds
static constexpr double kInterval = 0.25; ///< between two lines
static constexpr std::size_t kColumns = 79;

namespace op2::rt {
class Ticker {
public:
  Ticker() : thread([this] { run(); }) {}
  ~Ticker() {
    {
      std::lock_guard lock(mutex);
      isEnding = true;
    }
    wake.notify_one();
    thread.join();
    clear();
  }
  void show(Progress *work) {
    std::lock_guard lock(mutex);
    innermost = work;
  }
  /// Writes nothing until there is other work.
  void clear() {
    std::lock_guard lock(mutex);
    innermost = nullptr;
    write("");
  }

private:
  void run() {
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, std::chrono::duration<double>(kInterval),
                          [&] { return isEnding; }))
      if (innermost && now() - innermost->begin >= kPatience)
        write(innermost->line());
  }

  /// Over what stands there.
  void write(std::string line) {
    line.resize(std::min(line.size(), kColumns));
    std::size_t length = line.size();
    if (length == 0 && written == 0)
      return;
    line.resize(std::max(length, written), ' ');
    line = "\r" + line + (length == 0 ? "\r" : "");
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    written = length;
  }

  std::mutex mutex;
  std::condition_variable wake;
  Progress *innermost = nullptr;
  std::size_t written = 0;
  bool isEnding = false;
  std::thread thread; ///< comes last: it uses the others
};
} // namespace op2::rt

// Never destroyed at exit: a program may end in the middle of the work.
static Ticker *ticker = nullptr;
static Progress *current = nullptr;

static bool mayShow() { return OP_diags > 0 && isRoot() && isatty(2); }

Progress::Progress(std::string what, int64_t total)
    : what(std::move(what)), total(total) {
  if (!mayShow())
    return;
  isShown = true;
  begin = now();
  outer = current;
  current = this;
  if (!ticker)
    ticker = new Ticker;
  ticker->show(this);
}

void Progress::end() {
  if (!isShown)
    return;
  isShown = false;
  current = outer;
  if (outer) {
    ticker->show(outer);
    return;
  }
  delete ticker;
  ticker = nullptr;
}

std::string Progress::line() const {
  char text[64];
  int64_t steps = std::min(done.load(std::memory_order_relaxed), total);
  if (total > 0)
    std::snprintf(text, sizeof text, " %d %%, %.0f s",
                  int(double(steps) / double(total) * 100), now() - begin);
  else
    std::snprintf(text, sizeof text, " %.0f s", now() - begin);
  // Of a long name the end is left out, not the numbers.
  std::string name = "op2: " + what;
  name.resize(std::min(name.size(), kColumns - std::strlen(text) - 1));
  return name + ":" + text;
}

void op2::rt::clearProgress() {
  if (ticker)
    ticker->clear();
}
