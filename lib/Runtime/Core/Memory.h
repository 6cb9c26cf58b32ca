//===- Memory.h - Aligned storage -------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_MEMORY_H
#define OP2_LIB_RUNTIME_CORE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace op2::rt {

/// Aligned storage for `count` elements of `size` bytes, not filled: pages will
/// lie near who touches them first. If there is not enough memory: an error
/// with the bytes that were needed for `what`. Never NULL. Free with
/// deallocate().
char *allocateUnset(int64_t count, int64_t size, std::string const &what);
/// The same, but NULL if there is not enough memory.
char *tryAllocateUnset(int64_t count, int64_t size);
/// The same as the first, zero-filled by several threads.
char *allocateZeroed(int64_t count, int64_t size, std::string const &what);
/// The same, filled from `source`.
char *allocateCopy(void const *source, int64_t count, int64_t size,
                   std::string const &what);
/// The same; element n is element order[n] of `source`.
char *allocateGathered(void const *source, int32_t const *order, int64_t count,
                       int64_t size, std::string const &what);
/// Puts element order[n] in place n, without moving `values` elsewhere.
void gatherInPlace(void *values, int32_t const *order, int64_t count,
                   int64_t size, std::string const &what);
void deallocate(void *data);
/// Zeros in pages of their own. An error as above if there is not enough.
char *allocatePages(int64_t count, int64_t size, std::string const &what);
/// Nobody may touch these pages any more, and they need no memory; or, again,
/// everybody may. They do not move.
void closePages(char *pages, int64_t bytes);
void openPages(char *pages, int64_t bytes);
/// Nobody may write there.
void protectPages(char *pages, int64_t bytes);
void releasePages(char *pages, int64_t bytes);
/// By several threads; past the caches if it is more than they keep.
void fillWithZeros(char *data, int64_t bytes);

/// An error for std::bad_alloc that must not leave the library, whose state
/// would be half of what it was and half of what it should become.
[[noreturn]] void endWithoutMemory(char const *where);

/// Takes such storage for a container, whose resize() does not fill it.
template <class T> struct UnsetAllocator {
  using value_type = T;
  UnsetAllocator() = default;
  template <class U> UnsetAllocator(UnsetAllocator<U> const &) {}
  T *allocate(std::size_t count) {
    return reinterpret_cast<T *>(
        allocateUnset(int64_t(count), int64_t(sizeof(T)), "an array"));
  }
  void deallocate(T *data, std::size_t) { rt::deallocate(data); }
  template <class U> void construct(U *at) { ::new (at) U; }
  template <class U, class... Values>
  void construct(U *at, Values &&...values) {
    ::new (at) U(std::forward<Values>(values)...);
  }
  friend bool operator==(UnsetAllocator, UnsetAllocator) { return true; }
  friend bool operator!=(UnsetAllocator, UnsetAllocator) { return false; }
};
/// A large array, filled by whoever made it.
template <class T> using LargeVector = std::vector<T, UnsetAllocator<T>>;

/// To assign {} to a vector keeps its memory.
template <class T> void releaseMemory(T &values) { values = T(); }

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_MEMORY_H
