//===- CopyRows.h - Rows of dats, one after the other -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_COPYROWS_H
#define OP2_LIB_RUNTIME_RANKS_COPYROWS_H

#include "Core/Registry.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace op2::rt {

/// For copyRows: these of a dat.
inline auto rowAt(Dat const *dat, std::vector<int32_t> const &rows) {
  return [data = rowData(dat), size = dat->size, &rows](std::size_t n) {
    return data + int64_t(rows[n]) * size;
  };
}

/// From from(n) to to(n), for each n < count: rows of `size` bytes, which do
/// not overlap. Rows at the border are in no cache, so they are asked for
/// ahead.
template <class To, class From>
void copyRows(std::size_t count, int32_t size, To to, From from) {
  constexpr std::size_t kAhead = 16;
  auto copyAll = [&](auto bytes) {
    for (std::size_t n = 0; n < count; ++n) {
      if (n + kAhead < count) {
        __builtin_prefetch(from(n + kAhead));
        __builtin_prefetch(to(n + kAhead), /*write=*/1);
      }
      std::memcpy(to(n), from(n), bytes);
    }
  };
  // Copies of a known size take no call.
  switch (size) {
  case 8:
    return copyAll(std::integral_constant<std::size_t, 8>());
  case 16:
    return copyAll(std::integral_constant<std::size_t, 16>());
  case 32:
    return copyAll(std::integral_constant<std::size_t, 32>());
  default:
    return copyAll(std::size_t(size));
  }
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_COPYROWS_H
