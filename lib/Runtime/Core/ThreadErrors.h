//===- ThreadErrors.h - Exceptions of parallel regions ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_THREADERRORS_H
#define OP2_LIB_RUNTIME_CORE_THREADERRORS_H

#include <cstddef>
#include <exception>
#include <mutex>

namespace op2::rt {

/// Exceptions must not leave a parallel region: the first one waits here for
/// its end. Mostly that is std::bad_alloc.
class ThreadErrors {
public:
  /// In the region, what may throw.
  template <class Body> void keep(Body body) noexcept {
    try {
      body();
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      if (!first)
        first = std::current_exception();
    }
  }

  /// Behind it.
  void rethrow() const {
    if (first)
      std::rethrow_exception(first);
  }

private:
  std::mutex mutex;
  std::exception_ptr first;
};

/// body(part) for each part, mostly one a thread.
template <class Body> void forParts(std::size_t count, Body body) {
  ThreadErrors errors;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < count; ++part)
    errors.keep([&] { body(part); });
  errors.rethrow();
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_THREADERRORS_H
