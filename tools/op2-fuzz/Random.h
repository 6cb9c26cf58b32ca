//===- Random.h - Numbers that a seed decides -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_RANDOM_H
#define OP2_TOOLS_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace mlir::op2::fuzz {

/// The same numbers for a seed on every machine. Sebastiano Vigna's splitmix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 1) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// From 0 to count - 1.
  int64_t below(int64_t count) { return int64_t(next() % uint64_t(count)); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> T pick(std::initializer_list<T> list) {
    return list.begin()[below(int64_t(list.size()))];
  }
  template <class T> const T &pick(const std::vector<T> &list) {
    return list[size_t(below(int64_t(list.size())))];
  }

private:
  uint64_t state;
};

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_RANDOM_H
