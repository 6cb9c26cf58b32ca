//===- MapTable.h - Tables of maps ------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_MAPTABLE_H
#define OP2_LIB_RUNTIME_CORE_MAPTABLE_H

#include <cstdint>
#include <type_traits>

namespace op2::rt {

struct Map;

/// The first position in values[count] that is not in 0..limit-1, or -1.
int64_t findOutOfRange(int const *values, int64_t count, int limit);

/// What hashValues begins with.
inline constexpr uint64_t kHashOfNothing = 14695981039346656037u;
/// FNV-1a (Fowler, Noll, Vo, 1991), a value at a time; goes on from `hash`.
template <class Integer>
uint64_t hashValues(Integer const *values, int64_t count,
                    uint64_t hash = kHashOfNothing) {
  for (int64_t n = 0; n < count; ++n)
    hash = (hash ^ uint64_t(std::make_unsigned_t<Integer>(values[n]))) *
           1099511628211u;
  return hash;
}

/// Takes over the table of a map as the application filled it: an error that
/// begins with `where` if a value is no element of the target set.
void acceptTable(Map &map, char const *where);

/// An error that begins with `where` if the map has elements and no table; one
/// that was filled later is taken over.
void requireTable(Map &map, char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_MAPTABLE_H
