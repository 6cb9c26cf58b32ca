//===- bandwidth.cpp - The machine's memory bandwidth -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bandwidth [MB per array] [repeats]: reads, copies and adds arrays far larger
// than the caches with all OpenMP threads. Bytes are counted as the program
// names them: a store that first reads its line from memory counts once, as in
// McCalpin's STREAM. Prints JSON lines with the best and the median rate.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>
#include <sys/mman.h>

namespace {

double *allocate(size_t count) {
  const size_t page = size_t(1) << 21;
  const size_t bytes = (count * sizeof(double) + page - 1) & ~(page - 1);
  double *data = static_cast<double *>(std::aligned_alloc(page, bytes));
  if (!data) {
    std::fprintf(stderr, "bandwidth: error: out of memory (%zu bytes)\n",
                 bytes);
    std::exit(1);
  }
  madvise(data, bytes, MADV_HUGEPAGE); // advice: may be refused
#pragma omp parallel for schedule(static)
  for (size_t n = 0; n < count; ++n)
    data[n] = 1.0;
  return data;
}

/// Runs `body` `repeats` times; it moves `bytes` each time.
template <typename Body>
void measure(const char *name, double bytes, int repeats, Body body) {
  std::vector<double> rates;
  for (int n = 0; n < repeats; ++n) {
    auto start = std::chrono::steady_clock::now();
    body();
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    rates.push_back(1e-9 * bytes / seconds.count());
  }
  std::sort(rates.begin(), rates.end());
  std::printf("{\"record\": \"bandwidth\", \"name\": \"%s\", \"threads\": %d, "
              "\"best_gb_s\": %.2f, \"median_gb_s\": %.2f}\n",
              name, omp_get_max_threads(), rates.back(),
              rates[rates.size() / 2]);
}

int parsePositive(const char *text) {
  char *end = nullptr;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > INT_MAX) {
    std::fprintf(stderr,
                 "bandwidth: error: bad argument '%s'\n"
                 "usage: bandwidth [MB per array] [repeats]\n",
                 text);
    std::exit(2);
  }
  return int(value);
}

} // namespace

int main(int argc, char **argv) {
  const size_t megabytes = argc > 1 ? parsePositive(argv[1]) : 256;
  const int repeats = argc > 2 ? parsePositive(argv[2]) : 11;
  const size_t count = megabytes * 1000000 / sizeof(double);
  double *a = allocate(count), *b = allocate(count), *c = allocate(count);
  const double bytes = double(count) * sizeof(double);

  double sum = 0.0;
  measure("read", bytes, repeats, [&] {
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (size_t n = 0; n < count; ++n)
      sum += b[n];
  });
  measure("copy", 2 * bytes, repeats, [&] {
#pragma omp parallel for simd schedule(static)
    for (size_t n = 0; n < count; ++n)
      a[n] = b[n];
  });
  measure("triad", 3 * bytes, repeats, [&] {
#pragma omp parallel for simd schedule(static)
    for (size_t n = 0; n < count; ++n)
      a[n] = b[n] + 3.0 * c[n];
  });

  // Also keeps the compiler from dropping the work.
  const bool good = sum == double(count) * repeats && a[count / 2] == 4.0;
  std::free(a);
  std::free(b);
  std::free(c);
  if (!good)
    std::fprintf(stderr, "bandwidth: error: wrong results\n");
  return good ? 0 : 1;
}
