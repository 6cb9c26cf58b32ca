//===- Limits.cpp - Bottlenecks of loops ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Core/Clock.h"
#include "Core/Memory.h"

#include <algorithm>
#include <memory>
#include <omp.h>

using namespace op2::rt;

namespace {
using Array = std::unique_ptr<char, void (*)(void *)>;
} // namespace

/// The least time of several executions, seconds.
template <class Body> static double leastTime(int repeats, Body body) {
  double least = 0;
  for (int n = 0; n < repeats; ++n) {
    double start = now();
    body();
    double seconds = now() - start;
    least = n == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

/// Far more than caches hold for each of a few cores; on large processors part
/// of it stays in them, and shares come out too small.
MachineRate op2::rt::measureMachine() {
  constexpr int64_t kCount = int64_t(8) << 20;
  constexpr double kBytes = double(kCount) * sizeof(double);
  constexpr int kRepeats = 5, kStarts = 200;
  Array from(allocateZeroed(kCount, sizeof(double), "measuring memory"),
             deallocate);
  Array to(allocateZeroed(kCount, sizeof(double), "measuring memory"),
           deallocate);
  auto *a = reinterpret_cast<double *>(from.get());
  auto *b = reinterpret_cast<double *>(to.get());
  double sum = 0;
  double reading = leastTime(kRepeats, [&] {
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int64_t n = 0; n < kCount; ++n)
      sum += a[n];
  });
  // The sum has a use, or nothing would be read.
  a[0] = sum;
  double copying = leastTime(kRepeats, [&] {
#pragma omp parallel for simd schedule(static)
    for (int64_t n = 0; n < kCount; ++n)
      b[n] = a[n];
  });
  int volatile seen = 0;
  double starting = leastTime(kStarts, [&] {
#pragma omp parallel
    if (seen != 0)
      seen = 0;
  });
  return {std::max(kBytes / reading, 2 * kBytes / copying), starting};
}

typedef double Vector2 __attribute__((vector_size(16)));
typedef double Vector4 __attribute__((vector_size(32)));
typedef double Vector8 __attribute__((vector_size(64)));

/// Ten vectors: enough that no multiply-add waits for another.
template <class Vector>
[[gnu::always_inline]] inline double multiplyAdd(int64_t steps) {
  constexpr int kLanes = sizeof(Vector) / sizeof(double);
  // All of them different: equal ones would be computed once.
  Vector values[10];
  for (int n = 0; n < 10; ++n)
    for (int lane = 0; lane < kLanes; ++lane)
      values[n][lane] = double(steps % 3 + n * kLanes + lane);
  for (int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 10
    for (int n = 0; n < 10; ++n)
      values[n] = values[n] * 0.5 + 1.0;
  }
  Vector sum = values[0];
  for (Vector const &value : values)
    sum += value;
  return sum[0] + sum[kLanes - 1];
}

#ifdef __x86_64__
[[gnu::target("avx512f,fma")]] static double multiplyAdd512(int64_t steps) {
  return multiplyAdd<Vector8>(steps);
}
[[gnu::target("avx2,fma")]] static double multiplyAdd256(int64_t steps) {
  return multiplyAdd<Vector4>(steps);
}
#endif
static double multiplyAdd128(int64_t steps) {
  return multiplyAdd<Vector2>(steps);
}

double op2::rt::measureArithmetic() {
  constexpr int64_t kSteps = 200000;
  constexpr int kRepeats = 5;
  int lanes = 2;
  double (*run)(int64_t) = multiplyAdd128;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) {
    lanes = 8;
    run = multiplyAdd512;
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    lanes = 4;
    run = multiplyAdd256;
  }
#endif
  int threads = 1;
  double volatile seen = 0;
  double seconds = leastTime(kRepeats, [&] {
#pragma omp parallel
    {
      double sum = run(kSteps);
#pragma omp critical
      {
        seen = sum;
        threads = omp_get_num_threads();
      }
    }
  });
  return 2.0 * 10 * lanes * double(kSteps) * threads / seconds;
}

double op2::rt::distanceOf(LoopState const &loop) {
  auto largest = std::max_element(
      loop.calls.begin(), loop.calls.end(),
      [](auto const &a, auto const &b) { return a->bytes < b->bytes; });
  return largest == loop.calls.end() ? 0 : (*largest)->distance;
}

std::string op2::rt::findLimit(LoopFigures const &loop,
                               MachineRate const &machine) {
  constexpr double kStarts = 10, kNear = 0.7, kCached = 1.3, kFarApart = 0.02;
  if (loop.planSeconds > loop.busySeconds)
    return "plans, for few executions";
  if (loop.busySeconds < kStarts * machine.startSeconds * double(loop.count))
    return "few elements: the start of threads";
  double share = loop.bytes / loop.busySeconds / machine.bytesPerSecond;
  if (share > kCached)
    return "nothing, its data stay in the caches";
  if (share > kNear)
    return "the memory";
  if (loop.distance > kFarApart)
    return "the order of the mesh (OP2_RENUMBER=rcm)";
  return "computation";
}
