//===- Error.cpp - Errors and warnings of the program -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Job.h"
#include "Progress.h"
#include "Threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace op2;
using namespace op2::rt;

int op2::rt::firstNumber = 0;

namespace {
/// A message. It is written at once: ranks share stderr, and so may the threads
/// of other libraries. Needs no memory: there may be none.
class Text {
public:
  void add(char const *format, ...) __attribute__((format(printf, 2, 3))) {
    std::va_list values;
    va_start(values, format);
    addAll(format, values);
    va_end(values);
  }
  void addAll(char const *format, std::va_list values) {
    int wanted =
        std::vsnprintf(text + length, sizeof text - length, format, values);
    if (wanted > 0)
      length = std::min(length + std::size_t(wanted), sizeof text - 1);
  }
  /// The last bytes are kept free for what is added after this.
  void leaveRoom(std::size_t bytes) {
    length = std::min(length, sizeof text - 1 - bytes);
  }
  /// stderr has no buffer: what comes in pieces goes out in pieces.
  void write() const { std::fwrite(text, 1, length, stderr); }

private:
  char text[16384];
  std::size_t length = 0;
};
} // namespace

static void say(char const *prefix, Problem problem, char const *format,
                std::va_list values) {
  constexpr std::size_t kRoom = 1024; // for the id and the remedy
  static std::atomic<bool> said[kNumProblems];
  bool isFirst = !said[static_cast<std::size_t>(problem)].exchange(true);
  ProblemInfo const &info = infoOf(problem);
  Text text;
  text.add("%s", prefix);
  text.addAll(format, values);
  text.leaveRoom(kRoom);
  text.add(" [%s]\n", info.name);
  if (isFirst)
    text.add("  %s (op2c++ --op2-explain=%s)\n", info.remedy, info.name);
  // What the program has printed so far comes before the message.
  std::fflush(stdout);
  clearProgress();
  text.write();
}

void op2::rt::fatal(Problem problem, char const *format, ...) {
  // One thread ends the program; others that find an error meanwhile wait for
  // that. Not forever: what runs at exit may wait for them in turn; but it may
  // also save something. Recursive: it may find one more.
  static auto *onlyOne = new std::recursive_timed_mutex;
  if (!onlyOne->try_lock_for(std::chrono::seconds(300)))
    std::_Exit(1);
  // What all ranks find, the root says once: it ends the others meanwhile.
  if (!isRoot())
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  char prefix[64] = "op2 error: ";
  if (hasRanks())
    std::snprintf(prefix, sizeof prefix,
                  "op2 error (rank %d of %d): ", job.rank, job.size);
  std::va_list values;
  va_start(values, format);
  say(prefix, problem, format, values);
  va_end(values);
  if (job.abort)
    job.abort(1);
  leaveForGood();
  std::exit(1);
}

void op2::rt::warning(Problem problem, char const *format, ...) {
  std::va_list values;
  va_start(values, format);
  say("op2 warning: ", problem, format, values);
  va_end(values);
}
