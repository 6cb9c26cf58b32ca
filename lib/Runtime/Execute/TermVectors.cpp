//===- TermVectors.cpp - What vectors do with terms of sums ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TermVectors.h"

#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifdef __FAST_MATH__
#error "(x + s) - s must not become x: compile without -ffast-math"
#endif

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

namespace {
constexpr int kLanes = 8;
static_assert(kSplitAtOnce == 2 * kLanes);
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));
typedef uint64_t Bits __attribute__((vector_size(kLanes * sizeof(double))));
} // namespace

/// In a tree.
template <class T, class Vector, class Combine>
__attribute__((always_inline)) static inline T combineLanes(Vector lanes,
                                                            Combine combine) {
  T values[kLanes];
  std::memcpy(values, &lanes, sizeof values);
  for (int step = kLanes / 2; step > 0; step /= 2)
    for (int n = 0; n < step; ++n)
      values[n] = combine(values[n], values[n + step]);
  return values[0];
}

/// Of terms of at most 2^bound, x + m for m = 1.5 * 2^(bound + 1) has the bits
/// of m plus x as an integer, in units of 2^(bound - 51), and (x + m) - m is
/// that multiple of the unit. What is left of x is exact, and at most half a
/// unit: the next level's. 2^12 such integers have a sum of 64 bits.
template <int kLevels, bool keepsRest>
__attribute__((always_inline)) static inline Extraction
extractLevels(Piece const &piece, int32_t bound) {
  Lanes middle[kLevels], greatest = {};
  Bits sums[kLevels][2] = {}, left = {};
  for (int level = 0; level < kLevels; ++level)
    middle[level] = Lanes{} + middleOf(bound + 1 - level * kLevelBits);
  for (int n = 0; n < piece.count; n += kSplitAtOnce)
    for (int half = 0; half < 2; ++half) {
      Lanes term;
      std::memcpy(&term, piece.terms + n + half * kLanes, sizeof term);
      Lanes size = (Lanes)((Bits)term & INT64_MAX);
      greatest = size > greatest ? size : greatest;
      for (int level = 0; level < kLevels; ++level) {
        Lanes moved = term + middle[level];
        sums[level][half] += (Bits)moved;
        term -= moved - middle[level];
      }
      left |= (Bits)term;
      if (keepsRest)
        std::memcpy(piece.rest + n + half * kLanes, &term, sizeof term);
    }
  Extraction result = {};
  auto add = [](uint64_t a, uint64_t b) { return a + b; };
  for (int level = 0; level < kLevels; ++level)
    result.sums[level] =
        int64_t(combineLanes<uint64_t>(sums[level][0] + sums[level][1], add) -
                uint64_t(piece.count) * bitsOf(middle[level][0]));
  result.greatest = combineLanes<double>(
      greatest, [](double a, double b) { return a > b ? a : b; });
  result.hasRest = (combineLanes<uint64_t>(
                        left, [](uint64_t a, uint64_t b) { return a | b; }) &
                    INT64_MAX) != 0;
  return result;
}

/// By 2 to kMostLevels levels; with a place for the rest, by the most.
__attribute__((always_inline)) static inline Extraction
extractIn(Piece const &piece, int32_t bound, int levels) {
  static_assert(kMostLevels == 4);
  if (piece.rest)
    return extractLevels<4, true>(piece, bound);
  if (levels == 2)
    return extractLevels<2, false>(piece, bound);
  return levels == 3 ? extractLevels<3, false>(piece, bound)
                     : extractLevels<4, false>(piece, bound);
}

static Extraction extractAnywhere(Piece const &piece, int32_t bound,
                                  int levels) {
  return extractIn(piece, bound, levels);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static Extraction
extractAVX2(Piece const &piece, int32_t bound, int levels) {
  return extractIn(piece, bound, levels);
}

#if __has_attribute(min_vector_width)
#define OP2_WHOLE_VECTORS __attribute__((min_vector_width(512)))
#else
#define OP2_WHOLE_VECTORS
#endif
OP2_WHOLE_VECTORS __attribute__((target("avx512f"))) static Extraction
extractAVX512(Piece const &piece, int32_t bound, int levels) {
  return extractIn(piece, bound, levels);
}
#endif

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

template <class T> static uint64_t findAnywhere(T const *terms) {
  using Term = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr Term kMinusZero = Term(1) << (8 * sizeof(T) - 1);
  uint64_t found = 0;
  for (int n = 0; n < kFoundAtOnce; ++n) {
    Term bits;
    std::memcpy(&bits, terms + n, sizeof bits);
    found |= uint64_t(bits != kMinusZero) << n;
  }
  return found;
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2"))) static uint64_t findAVX2(T const *terms) {
  constexpr bool isDouble = std::is_same_v<T, double>;
  __m256i const minusZero =
      isDouble ? _mm256_set1_epi64x(INT64_MIN) : _mm256_set1_epi32(INT32_MIN);
  uint64_t same = 0;
  __m256i some;
  constexpr int kAtOnce = sizeof some / sizeof(T);
  for (int n = 0; n < kFoundAtOnce; n += kAtOnce) {
    std::memcpy(&some, terms + n, sizeof some);
    int equal;
    if constexpr (isDouble)
      equal = _mm256_movemask_pd(
          _mm256_castsi256_pd(_mm256_cmpeq_epi64(some, minusZero)));
    else
      equal = _mm256_movemask_ps(
          _mm256_castsi256_ps(_mm256_cmpeq_epi32(some, minusZero)));
    same |= uint64_t(equal) << n;
  }
  return ~same;
}
#endif

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
namespace {
enum class Vectors { None, AVX2, AVX512 };
} // namespace

static Vectors findVectors() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return Vectors::AVX512;
  return __builtin_cpu_supports("avx2") ? Vectors::AVX2 : Vectors::None;
}
static Vectors const vectors = findVectors();

Extraction op2::rt::extract(Piece const &piece, int32_t bound, int levels) {
  if (vectors == Vectors::AVX512)
    return extractAVX512(piece, bound, levels);
  if (vectors == Vectors::AVX2)
    return extractAVX2(piece, bound, levels);
  return extractAnywhere(piece, bound, levels);
}

uint64_t op2::rt::findTerms(double const *terms) {
  return vectors == Vectors::None ? findAnywhere(terms) : findAVX2(terms);
}

uint64_t op2::rt::findTerms(float const *terms) {
  return vectors == Vectors::None ? findAnywhere(terms) : findAVX2(terms);
}
#else
Extraction op2::rt::extract(Piece const &piece, int32_t bound, int levels) {
  return extractAnywhere(piece, bound, levels);
}

uint64_t op2::rt::findTerms(double const *terms) { return findAnywhere(terms); }

uint64_t op2::rt::findTerms(float const *terms) { return findAnywhere(terms); }
#endif
