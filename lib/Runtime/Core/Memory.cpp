//===- Memory.cpp - Aligned storage -----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of dats and maps, and the op_malloc family.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Error.h"
#include "OP2/API/op_lib_core.h"
#include "OP2/Runtime/op2rt.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace op2::rt;

// Arrays from this size on start at a huge page and ask for huge pages: a
// gather through a map otherwise misses the TLB at almost every element.
static constexpr size_t kHugePage = size_t(2) << 20;
// Pieces of first-touch work.
static constexpr int64_t kChunk = int64_t(1) << 20;

static void *allocateAligned(size_t bytes) {
  size_t alignment = bytes >= 2 * kHugePage ? kHugePage : OP2_ALIGNMENT;
  // aligned_alloc wants a multiple of the alignment, and a size of 0 must not
  // look like failure.
  size_t rounded = (bytes / alignment + 1) * alignment;
  if (rounded < bytes)
    return nullptr;
  void *data = std::aligned_alloc(alignment, rounded);
#ifdef MADV_HUGEPAGE
  if (data && alignment == kHugePage)
    madvise(data, rounded, MADV_HUGEPAGE); // advice only: failure is harmless
#endif
  return data;
}

static void failFor
    [[noreturn]] (int64_t count, int64_t size, std::string const &what) {
  fatal(Problem::Memory,
        "out of memory: %s needs %.1f MiB (%lld elements of %lld bytes)",
        what.c_str(), double(count) * double(size) / (1 << 20),
        static_cast<long long>(count), static_cast<long long>(size));
}

void op2::rt::endWithoutMemory(char const *where) {
  fatal(Problem::Memory, "out of memory in %s", where);
}

char *op2::rt::tryAllocateUnset(int64_t count, int64_t size) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    return nullptr;
  return static_cast<char *>(allocateAligned(static_cast<size_t>(bytes)));
}

char *op2::rt::allocateUnset(int64_t count, int64_t size,
                             std::string const &what) {
  char *data = tryAllocateUnset(count, size);
  if (!data)
    failFor(count, size, what);
  return data;
}

template <class Fill> static void inChunks(int64_t bytes, Fill fill) {
  int64_t chunks = (bytes + kChunk - 1) / kChunk;
#pragma omp parallel for schedule(static) if (chunks > 4)
  for (int64_t c = 0; c < chunks; ++c)
    fill(c * kChunk, std::min(kChunk, bytes - c * kChunk));
}

static void clear(char *data, int64_t size) {
  std::memset(data, 0, static_cast<size_t>(size));
}

/// The same past the caches: what is there stays, and what is filled is not
/// read first.
static void clearInMemory(char *data, int64_t size) {
#if defined(__has_builtin) && __has_builtin(__builtin_nontemporal_store)
  using Line = int64_t __attribute__((vector_size(64)));
  if (reinterpret_cast<uintptr_t>(data) % alignof(Line) != 0)
    return clear(data, size);
  int64_t const lines = size / int64_t(sizeof(Line));
  for (int64_t n = 0; n < lines; ++n)
    __builtin_nontemporal_store(Line{}, reinterpret_cast<Line *>(data) + n);
  // Other threads see it after what follows.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int64_t const done = lines * int64_t(sizeof(Line));
  data += done;
  size -= done;
#endif
  clear(data, size);
}

void op2::rt::fillWithZeros(char *data, int64_t bytes) {
  // More than caches keep until a loop comes.
  constexpr int64_t kLarge = 4 * kChunk;
  auto const fill = bytes > kLarge ? clearInMemory : clear;
  inChunks(bytes, [&](int64_t at, int64_t size) { fill(data + at, size); });
}

char *op2::rt::allocateZeroed(int64_t count, int64_t size,
                              std::string const &what) {
  char *data = allocateUnset(count, size, what);
  inChunks(count * size,
           [&](int64_t at, int64_t bytes) { clear(data + at, bytes); });
  return data;
}

char *op2::rt::allocateCopy(void const *source, int64_t count, int64_t size,
                            std::string const &what) {
  char *data = allocateUnset(count, size, what);
  inChunks(count * size, [&](int64_t at, int64_t bytes) {
    std::memcpy(data + at, static_cast<char const *>(source) + at,
                static_cast<size_t>(bytes));
  });
  return data;
}

char *op2::rt::allocateGathered(void const *source, int32_t const *order,
                                int64_t count, int64_t size,
                                std::string const &what) {
  char *data = allocateUnset(count, size, what);
  auto const *from = static_cast<char const *>(source);
#pragma omp parallel for schedule(static) if (count * size > 4 * kChunk)
  for (int64_t n = 0; n < count; ++n)
    std::memcpy(data + n * size, from + order[n] * size,
                static_cast<size_t>(size));
  return data;
}

void op2::rt::gatherInPlace(void *values, int32_t const *order, int64_t count,
                            int64_t size, std::string const &what) {
  char *gathered = allocateGathered(values, order, count, size, what);
  std::memcpy(values, gathered, static_cast<size_t>(count * size));
  deallocate(gathered);
}

void op2::rt::deallocate(void *data) { std::free(data); }

// Never empty.
static size_t pagesOf(int64_t bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (static_cast<size_t>(bytes) / page + 1) * page;
}

char *op2::rt::allocatePages(int64_t count, int64_t size,
                             std::string const &what) {
  void *pages = mmap(nullptr, pagesOf(count * size), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    failFor(count, size, what);
  return static_cast<char *>(pages);
}

void op2::rt::closePages(char *pages, int64_t bytes) {
  madvise(pages, pagesOf(bytes), MADV_DONTNEED);
  mprotect(pages, pagesOf(bytes), PROT_NONE);
}
void op2::rt::openPages(char *pages, int64_t bytes) {
  mprotect(pages, pagesOf(bytes), PROT_READ | PROT_WRITE);
}
void op2::rt::protectPages(char *pages, int64_t bytes) {
  mprotect(pages, pagesOf(bytes), PROT_READ);
}
void op2::rt::releasePages(char *pages, int64_t bytes) {
  munmap(pages, pagesOf(bytes));
}

extern "C" void *op_malloc(size_t bytes) { return allocateAligned(bytes); }

extern "C" void *op_calloc(size_t count, size_t bytes) {
  size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total))
    return nullptr;
  void *data = allocateAligned(total);
  return data ? std::memset(data, 0, total) : nullptr;
}

extern "C" void *op_realloc(void *data, size_t bytes) {
  // realloc keeps the values but not the alignment. Without memory for new
  // ones the old block stays.
  void *grown = allocateAligned(bytes);
  if (data && grown)
    std::memcpy(grown, data, std::min(bytes, malloc_usable_size(data)));
  if (grown)
    std::free(data);
  return grown;
}

extern "C" void op_free(void *data) { std::free(data); }
