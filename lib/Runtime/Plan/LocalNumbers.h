//===- LocalNumbers.h - Local numbers of a block's targets ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PLAN_LOCALNUMBERS_H
#define OP2_LIB_RUNTIME_PLAN_LOCALNUMBERS_H

#include "Plan.h"

namespace op2::rt {

/// The targets that a range of elements reaches, sorted, each once; and for
/// each element and column the position in that list. Reused from block to
/// block to keep its storage.
class LocalNumbers {
public:
  void compute(ColumnSet const &set, int64_t begin, int64_t end);

  int64_t size() const { return static_cast<int64_t>(unique.size()); }
  std::vector<int32_t> const &targets() const { return unique; }
  /// Of element begin + n.
  int32_t local(std::size_t column, int64_t n) const {
    return locals(column)[n];
  }
  /// Of all elements of the range.
  int32_t const *locals(std::size_t column) const {
    return position.data() + column * static_cast<std::size_t>(count);
  }

private:
  void computeDense(ColumnSet const &set, int64_t begin, int64_t end,
                    int32_t least, int32_t greatest);
  void computeSparse(ColumnSet const &set, int64_t begin, int64_t end);

  int64_t count = 0;
  std::vector<int32_t> places;   ///< dense: position of target least + n, or -1
  std::vector<uint64_t> entries; ///< sparse: target << 32 | place in `position`
  std::vector<int32_t> unique;
  std::vector<int32_t> position; ///< [columns][count]
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PLAN_LOCALNUMBERS_H
