//===- Memory.h - Aligned storage -------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_MEMORY_H
#define OP2_LIB_RUNTIME_CORE_MEMORY_H

#include <cstdint>
#include <string>

namespace op2::rt {

/// Aligned storage for `count` elements of `size` bytes, zero-filled by several
/// threads, so that pages lie near those that will use them. If there is not
/// enough memory: an error with the bytes that were needed for `what`. Never
/// NULL. Free with deallocate().
char *allocateZeroed(int64_t count, int64_t size, std::string const &what);
/// The same, filled from `source`.
char *allocateCopy(void const *source, int64_t count, int64_t size,
                   std::string const &what);
/// The same; element n is element order[n] of `source`.
char *allocateGathered(void const *source, int32_t const *order, int64_t count,
                       int64_t size, std::string const &what);
void deallocate(void *data);
/// Zeros in pages of their own. An error as above if there is not enough.
char *allocatePages(int64_t count, int64_t size, std::string const &what);
/// Nobody may touch these pages any more, and they need no memory; or, again,
/// everybody may. They do not move.
void closePages(char *pages, int64_t bytes);
void openPages(char *pages, int64_t bytes);
void releasePages(char *pages, int64_t bytes);
/// By several threads.
void fillWithZeros(char *data, int64_t bytes);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_MEMORY_H
