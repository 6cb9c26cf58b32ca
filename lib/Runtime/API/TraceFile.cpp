//===- TraceFile.cpp - OP2_TRACE ------------------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceFile.h"
#include "Core/Job.h"
#include "Core/Settings.h"
#include "Core/Trace.h"
#include "OP2/Runtime/op2rt.h"
#include "Ranks/Ranks.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

using namespace op2::rt;

static std::string fileName;      ///< "" unless there is a trace
static std::FILE *file = nullptr; ///< the root's

[[noreturn]] static void reportFile() {
  op2rt_fatal("OP2_TRACE: cannot write %s: %s", fileName.c_str(),
              std::strerror(errno));
}

void op2::rt::openTrace() {
  char const *name = settingText("OP2_TRACE");
  fileName = name ? name : "";
  if (fileName.empty())
    return;
  if (isRoot() && !(file = std::fopen(fileName.c_str(), "w")))
    reportFile();
  // Each rank's clock begins when all are here.
  if (hasRanks())
    communicator().barrier();
  startTrace();
}

/// The root's result has the events of all ranks.
static std::string collectEvents() {
  std::string text = endTrace(job.rank);
  if (!hasRanks())
    return text;
  std::vector<Message> own;
  if (!isRoot())
    own.push_back({0, Bytes(text.begin(), text.end())});
  for (Message const &message : communicator().exchange(std::move(own))) {
    text += ",\n";
    text.append(message.bytes.begin(), message.bytes.end());
  }
  return text;
}

void op2::rt::closeTrace() {
  if (fileName.empty())
    return;
  std::string text = collectEvents();
  if (!isRoot())
    return;
  std::fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", file);
  std::fputs(text.c_str(), file);
  std::fputs("\n]}\n", file);
  bool isWritten = std::ferror(file) == 0;
  if (std::fclose(file) != 0 || !isWritten)
    reportFile();
  file = nullptr;
}
