//===- Error.cpp - The end of a program that went wrong ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_fatal. Everything else in the runtime reports through it.
//
//===----------------------------------------------------------------------===//

#include "Job.h"
#include "OP2/Runtime/op2rt.h"

#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace op2::rt;

extern "C" void op2rt_fatal(char const *format, ...) {
  // One thread ends the program; others that find an error meanwhile wait for
  // that. Recursive: handlers at exit may find one more.
  static auto *onlyOne = new std::recursive_mutex;
  onlyOne->lock();
  // What all ranks find, the root says once: it ends the others meanwhile.
  if (!isRoot())
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  // What the program has printed so far comes before the message.
  std::fflush(stdout);
  std::va_list values;
  va_start(values, format);
  if (hasRanks())
    std::fprintf(stderr, "op2 error (rank %d of %d): ", job.rank, job.size);
  else
    std::fputs("op2 error: ", stderr);
  std::vfprintf(stderr, format, values);
  std::fputc('\n', stderr);
  va_end(values);
  if (job.abort)
    job.abort(1);
  std::exit(1);
}
