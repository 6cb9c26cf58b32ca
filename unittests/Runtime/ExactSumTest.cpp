//===- ExactSumTest.cpp - Sums without rounding errors ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute/ExactSum.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using op2::rt::ExactSum;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T> T sumOf(std::vector<T> const &terms) {
  ExactSum sum;
  sum.add(terms.data(), static_cast<int64_t>(terms.size()), 1);
  return sum.round<T>();
}

double sumOneByOne(std::vector<double> const &terms) {
  ExactSum sum;
  for (double term : terms)
    sum.add(term);
  return sum.round<double>();
}

template <class T> bool areSame(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T> T fromBits(uint64_t bits) {
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> sized = bits;
  T value;
  std::memcpy(&value, &sized, sizeof value);
  return value;
}

/// Two numbers of any bits, every second time of similar size.
template <class T, class Random> std::pair<T, T> randomPair(Random &random) {
  constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
  constexpr uint64_t kFields = 2 * std::numeric_limits<T>::max_exponent - 1;
  uint64_t a = random(), b = random();
  if (random() % 2) {
    uint64_t field = ((a >> kMantissa) + random() % (2 * kMantissa)) % kFields;
    b = (b & ~(kFields << kMantissa)) | field << kMantissa;
  }
  return {fromBits<T>(a), fromBits<T>(b)};
}

// One addition by the processor is the exact sum of two numbers, rounded once:
// of infinities, NaN and denormal numbers, too.
TEST(ExactSumTest, RoundsAsTheProcessorDoes) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 200000; ++n) {
    auto [a, b] = randomPair<double>(random);
    ASSERT_TRUE(areSame(sumOf<double>({a, b}), a + b)) << a << " + " << b;
    ASSERT_TRUE(areSame(sumOneByOne({a, b}), a + b)) << a << " + " << b;
    auto [x, y] = randomPair<float>(random);
    ASSERT_TRUE(areSame(sumOf<float>({x, y}), x + y)) << x << " + " << y;
  }
}

// A product is two numbers exactly, and a fused multiply-add rounds once.
TEST(ExactSumTest, RoundsAsAFusedMultiplyAddDoes) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> near(-2, 2);
  for (int n = 0; n < 100000; ++n) {
    double a = near(random), b = near(random);
    double c = std::ldexp(near(random), int(random() % 120) - 110);
    double high = a * b, low = std::fma(a, b, -high);
    ASSERT_EQ(sumOf<double>({high, low, c}), std::fma(a, b, c));
    ASSERT_EQ(sumOf<double>({c, high, low}), std::fma(a, b, c));
  }
}

/// Terms of this many powers of two, with cancellation.
std::vector<double> wideTerms(std::size_t count, int powers, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> near(-1, 1);
  std::vector<double> terms;
  for (std::size_t n = 0; n < count; ++n)
    terms.push_back(std::ldexp(near(random),
                               int(random() % uint64_t(powers)) - powers / 2));
  for (std::size_t n = 0; n < count / 2; ++n)
    terms.push_back(-terms[n]);
  return terms;
}

TEST(ExactSumTest, OrderAndDivisionDoNotMatter) {
  std::mt19937_64 random(3);
  for (int powers : {1, 40, 120, 300, 1000, 1900})
    for (std::size_t count : {1u, 2u, 15u, 17u, 255u, 257u, 3000u}) {
      std::vector<double> terms = wideTerms(count, powers, count);
      double expected = sumOf(terms);
      for (int trial = 0; trial < 4; ++trial) {
        std::shuffle(terms.begin(), terms.end(), random);
        EXPECT_EQ(sumOf(terms), expected);
        EXPECT_EQ(sumOneByOne(terms), expected);
        ExactSum left, right;
        auto cut = int64_t(random() % (terms.size() + 1));
        left.add(terms.data(), cut, 1);
        right.add(terms.data() + cut, int64_t(terms.size()) - cut, 1);
        ExactSum::State state = right.entries();
        for (std::size_t n = 0; n < state.size(); ++n)
          state[n] += left.entries()[n];
        left.add(right);
        EXPECT_EQ(left.round<double>(), expected);
        right.entries() = state;
        EXPECT_EQ(right.round<double>(), expected);
      }
    }
}

TEST(ExactSumTest, WhatCancelsIsGone) {
  std::vector<double> terms(1000, 0x1p900);
  terms.insert(terms.end(), 1000, -0x1p900);
  terms.push_back(0x1p-1074);
  EXPECT_EQ(sumOf(terms), 0x1p-1074);
  terms.push_back(-0x1p-1074);
  EXPECT_TRUE(areSame(sumOf(terms), 0.0));
}

