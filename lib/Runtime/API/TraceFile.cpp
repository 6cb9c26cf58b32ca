//===- TraceFile.cpp - OP2_TRACE ------------------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceFile.h"
#include "Core/Job.h"
#include "Core/OutputFile.h"
#include "Core/Settings.h"
#include "Core/Trace.h"
#include "Ranks/Ranks.h"

#include <optional>

using namespace op2::rt;

/// There is one while there is a trace.
static std::optional<OutputFile> file;

void op2::rt::openTrace() {
  char const *name = settingText("OP2_TRACE");
  if (!name)
    return;
  file.emplace(std::string("OP2_TRACE: cannot write ") + name, name, "w");
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
  if (!file)
    return;
  std::string text = collectEvents();
  if (isRoot())
    std::fprintf(file->get(),
                 "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n%s\n]}\n",
                 text.c_str());
  file.reset();
}
