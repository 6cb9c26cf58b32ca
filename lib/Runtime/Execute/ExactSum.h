//===- ExactSum.h - Sums without rounding errors ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of floating-point numbers that depend on the numbers only: not on their
// order, nor on how they are divided among lanes, threads and ranks.
//
// A sum is a fixed-point number wide enough for any double (a superaccumulator:
// Kulisch, Miranker, The Arithmetic of the Digital Computer, 1986; digits and
// carries after Neal, Fast Exact Summation Using Small and Large
// Superaccumulators, 2015). It is rounded once, at the end. To add a term takes
// some ten integer operations; so several terms are first added to few exact
// sums by splitting them at common places (Rump, Ogita, Oishi, Accurate
// Floating-Point Summation, 2008), which a vector unit does.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_EXACTSUM_H
#define OP2_LIB_RUNTIME_EXECUTE_EXACTSUM_H

#include "OP2/Runtime/op2rt.h"

#include <array>
#include <cstdint>

namespace op2::rt {

class ExactSum {
public:
  /// The digits, of 32 bits, least first, with room for carries; then how often
  /// a term was NaN, infinite, or of a kind that a sum of -0.0 has not.
  static constexpr int kDigits = 68;
  enum Special { kNaN = kDigits, kPlusInfinity, kMinusInfinity, kNotMinusZero };
  using State = std::array<int64_t, OP2RT_EXACT_SUM_WORDS>;
  static_assert(OP2RT_EXACT_SUM_WORDS == kDigits + 4);

  void add(double term);
  /// terms[0], terms[stride] … terms[(count - 1) * stride].
  void add(double const *terms, int64_t count, int64_t stride);
  void add(float const *terms, int64_t count, int64_t stride);
  void add(ExactSum &other);
  /// rows[count][dim], a column for each of `dim` sums. Faster where most terms
  /// are -0.0.
  template <class T>
  static void addRows(ExactSum *sums, int32_t dim, T const *rows,
                      int64_t count);
  static constexpr int kSplitRows = 5;
  /// Where vectors split terms, and what they have found then: see
  /// op2rt_reduction_split. False, and nothing else, if that is not all.
  double const *splits() const { return middles.data(); }
  bool addSplit(int64_t const *split, int64_t lanes, int64_t count);

  /// The sum, rounded to nearest, ties to even. 0 if it is 0, but -0.0 if all
  /// terms were -0.0. Infinite if it is too large for T, or some terms were
  /// infinite and of one sign; NaN if of both, or if some were NaN.
  template <class T> T round();

  /// With all carries done. The sums of the entries of up to 2^31 such states,
  /// each with its like, are the state of the sum of all.
  State &entries();

private:
  void normalize();
  template <class T>
  void addPieces(T const *terms, int64_t count, int64_t stride);
  void addPiece(double const *terms, int count);
  void addOneByOne(double const *terms, int count);
  void expect(double greatest, bool hasRest);
  void addLevels(int64_t const *sums, int levels, int32_t bound);
  void addDigits(uint64_t value, int place, bool isMinus);

  State state = {};
  int32_t first = kDigits, end = 0; ///< the digits that may not be 0
  int32_t numAdded = 0;             ///< to each digit since carries were done
  int32_t exponent = 0; ///< terms are likely to be less than 2^exponent
  int levels = 2;       ///< of splits that are likely to leave nothing of them
  std::array<double, 3> middles = {0x1.8p1, 0x1.8p-50, 0x1.8p-101};
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_EXACTSUM_H
