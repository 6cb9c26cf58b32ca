//===- Places.h - Places of handles in lists -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_PLACES_H
#define OP2_LIB_RUNTIME_RANKS_PLACES_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace op2::rt {

/// Where it is in the list; its end if it is not there.
template <class T>
std::size_t placeOf(std::vector<T *> const &all, T const *one) {
  return std::size_t(std::find(all.begin(), all.end(), one) - all.begin());
}

/// The same; what is not there is added.
template <class T> int32_t placeOrAdd(std::vector<T *> &all, T *one) {
  std::size_t place = placeOf(all, one);
  if (place == all.size())
    all.push_back(one);
  return static_cast<int32_t>(place);
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_PLACES_H
