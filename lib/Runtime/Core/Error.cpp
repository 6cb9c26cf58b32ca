//===- Error.cpp - Errors and warnings of the program -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Job.h"
#include "Progress.h"

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

/// Needs no memory: there may be none.
static void say(char const *prefix, Problem problem, char const *format,
                std::va_list values) {
  static std::atomic<bool> said[kNumProblems];
  bool isFirst = !said[static_cast<std::size_t>(problem)].exchange(true);
  ProblemInfo const &info = infoOf(problem);
  // What the program has printed so far comes before the message.
  std::fflush(stdout);
  clearProgress();
  flockfile(stderr);
  std::fputs(prefix, stderr);
  std::vfprintf(stderr, format, values);
  std::fprintf(stderr, " [%s]\n", info.name);
  if (isFirst)
    std::fprintf(stderr, "  %s (op2c++ --op2-explain=%s)\n", info.remedy,
                 info.name);
  funlockfile(stderr);
}

void op2::rt::fatal(Problem problem, char const *format, ...) {
  // One thread ends the program; others that find an error meanwhile wait for
  // that. Recursive: handlers at exit may find one more.
  static auto *onlyOne = new std::recursive_mutex;
  onlyOne->lock();
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
  std::exit(1);
}

void op2::rt::warning(Problem problem, char const *format, ...) {
  std::va_list values;
  va_start(values, format);
  say("op2 warning: ", problem, format, values);
  va_end(values);
}
