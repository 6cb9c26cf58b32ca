//===- reference.h - Shared parts of programs by hand -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that compiled OP2 programs are measured against: flat arrays on
// huge pages, clocks around loops, and the report, one JSON object a line.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_REFERENCE_H
#define OP2_BENCHMARKS_REFERENCE_H

#include "../examples/common/command_line.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>

namespace reference {

/// A fixed array that starts on a page, on huge pages if asked for; its
/// elements are first touched by the threads that will work on them.
template <typename T> class Array {
public:
  Array(size_t size, bool hugePages) : count(size) {
    const size_t page = size_t(1) << 21;
    size_t bytes =
        (std::max<size_t>(size, 1) * sizeof(T) + page - 1) & ~(page - 1);
    data = static_cast<T *>(std::aligned_alloc(page, bytes));
    if (!data) {
      std::fprintf(stderr, "error: out of memory (%zu bytes)\n", bytes);
      std::exit(1);
    }
    if (hugePages)
      madvise(data, bytes, MADV_HUGEPAGE); // advice: may be refused
  }
  Array(size_t size, T value, bool hugePages) : Array(size, hugePages) {
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; ++n)
      data[n] = value;
  }
  template <typename Source>
  Array(const std::vector<Source> &source, bool hugePages)
      : Array(source.size(), hugePages) {
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; ++n)
      data[n] = T(source[n]);
  }
  Array(const Array &) = delete;
  ~Array() { std::free(data); }

  operator T *() { return data; }
  size_t size() const { return count; }

private:
  size_t count;
  T *data;
};

/// Collects the time of every call of every loop.
class Clocks {
public:
  /// Runs `body` and books its time under `loop`.
  template <typename Body> void measure(const char *loop, Body body) {
    auto start = Clock::now();
    body();
    find(loop).push_back(milliseconds(start));
  }
  void beginIteration() { iterationStart = Clock::now(); }
  void endIteration() { iterations.push_back(milliseconds(iterationStart)); }

  /// Prints one JSON object a line.
  void print() {
    for (auto &[name, times] : calls)
      printRecord("loop", name.c_str(), times);
    printRecord("iteration", "all", iterations);
  }

private:
  using Clock = std::chrono::steady_clock;

  std::vector<double> &find(const char *loop) {
    for (auto &[name, times] : calls)
      if (name == loop)
        return times;
    calls.emplace_back(loop, std::vector<double>());
    return calls.back().second;
  }

  static double milliseconds(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  }

  static void printRecord(const char *record, const char *name,
                          std::vector<double> &times) {
    if (times.empty())
      return;
    double sum = 0.0;
    for (double time : times)
      sum += time;
    std::sort(times.begin(), times.end());
    size_t half = times.size() / 2;
    double median =
        times.size() % 2 ? times[half] : 0.5 * (times[half - 1] + times[half]);
    std::printf("{\"record\": \"%s\", \"name\": \"%s\", \"calls\": %zu, "
                "\"min_ms\": %.6f, \"median_ms\": %.6f, \"mean_ms\": %.6f}\n",
                record, name, times.size(), times.front(), median,
                sum / double(times.size()));
  }

  std::vector<std::pair<std::string, std::vector<double>>> calls;
  std::vector<double> iterations;
  Clock::time_point iterationStart;
};

/// What a run computed: a number that programs are compared by, and whether it
/// is known to be right.
struct Result {
  const char *name;
  double value;
  enum { Passed, Failed, Unknown } check;
};

/// Prints what ran and with which result, then the times; returns the exit
/// status. `facts`: sizes and options, by name.
inline int report(const char *program,
                  const std::vector<std::pair<const char *, long>> &facts,
                  const Result &result, Clocks &clocks) {
  static const char *const checks[] = {"passed", "failed", "unknown"};
  std::printf("{\"record\": \"run\", \"program\": \"%s\"", program);
  for (auto [name, value] : facts)
    std::printf(", \"%s\": %ld", name, value);
  std::printf(", \"%s\": %.12e, \"check\": \"%s\"}\n", result.name,
              result.value, checks[result.check]);
  clocks.print();
  const bool written = !std::ferror(stdout) && std::fflush(stdout) == 0;
  return result.check != Result::Failed && written ? 0 : 1;
}

} // namespace reference

#endif // OP2_BENCHMARKS_REFERENCE_H
