//===- ExactSum.cpp - Sums without rounding errors --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSum.h"
#include "TermVectors.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace op2::rt;

// A piece of terms. Fewer of them would keep memory waiting more often.
static constexpr int kPiece = 2048;
// Of terms that are split: all that is used of it is normal numbers.
static constexpr int32_t kLeastBound = -800, kGreatestBound = 1000;

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

// Bit 0 of digit 0 is the least that a double has.
static constexpr uint64_t kDigitMask = 0xffffffff;
static constexpr int kPlaceOfOne = 1074;
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

/// Adds a multiple of bit `place`.
void ExactSum::addDigits(uint64_t value, int place, bool isMinus) {
  constexpr int32_t kMost = 1 << 30; // each less than 2^32
  if (numAdded >= kMost)
    normalize();
  ++numAdded;
  int shift = place % 32;
  int64_t *digit = &state[place / 32];
  first = std::min(first, place / 32);
  end = std::max(end, place / 32 + 3);
  auto low = int64_t(value << shift & kDigitMask);
  auto middle = int64_t(value >> (32 - shift) & kDigitMask);
  auto high = int64_t(shift ? value >> (64 - shift) : 0);
  digit[0] += isMinus ? -low : low;
  digit[1] += isMinus ? -middle : middle;
  digit[2] += isMinus ? -high : high;
}

void ExactSum::add(double term) {
  uint64_t const bits = bitsOf(term);
  bool const isMinus = bits >> 63 != 0;
  auto const field = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t const mantissa = bits & kMantissaMask;
  if (field == 0x7ff) {
    ++state[mantissa ? kNaN : isMinus ? kMinusInfinity : kPlusInfinity];
    return;
  }
  if (bits != uint64_t(1) << 63)
    state[kNotMinusZero] = 1;
  if (bits << 1 != 0)
    addDigits(mantissa | (field ? kMantissaMask + 1 : uint64_t(0)),
              std::max(field - 1, 0), isMinus);
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

static bool hasNaN(double const *terms, int count) {
  return std::any_of(terms, terms + count,
                     [](double term) { return std::isnan(term); });
}

void ExactSum::addOneByOne(double const *terms, int count) {
  for (int n = 0; n < count; ++n)
    add(terms[n]);
}

/// More terms like those of which this is the greatest. That these are smaller
/// than was expected is nothing to care about, unless the levels left some
/// bits.
void ExactSum::expect(double greatest, bool hasRest) {
  int32_t next =
      std::clamp(exponentAbove(greatest) + 1, kLeastBound, kGreatestBound);
  if (!(greatest > 0) || next == exponent || (next < exponent && !hasRest))
    return;
  exponent = next;
  for (std::size_t level = 0; level < middles.size(); ++level)
    middles[level] = middleOf(exponent + 1 - int32_t(level) * kLevelBits);
}

void ExactSum::addLevels(int64_t const *sums, int levels, int32_t bound) {
  for (int level = 0; level < levels; ++level) {
    bool isMinus = sums[level] < 0;
    auto bits = static_cast<uint64_t>(sums[level]);
    if (bits != 0)
      addDigits(isMinus ? 0 - bits : bits,
                bound - (level + 1) * kLevelBits + kPlaceOfOne, isMinus);
  }
}

/// At most kPiece terms, a multiple of kSplitAtOnce.
void ExactSum::addPiece(double const *terms, int count) {
  double rest[kPiece];
  int32_t bound = exponent;
  auto split = [&](double const *from, double *to) {
    return extract({from, count, to}, bound, levels);
  };
  Extraction found = split(terms, nullptr);
  int32_t least = exponentAbove(found.greatest);
  if (least > bound && least <= kGreatestBound) {
    bound = least;
    found = split(terms, nullptr);
  }
  expect(found.greatest, found.hasRest);
  if (found.hasRest) {
    // NaN is a rest, too; and next time, what lies so far below the greatest
    // terms is likely to come again.
    levels = std::min(levels + 1, kMostLevels);
    found = split(terms, rest);
  }
  if (least > kGreatestBound || (found.hasRest && hasNaN(terms, count)))
    return addOneByOne(terms, count);
  state[kNotMinusZero] |=
      found.greatest > 0 || std::any_of(terms, terms + count, [](double term) {
        return !std::signbit(term);
      });
  addLevels(found.sums, kMostLevels, bound);
  while (found.hasRest) {
    bound -= kMostLevels * kLevelBits;
    if (bound < kLeastBound)
      return addOneByOne(rest, count);
    found = split(rest, rest);
    addLevels(found.sums, kMostLevels, bound);
  }
}

/// Whether vectors may have lost denormal numbers, or cut terms elsewhere than
/// at the nearest number.
static bool mayHaveCutOtherwise() {
#if defined(__x86_64__)
  // Flush to zero, denormals are zero, the rounding mode.
  return (_mm_getcsr() & 0xe040) != 0;
#else
  return true; // not known
#endif
}

bool ExactSum::addSplit(int64_t const *split, int64_t lanes, int64_t count) {
  constexpr int kLevels = 3;
  static_assert(std::tuple_size_v<decltype(middles)> == kLevels);
  double greatest = 0;
  int64_t left = 0;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    double size;
    std::memcpy(&size, &split[kLevels * lanes + lane], sizeof size);
    greatest = std::max(greatest, size);
    left |= split[(kLevels + 1) * lanes + lane];
  }
  bool hasRest = (left & INT64_MAX) != 0;
  // Zeros may be negative: the terms say.
  if (!(greatest > 0) || exponentAbove(greatest) > exponent || hasRest ||
      mayHaveCutOtherwise()) {
    expect(greatest, hasRest);
    return false;
  }
  int64_t sums[kLevels];
  for (int level = 0; level < kLevels; ++level) {
    // The last level has none of the bits of its middle.
    bool isLast = level + 1 == kLevels;
    uint64_t bits = isLast ? 0 : 0 - uint64_t(count) * bitsOf(middles[level]);
    for (int64_t lane = 0; lane < lanes; ++lane)
      bits += static_cast<uint64_t>(split[level * lanes + lane]);
    sums[level] = static_cast<int64_t>(bits);
  }
  state[kNotMinusZero] = 1;
  addLevels(sums, kLevels, exponent);
  expect(greatest, false);
  return true;
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
    if (std::is_same_v<T, double> && stride == 1 && size % kSplitAtOnce == 0) {
      addPiece(reinterpret_cast<double const *>(terms + begin), size);
      continue;
    }
    for (int n = 0; n < size; ++n)
      piece[n] = double(terms[(begin + n) * stride]);
    while (size % kSplitAtOnce != 0)
      piece[size++] = -0.0;
    addPiece(piece, size);
  }
}

