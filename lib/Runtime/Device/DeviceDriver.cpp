//===- DeviceDriver.cpp - The CUDA driver's interface -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the driver and its functions.
//
//===----------------------------------------------------------------------===//

#include "DeviceDriver.h"
#include "Core/Settings.h"

#include <dlfcn.h>

using namespace op2::rt;

template <class Function>
static bool find(void *library, char const *symbol, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

std::string CudaDriver::load() {
  char const *asked = settingText("OP2_CUDA_DRIVER");
  char const *file = asked ? asked : "libcuda.so.1";
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    char const *why = dlerror();
    return std::string("the CUDA driver was not found (") +
           (asked ? "OP2_CUDA_DRIVER: " : "") + (why ? why : file) + ")";
  }
#define OP2_CUDA_FIND(member, symbol, parameters)                              \
  if (!find(library, #symbol, member))                                         \
    return std::string("the CUDA driver ") + file + " has no function " +      \
           #symbol + "; a newer driver is needed";
  OP2_CUDA_FUNCTIONS(OP2_CUDA_FIND)
#undef OP2_CUDA_FIND
  return "";
}

std::string CudaDriver::describe(CUresult result) const {
  char const *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "unknown to the driver";
  if (getErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "error";
  return std::string(text) + " (" + name + ", " + std::to_string(result) + ")";
}