TEST(ExactSumTest, ZerosHaveTheSignsOfAdditions) {
  EXPECT_TRUE(areSame(sumOf<double>({}), -0.0)); // adds nothing
  EXPECT_TRUE(areSame(sumOf<double>({-0.0, -0.0}), -0.0));
  EXPECT_TRUE(areSame(sumOf<double>({-0.0, 0.0}), 0.0));
  EXPECT_TRUE(areSame(sumOf<double>({1, -1}), 0.0));
  EXPECT_TRUE(areSame(sumOf(std::vector<double>(300, -0.0)), -0.0));
  EXPECT_TRUE(areSame(sumOf(std::vector<float>(300, -0.0f)), -0.0f));
}

TEST(ExactSumTest, SpecialValues) {
  std::vector<double> terms(300, 1);
  terms[299] = kInfinity;
  EXPECT_EQ(sumOf(terms), kInfinity);
  terms[7] = -kInfinity;
  EXPECT_TRUE(std::isnan(sumOf(terms)));
  terms[299] = 1;
  EXPECT_EQ(sumOf(terms), -kInfinity);
  terms[40] = kNaN;
  EXPECT_TRUE(std::isnan(sumOf(terms)));
  // Too large only on the way, and in the end.
  double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sumOf<double>({most, most, -most}), most);
  EXPECT_EQ(sumOf<double>({most, most, -1}), kInfinity);
  EXPECT_EQ(sumOf<double>({-most, -most}), -kInfinity);
  EXPECT_EQ(sumOf(std::vector<float>(3, 0x1p127f)),
            std::numeric_limits<float>::infinity());
}

/// As vectors of generated code split terms.
struct Split {
  static constexpr std::size_t kLanes = 4;
  std::vector<int64_t> rows = std::vector<int64_t>(5 * kLanes);

  void add(double const *middles, double term, std::size_t lane) {
    auto bits = [](double value) {
      int64_t result;
      std::memcpy(&result, &value, sizeof result);
      return result;
    };
    double greatest;
    std::memcpy(&greatest, &rows[3 * kLanes + lane], sizeof greatest);
    rows[3 * kLanes + lane] = bits(std::max(greatest, std::fabs(term)));
    for (std::size_t level = 0; level < 3 && (level < 2 || term != 0);
         ++level) {
      double moved = term + middles[level];
      int64_t &sum = rows[level * kLanes + lane];
      uint64_t middle = level < 2 ? 0 : uint64_t(bits(middles[level]));
      sum = int64_t(uint64_t(sum) + uint64_t(bits(moved)) - middle);
      term -= moved - middles[level];
    }
    rows[4 * kLanes + lane] |= bits(term);
  }
};

// What vectors find is taken, or refused and then found by the terms.
TEST(ExactSumTest, SplitByVectors) {
  int taken = 0, refused = 0;
  for (int powers : {1, 40, 90, 150, 300})
    for (double scale : {1.0, 0x1p-700, 0x1p600}) {
      std::vector<double> terms = wideTerms(1360, powers, uint64_t(powers));
      for (double &term : terms)
        term *= scale;
      ExactSum sum;
      for (std::size_t begin = 0; begin < terms.size(); begin += 8) {
        Split split;
        for (std::size_t n = 0; n < 8; ++n)
          split.add(sum.splits(), terms[begin + n], n % Split::kLanes);
        bool isTaken = sum.addSplit(split.rows.data(), Split::kLanes, 8);
        if (!isTaken)
          sum.add(terms.data() + begin, 8, 1);
        ++(isTaken ? taken : refused);
      }
      EXPECT_EQ(sum.round<double>(), sumOneByOne(terms)) << powers << scale;
    }
  EXPECT_GT(taken, 500);
  EXPECT_GT(refused, 500);
}

TEST(ExactSumTest, SplitIsRefused) {
  auto take = [](std::vector<double> const &terms) {
    ExactSum sum;
    Split split;
    for (std::size_t n = 0; n < terms.size(); ++n)
      split.add(sum.splits(), terms[n], n % Split::kLanes);
    return sum.addSplit(split.rows.data(), Split::kLanes,
                        int64_t(terms.size()));
  };
  EXPECT_TRUE(take({0.5, 0.25, -0.5, 1e-20}));
  EXPECT_FALSE(take({0.5, kNaN, 0.5, 0.5}));
  EXPECT_FALSE(take({0.5, kInfinity, 0.5, 0.5}));
  EXPECT_FALSE(take({0.5, 2.5, 0.5, 0.5}));     // too large
  EXPECT_FALSE(take({0.5, 1e-40, 0.5, 0.5}));   // too small
  EXPECT_FALSE(take({-0.0, -0.0, -0.0, -0.0})); // which sign?
#if defined(__x86_64__)
  unsigned before = _mm_getcsr();
  // Denormals are zero, flush to zero, rounding down, up, to zero.
  for (unsigned setting : {0x0040, 0x8000, 0x2000, 0x4000, 0x6000}) {
    _mm_setcsr(before | setting);
    bool isTaken = take({0.5, 0.25, 0.5, 0.5});
    _mm_setcsr(before);
    EXPECT_FALSE(isTaken) << setting;
  }
#endif
}