//===----------------------------------------------------------------------===//
// Rows, most of whose terms are -0.0
//===----------------------------------------------------------------------===//

// Terms that are looked for before any is added: as many words of bits.
static constexpr int kMostWords = 32;

namespace {
/// Where a piece of rows has terms.
template <class T> class TermsInRows {
public:
  TermsInRows(T const *terms, int count) {
    for (; numWords * kFoundAtOnce < count; ++numWords) {
      T const *first = terms + numWords * kFoundAtOnce;
      T padded[kFoundAtOnce];
      int rest = count - numWords * kFoundAtOnce;
      if (rest < kFoundAtOnce) {
        std::fill_n(padded, kFoundAtOnce, T(-0.0));
        std::copy_n(first, rest, padded);
        first = padded;
      }
      words[numWords] = findTerms(first);
      // To add one takes as long as to split some. The first tell.
      if (numWords < kFirst)
        numFound += __builtin_popcountll(words[numWords]);
      isDense = numFound > 8 + kFirst * kFoundAtOnce / 6;
      if (isDense)
        return;
    }
  }

  template <class Use> void forEach(Use use) const {
    for (int word = 0; word < numWords; ++word)
      for (uint64_t left = words[word]; left != 0; left &= left - 1)
        use(word * kFoundAtOnce + __builtin_ctzll(left));
  }

  bool isDense = false;

private:
  static constexpr int kFirst = 4;

  uint64_t words[kMostWords];
  int numWords = 0, numFound = 0;
};
} // namespace

template <class T>
void ExactSum::addRows(ExactSum *sums, int32_t dim, T const *rows,
                       int64_t count) {
  static_assert(OP2RT_MOST_EXACT_COMPONENTS <= kMostWords * kFoundAtOnce);
  DefaultArithmetic const arithmetic;
  int64_t const numRows = std::max(1, kMostWords * kFoundAtOnce / dim);
  // Of numbers up to 2^16, n / dim is the upper half of n * reciprocal.
  uint64_t const reciprocal = (uint64_t(1) << 32) / uint64_t(dim) + 1;
  for (int64_t begin = 0; begin < count; begin += numRows) {
    T const *piece = rows + begin * dim;
    int64_t size = std::min(numRows, count - begin);
    TermsInRows<T> const terms(piece, static_cast<int>(size) * dim);
    if (!terms.isDense)
      terms.forEach([&](int n) {
        int row = static_cast<int>(uint64_t(n) * reciprocal >> 32);
        sums[n - row * dim].add(double(piece[n]));
      });
    else
      for (int32_t d = 0; d < dim; ++d)
        sums[d].add(piece + d, size, dim);
  }
}

template void ExactSum::addRows(ExactSum *, int32_t, double const *, int64_t);
template void ExactSum::addRows(ExactSum *, int32_t, float const *, int64_t);

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
