//===- TermVectors.h - What vectors do with terms of sums -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two things that are done with many terms of exact sums at once, by the
// widest vectors that the machine has: to split them at common places (Rump,
// Ogita, Oishi, Accurate Floating-Point Summation, 2008), and to find those
// that are not -0.0.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_TERMVECTORS_H
#define OP2_LIB_RUNTIME_EXECUTE_TERMVECTORS_H

#include <cstdint>
#include <cstring>

namespace op2::rt {

/// The levels of one extraction at most, and by how many bits each is finer
/// than the one before.
constexpr int kMostLevels = 4;
constexpr int kLevelBits = 51;
/// How many terms are split together.
constexpr int kSplitAtOnce = 16;

struct Piece {
  double const *terms; ///< a multiple of kSplitAtOnce
  int count;           ///< at most 2^12
  double *rest;        ///< what is left of them; may be `terms`; or null
};

struct Extraction {
  int64_t sums[kMostLevels]; ///< in units of the levels
  double greatest;           ///< of the absolute values; passes over NaN
  bool hasRest;
};

/// A few integers with the sum of the terms, which are at most 2^bound, but for
/// what is left of these: by 2 to kMostLevels levels; with a place for the
/// rest, by the most. In the default arithmetic.
Extraction extract(Piece const &piece, int32_t bound, int levels);

/// How many terms are looked at together.
constexpr int kFoundAtOnce = 64;

/// Which of so many terms are not -0.0: a bit of each, the first one least.
uint64_t findTerms(double const *terms);
uint64_t findTerms(float const *terms);

inline uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// 1.5 * 2^e, of a normal number.
inline double middleOf(int32_t e) {
  uint64_t bits = static_cast<uint64_t>(e + 1023) << 52 | uint64_t(1) << 51;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_TERMVECTORS_H
