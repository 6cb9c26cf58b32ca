//===- ExactSum.cpp - Sums without rounding errors --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSum.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#ifdef __FAST_MATH__
#error "(x + s) - s must not become x: compile without -ffast-math"
#endif

using namespace op2::rt;

// A piece of terms. More of them leave fewer bits to a level.
static constexpr int kPiece = 256;
static constexpr int kPieceBits = 8;
// The levels of one extraction, and by how many bits each is finer than the
// one before.
static constexpr int kLevels = 3;
static constexpr int kLevelBits = 52 - kPieceBits;

//===----------------------------------------------------------------------===//
// Extraction: pieces of terms -> a few doubles with the same sum, and a rest
//===----------------------------------------------------------------------===//

namespace {
struct Extraction {
  double sums[kLevels];
  double greatest; ///< of the absolute values; may pass over NaN
  bool hasRest;
};

constexpr int kLanes = 8;
constexpr int kAtOnce = 2 * kLanes;
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(kLanes * sizeof(double))));
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

/// (x + s) - s is x to a multiple of the last bit of s, and what is left of x
/// is exact, too. All such multiples are less than 2^53 of that bit together,
/// so their sum is exact. With s = 1.5 * 2^(e + kPieceBits) for terms less than
/// 2^e. `count` is a multiple of kAtOnce; what is left of the terms goes to
/// `rest`, which may be `terms`.
__attribute__((always_inline)) static inline Extraction
extractIn(double const *terms, double *rest, int count, double s) {
  Lanes split[kLevels], sums[kLevels][2] = {}, greatest = {};
  for (int level = 0; level < kLevels; ++level) {
    split[level] = Lanes{} + s;
    s *= 1 / double(int64_t(1) << kLevelBits);
  }
  Bits left = {};
  for (int n = 0; n < count; n += kAtOnce)
    for (int half = 0; half < 2; ++half) {
      Lanes term;
      std::memcpy(&term, terms + n + half * kLanes, sizeof term);
      Lanes size = (Lanes)((Bits)term & INT64_MAX);
      greatest = size > greatest ? size : greatest;
      for (int level = 0; level < kLevels; ++level) {
        Lanes part = (term + split[level]) - split[level];
        term -= part;
        sums[level][half] += part;
      }
      left |= (Bits)term;
      std::memcpy(rest + n + half * kLanes, &term, sizeof term);
    }
  Extraction result;
  for (int level = 0; level < kLevels; ++level)
    result.sums[level] =
        combineLanes<double>(sums[level][0] + sums[level][1],
                             [](double a, double b) { return a + b; });
  result.greatest = combineLanes<double>(
      greatest, [](double a, double b) { return a > b ? a : b; });
  int64_t anyLeft =
      combineLanes<int64_t>(left, [](int64_t a, int64_t b) { return a | b; });
  result.hasRest = (anyLeft & INT64_MAX) != 0;
  return result;
}

using ExtractFunction = Extraction (*)(double const *, double *, int, double);

static Extraction extractAnywhere(double const *terms, double *rest, int count,
                                  double s) {
  return extractIn(terms, rest, count, s);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static Extraction
extractAVX2(double const *terms, double *rest, int count, double s) {
  return extractIn(terms, rest, count, s);
}

#if __has_attribute(min_vector_width)
#define OP2_WHOLE_VECTORS __attribute__((min_vector_width(512)))
#else
#define OP2_WHOLE_VECTORS
#endif
OP2_WHOLE_VECTORS __attribute__((target("avx512f"))) static Extraction
extractAVX512(double const *terms, double *rest, int count, double s) {
  return extractIn(terms, rest, count, s);
}

static ExtractFunction chooseExtract() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return extractAVX512;
  return __builtin_cpu_supports("avx2") ? extractAVX2 : extractAnywhere;
}
static ExtractFunction const extract = chooseExtract();
#else
static constexpr ExtractFunction extract = extractAnywhere;
#endif

namespace {
/// Rounding to nearest, denormal numbers as they are and no traps, whatever the
/// program has set. Its own settings and flags are back at the end.
class DefaultArithmetic {
public:
#if defined(__x86_64__)
  DefaultArithmetic() : before(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~DefaultArithmetic() { _mm_setcsr(before); }

private:
  unsigned before;
#else
  DefaultArithmetic() {
    std::fegetenv(&before);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before); }

private:
  std::fenv_t before;
#endif
};
} // namespace

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

static uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Bit 0 of digit 0 is the least that a double has.
static constexpr uint64_t kDigitMask = 0xffffffff;
static constexpr uint64_t kMantissaMask = (uint64_t(1) << 52) - 1;

void ExactSum::normalize() {
  int64_t carry = 0;
  int n = first;
  for (; n + 1 < kDigits && (n < end || carry != 0); ++n) {
    int64_t digit = state[n] + carry;
    state[n] = digit & int64_t(kDigitMask);
    carry = digit >> 32;
  }
  state[n] += carry;
  end = std::max(end, n + 1);
  numAdded = 1;
}

/// `term` is finite.
void ExactSum::addDigits(double term) {
  constexpr int32_t kMost = 1 << 30; // each less than 2^32
  if (numAdded >= kMost)
    normalize();
  ++numAdded;
  uint64_t bits = bitsOf(term);
  auto field = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t mantissa =
      (bits & kMantissaMask) | (field ? kMantissaMask + 1 : uint64_t(0));
  int place = std::max(field - 1, 0), shift = place % 32;
  int64_t *digit = &state[place / 32];
  first = std::min(first, place / 32);
  end = std::max(end, place / 32 + 3);
  auto low = int64_t(mantissa << shift & kDigitMask);
  auto middle = int64_t(mantissa >> (32 - shift) & kDigitMask);
  auto high = int64_t(shift ? mantissa >> (64 - shift) : 0);
  bool isMinus = std::signbit(term);
  digit[0] += isMinus ? -low : low;
  digit[1] += isMinus ? -middle : middle;
  digit[2] += isMinus ? -high : high;
}

void ExactSum::add(double term) {
  if (std::isnan(term))
    ++state[kNaN];
  else if (std::isinf(term))
    ++state[term > 0 ? kPlusInfinity : kMinusInfinity];
  else if (term != 0 || !std::signbit(term))
    state[kNotMinusZero] = 1;
  if (std::isfinite(term) && term != 0)
    addDigits(term);
}

void ExactSum::add(ExactSum &other) {
  other.normalize();
  normalize();
  for (std::size_t n = 0; n < state.size(); ++n)
    state[n] += other.state[n];
  first = std::min(first, other.first);
  end = std::max(end, other.end);
  ++numAdded;
}

ExactSum::State &ExactSum::entries() {
  normalize();
  first = 0;
  end = kDigits;
  return state;
}

//===----------------------------------------------------------------------===//
// Many terms
//===----------------------------------------------------------------------===//

/// An e with value < 2^e, of a value that is not negative: the least, but for
/// denormal numbers.
static int32_t exponentAbove(double value) {
  return static_cast<int32_t>(bitsOf(value) >> 52) - 1022;
}