// Small terms between large ones do not make the large ones unexpected.
TEST(ExactSumTest, SplitAfterOthers) {
  ExactSum sum;
  auto take = [&](double term) {
    Split split;
    for (std::size_t n = 0; n < 4; ++n)
      split.add(sum.splits(), term, n);
    return sum.addSplit(split.rows.data(), Split::kLanes, 4);
  };
  EXPECT_TRUE(take(0.5));
  EXPECT_TRUE(take(1e-25));
  EXPECT_TRUE(take(0.5));
  EXPECT_FALSE(take(1e-60)); // has bits below the levels
  EXPECT_TRUE(take(1e-60));
  EXPECT_FALSE(take(0.5));
  EXPECT_TRUE(take(0.5));
  // What was refused is not in it.
  EXPECT_EQ(sum.round<double>(), 6);
}

TEST(ExactSumTest, Strides) {
  std::vector<double> terms = wideTerms(1000, 200, 4);
  for (int64_t stride : {1, 3, 7}) {
    std::vector<double> spread(terms.size() * std::size_t(stride), kNaN);
    for (std::size_t n = 0; n < terms.size(); ++n)
      spread[n * std::size_t(stride)] = terms[n];
    ExactSum sum;
    sum.add(spread.data(), int64_t(terms.size()), stride);
    EXPECT_EQ(sum.round<double>(), sumOf(terms));
  }
}

/// The sums of the columns of rows, in which every `distance`th term stands.
template <class T> static void expectRows(int32_t dim, int distance) {
  std::vector<double> const terms = wideTerms(3000, 30, 6);
  std::vector<T> rows(terms.size(), T(-0.0));
  for (std::size_t n = 0; n < rows.size(); n += std::size_t(distance))
    rows[n] = T(terms[n]);
  rows.resize(rows.size() / std::size_t(dim) * std::size_t(dim));
  std::vector<ExactSum> sums(static_cast<std::size_t>(dim));
  ExactSum::addRows(sums.data(), dim, rows.data(), int64_t(rows.size()) / dim);
  for (int32_t d = 0; d < dim; ++d) {
    ExactSum expected;
    for (std::size_t n = std::size_t(d); n < rows.size(); n += std::size_t(dim))
      expected.add(double(rows[n]));
    EXPECT_EQ(sums[std::size_t(d)].round<T>(), expected.round<T>())
        << "component " << d << " of " << dim;
  }
}

TEST(ExactSumTest, RowsOfFewTerms) {
  for (int32_t dim : {1, 9, 21, 63, 64})
    for (int distance : {1, 5, 7, 64, 2000}) {
      expectRows<double>(dim, distance);
      expectRows<float>(dim, distance);
    }
}

TEST(ExactSumTest, RowsOfSpecialTerms) {
  double const infinity = std::numeric_limits<double>::infinity();
  std::vector<double> row(64, -0.0);
  row[3] = infinity;
  row[4] = kNaN;
  row[5] = 0.0;
  row[6] = -infinity;
  row[63] = 0x1p-1074;
  std::vector<ExactSum> sums(64);
  std::fesetround(FE_UPWARD);
  ExactSum::addRows(sums.data(), 64, row.data(), 1);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(sums[3].round<double>(), infinity);
  EXPECT_TRUE(std::isnan(sums[4].round<double>()));
  EXPECT_FALSE(std::signbit(sums[5].round<double>()));
  EXPECT_EQ(sums[6].round<double>(), -infinity);
  EXPECT_EQ(sums[63].round<double>(), 0x1p-1074);
  EXPECT_TRUE(std::signbit(sums[0].round<double>()));
}

TEST(ExactSumTest, ManyTermsBetweenCarries) {
  ExactSum sum;
  double const term = std::nextafter(2.0, 0.0); // all bits set
  std::vector<double> const terms(4096, term);
  for (int n = 0; n < 100; ++n) {
    sum.add(terms.data(), 4096, 1);
    ExactSum more;
    for (int k = 0; k < 50; ++k)
      more.add(-term);
    sum.add(more);
  }
  EXPECT_EQ(sum.round<double>(), term * (409600 - 5000));
}

// A program may round otherwise, and flush denormal numbers to zero.
TEST(ExactSumTest, SettingsOfTheProgramDoNotMatter) {
  std::vector<double> terms = wideTerms(500, 60, 5);
  terms.push_back(0x3p-1074);
  std::vector<double> small(20, 0x1p-1074);
  double expected = sumOf(terms);
  for (int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    double found = sumOf(terms);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found, expected);
  }
#if defined(__x86_64__)
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040); // flush to zero, denormals are zero
  double found = sumOf(small);
  unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after, before | 0x8040);
  EXPECT_EQ(found, 20 * 0x1p-1074);
#endif
}

} // namespace
