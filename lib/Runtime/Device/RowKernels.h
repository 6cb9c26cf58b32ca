//===- RowKernels.h - Rows of a dat, side by side ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of RowKernels.cpp do, and the host for its own copies.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_ROWKERNELS_H
#define OP2_LIB_RUNTIME_DEVICE_ROWKERNELS_H

namespace op2::rt {

using RowCount = long long;

/// Where unit number `unit` of a row lies, in units. Components have `inner`
/// units each; one begins `step` units behind the one before.
inline RowCount placeInRows(RowCount row, RowCount unit, RowCount inner,
                            RowCount step) {
  return unit / inner * step + row * inner + unit % inner;
}

/// Unit number n of all that are packed, of rows of `units`: to its place, or
/// from there.
template <bool IsPack, class Unit>
inline void moveUnit(RowCount n, Unit *packed, Unit *data, int const *rows,
                     RowCount units, RowCount inner, RowCount step) {
  RowCount place = placeInRows(rows[n / units], n % units, inner, step);
  // Values may have any type.
  if (IsPack)
    __builtin_memcpy(packed + n, data + place, sizeof(Unit));
  else
    __builtin_memcpy(data + place, packed + n, sizeof(Unit));
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_ROWKERNELS_H
