//===- KernelException.cpp - What a kernel has thrown -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2rt.h"

#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <utility>

// One loop runs at a time; its threads come here together.
static std::mutex theMutex;
static std::exception_ptr theException;

extern "C" {
int32_t op2rt_has_exception = 0;
}

extern "C" void op2rt_keep_exception(void *exception) {
  abi::__cxa_begin_catch(exception);
  {
    std::lock_guard<std::mutex> lock(theMutex);
    if (!theException)
      theException = std::current_exception();
    __atomic_store_n(&op2rt_has_exception, 1, __ATOMIC_RELAXED);
  }
  abi::__cxa_end_catch();
}

extern "C" void op2rt_rethrow() {
  if (!__atomic_load_n(&op2rt_has_exception, __ATOMIC_RELAXED))
    return;
  std::exception_ptr exception = std::exchange(theException, nullptr);
  __atomic_store_n(&op2rt_has_exception, 0, __ATOMIC_RELAXED);
  std::rethrow_exception(exception);
}
