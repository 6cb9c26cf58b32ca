//===- Trace.cpp - What took time, one by one -----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Error.h"
#include "OutputFile.h"
#include "PlainNumbers.h"

#include <cstddef>
#include <cstdio>
#include <deque>
#include <mutex>
#include <vector>

using namespace op2::rt;

// 64 MiB or so: a run of an hour is not looked at event by event.
static constexpr std::size_t kMostEvents = 1000000;

namespace {
struct Span {
  char const *category;
  std::string name;
  double start, end;
};

/// What one thread has recorded.
struct ThreadTrace {
  std::vector<Span> spans;
  std::size_t numLost = 0;
};

struct Trace {
  std::mutex mutex; // of `threads`: each adds to its own
  std::deque<ThreadTrace> threads;
  double origin = 0;
  int number = 0; // of traces so far
};
} // namespace

static Trace &trace() {
  static auto *all = new Trace; // threads may end after the library
  return *all;
}

static ThreadTrace &traceOfThread() {
  static thread_local ThreadTrace *own = nullptr;
  static thread_local int ofTrace = 0;
  Trace &all = trace();
  if (ofTrace != all.number) {
    std::lock_guard const lock(all.mutex);
    own = &all.threads.emplace_back();
    ofTrace = all.number;
  }
  return *own;
}

void op2::rt::startTrace() {
  Trace &all = trace();
  all.threads.clear();
  ++all.number;
  (void)traceOfThread(); // number 0
  all.origin = now();
  setPending(kTracing);
}

void op2::rt::recordSpan(char const *category, char const *name, double start,
                         double end) {
  ThreadTrace &own = traceOfThread();
  if (own.spans.size() < kMostEvents)
    own.spans.push_back({category, name, start, end});
  else
    ++own.numLost;
}

/// What viewers show for a process or a thread.
static void appendLabel(std::string &text, char const *what, int rank,
                        std::size_t thread, std::string const &label) {
  text += (text.empty() ? "" : ",\n");
  text += std::string("{\"name\":\"") + what +
          "\",\"ph\":\"M\",\"pid\":" + std::to_string(rank) +
          ",\"tid\":" + std::to_string(thread) + ",\"args\":{\"name\":\"" +
          label + "\"}}";
}

std::string op2::rt::endTrace(int rank) {
  setPending(kTracing, false);
  Trace &all = trace();
  PlainNumbers const plain;
  std::string text;
  appendLabel(text, "process_name", rank, 0, "rank " + std::to_string(rank));
  std::size_t numLost = 0;
  for (std::size_t thread = 0; thread < all.threads.size(); ++thread) {
    ThreadTrace const &of = all.threads[thread];
    numLost += of.numLost;
    appendLabel(text, "thread_name", rank, thread,
                "thread " + std::to_string(thread));
    for (Span const &span : of.spans) {
      char times[128];
      std::snprintf(times, sizeof times,
                    ",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,"
                    "\"tid\":%zu}",
                    (span.start - all.origin) * 1e6,
                    (span.end - span.start) * 1e6, rank, thread);
      text += ",\n{\"name\":" + quoteForJson(span.name) + ",\"cat\":\"" +
              span.category + '"' + times;
    }
  }
  all.threads.clear();
  ++all.number;
  if (numLost > 0)
    warning(Problem::Trace,
            "OP2_TRACE: %zu events are left out, those after "
            "the first %zu of a thread",
            numLost, kMostEvents);
  return text;
}