/// 1.5 * 2^e, e < 1024; 0 for denormal numbers, which (x + 0) - 0 splits well.
static double splitAt(int32_t e) {
  if (e < -1022)
    return 0;
  uint64_t bits = static_cast<uint64_t>(e + 1023) << 52 | uint64_t(1) << 51;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// At most kPiece terms, a multiple of kAtOnce.
void ExactSum::addPiece(double const *terms, int count) {
  constexpr int32_t kGreatest = 1000; // below, no sum of parts is infinite
  double rest[kPiece];
  int32_t bound = exponent;
  auto split = [&](double const *from) {
    return extract(from, rest, count, splitAt(bound + kPieceBits));
  };
  Extraction found = split(terms);
  if (int32_t least = exponentAbove(found.greatest); least > bound) {
    bound = least;
    if (bound <= kGreatest)
      found = split(terms);
  }
  if (bound > kGreatest || !std::isfinite(found.sums[0])) {
    for (int n = 0; n < count; ++n)
      add(terms[n]);
    return;
  }
  bool isPlus = found.greatest > 0;
  if (isPlus)
    exponent = std::min(exponentAbove(found.greatest) + 1, kGreatest);
  for (int n = 0; n < count && !isPlus; ++n)
    isPlus = !std::signbit(terms[n]);
  state[kNotMinusZero] |= isPlus;
  for (;;) {
    for (double sum : found.sums)
      addDigits(sum);
    if (!found.hasRest)
      return;
    bound -= kLevels * kLevelBits;
    found = split(rest);
  }
}

void ExactSum::add(double const *terms, int64_t count, int64_t stride) {
  addPieces(terms, count, stride);
}

void ExactSum::add(float const *terms, int64_t count, int64_t stride) {
  addPieces(terms, count, stride);
}

template <class T>
void ExactSum::addPieces(T const *terms, int64_t count, int64_t stride) {
  DefaultArithmetic const arithmetic;
  double piece[kPiece];
  for (int64_t begin = 0; begin < count; begin += kPiece) {
    auto size = static_cast<int>(std::min<int64_t>(kPiece, count - begin));
    if (std::is_same_v<T, double> && stride == 1 && size % kAtOnce == 0) {
      addPiece(reinterpret_cast<double const *>(terms + begin), size);
      continue;
    }
    for (int n = 0; n < size; ++n)
      piece[n] = double(terms[(begin + n) * stride]);
    while (size % kAtOnce != 0)
      piece[size++] = -0.0;
    addPiece(piece, size);
  }
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

// Of digits that are not negative. Bits [place, place + 53), as far as there
// are any.
static uint64_t bitsFrom(ExactSum::State const &digits, int place) {
  auto digit = [&](int number) {
    return number < ExactSum::kDigits ? static_cast<uint64_t>(digits[number])
                                      : 0;
  };
  int first = place / 32, shift = place % 32;
  uint64_t low = (digit(first) | digit(first + 1) << 32) >> shift;
  uint64_t high = shift ? digit(first + 2) << (64 - shift) : 0;
  return (low | high) & (kMantissaMask << 1 | 1);
}

static bool hasBitsBelow(ExactSum::State const &digits, int place) {
  for (int n = 0; n < place / 32; ++n)
    if (digits[n] != 0)
      return true;
  return (static_cast<uint64_t>(digits[place / 32]) &
          ((uint64_t(1) << place % 32) - 1)) != 0;
}

/// The number of bits up to the greatest that is set.
static int widthOf(ExactSum::State const &digits) {
  for (int n = ExactSum::kDigits - 1; n >= 0; --n)
    for (int bit = 31; digits[n] != 0 && bit >= 0; --bit)
      if (digits[n] >> bit & 1)
        return n * 32 + bit + 1;
  return 0;
}

namespace {
/// How a type holds numbers: bits of the mantissa, without the first one; the
/// least bit of any number, as a place in the digits.
template <class T> struct Format {
  static constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
  static constexpr int kLeast = 1074 + std::numeric_limits<T>::min_exponent -
                                std::numeric_limits<T>::digits;
  static constexpr int64_t kInfiniteField =
      2 * std::numeric_limits<T>::max_exponent - 1;
};
} // namespace

/// The bits of the number in the format of T, without a sign.
template <class T> static uint64_t roundDigits(ExactSum::State const &digits) {
  using F = Format<T>;
  int width = widthOf(digits);
  int place = std::max(width - 1 - F::kMantissaBits, F::kLeast);
  uint64_t mantissa = bitsFrom(digits, place);
  if (place > 0) {
    bool half = bitsFrom(digits, place - 1) & 1;
    bool isMore = hasBitsBelow(digits, place - 1) || (mantissa & 1);
    mantissa += half && isMore;
  }
  // The first bit of a normal number adds 1 to the field before it, and so does
  // a carry out of the mantissa.
  uint64_t bits =
      (static_cast<uint64_t>(place - F::kLeast) << F::kMantissaBits) + mantissa;
  return std::min(bits, static_cast<uint64_t>(F::kInfiniteField)
                            << F::kMantissaBits);
}

template <class T> T ExactSum::round() {
  normalize();
  bool isPlus = state[kPlusInfinity] != 0, isMinus = state[kMinusInfinity] != 0;
  if (state[kNaN] != 0 || (isPlus && isMinus))
    return std::numeric_limits<T>::quiet_NaN();
  T const infinity = std::numeric_limits<T>::infinity();
  if (isPlus || isMinus)
    return isPlus ? infinity : -infinity;
  bool isNegative = state[kDigits - 1] < 0;
  ExactSum absolute;
  absolute.first = first;
  absolute.end = end;
  for (int n = first; n < end; ++n)
    absolute.state[n] = isNegative ? -state[n] : state[n];
  absolute.normalize();
  uint64_t bits = roundDigits<T>(absolute.state);
  bool isMinusZero = state[kNotMinusZero] == 0;
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> sized = bits;
  T result;
  std::memcpy(&result, &sized, sizeof result);
  return isNegative || isMinusZero ? -result : result;
}

template double ExactSum::round<double>();
template float ExactSum::round<float>();
