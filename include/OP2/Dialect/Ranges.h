//===- Ranges.h - Ranges of numbers in options and attributes ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs nothing but the standard library: the driver op2c++ uses it, too.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_RANGES_H
#define OP2_DIALECT_RANGES_H

#include <cstdint>
#include <string>

namespace mlir::op2 {

/// The numbers that make sense somewhere.
struct NumberRange {
  int64_t min, max;
  bool hasPowersOnly = false; ///< powers of two
  bool hasZero = false;       ///< 0 as well
  bool hasMinusOne = false;   ///< -1 as well

  constexpr bool contains(int64_t number) const {
    if ((hasZero && number == 0) || (hasMinusOne && number == -1))
      return true;
    return number >= min && number <= max &&
           (!hasPowersOnly || (number & (number - 1)) == 0);
  }

  /// "a number from 1 to 8", "-1, 0, 2, 4 or 8".
  std::string describe() const {
    if (!hasPowersOnly)
      return (hasZero ? "0 or a number from " : "a number from ") +
             std::to_string(min) + " to " + std::to_string(max);
    std::string list = hasMinusOne ? "-1, " : "";
    list += hasZero ? "0, " : "";
    for (int64_t power = min; power < max; power *= 2)
      list += std::to_string(power) + (power * 2 < max ? ", " : " or ");
    return list + std::to_string(max);
  }
};

/// Elements per block of a plan; 0 leaves it to the runtime or the pass.
inline constexpr NumberRange kBlockSizes{0, 65536};
/// Of them, those that an option can request.
inline constexpr NumberRange kGivenBlockSizes{1, 65536};
/// Vector registers, in bits; 0: none.
inline constexpr NumberRange kVectorBits{128, 512, true, true};
/// The same, or -1: what the processor has.
inline constexpr NumberRange kMachineVectorBits{128, 512, true, true, true};
/// Values of an element that a kernel may hold.
inline constexpr NumberRange kValueCounts{0, 1000000};
/// A share that may be more than everything.
inline constexpr NumberRange kPercents{0, 1000000};
/// Shared memory of a block on a device, in bytes: every chip has as much for
/// every block.
inline constexpr int64_t kUsualSharedBytes = 49152;
/// Threads of a block on a device, at most, and of a warp; blocks are whole
/// warps.
inline constexpr int64_t kMaxThreads = 1024;
inline constexpr int64_t kWarpSize = 32;
/// Consecutive elements that a thread takes where a function of the program
/// combines their results.
inline constexpr int64_t kRunLength = 32;
/// Levels of optimisation.
inline constexpr NumberRange kOptLevels{0, 3};

/// Dims, arities and elements are what OP2's C API has as an int.
inline constexpr NumberRange kDims{1, 2147483647};
/// Slots of a map that a vector argument takes together: the kernel gets a
/// pointer for each.
inline constexpr NumberRange kVectorSlots{1, 4096};
/// Bytes of the rows of one packed argument, which every thread has in private
/// memory: the emulator's have a stack of 256 KiB.
inline constexpr int64_t kMaxPackedBytes = 65536;

} // namespace mlir::op2

#endif // OP2_DIALECT_RANGES_H
