//===- failing-calls.cpp - Functions that fail on request -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A library for LD_PRELOAD: with FAILING_CALL=name or name@n in the environment
// the n-th call of that function and all later ones fail, and errno says that
// the disk is full. For what a test cannot bring about: damage that HDF5 finds
// late, no memory, no /proc.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

static bool isTold(char const *name, int &calls) {
  char const *told = std::getenv("FAILING_CALL");
  if (!told)
    return false;
  std::size_t length = std::strcspn(told, "@");
  if (std::strlen(name) != length || std::strncmp(told, name, length) != 0)
    return false;
  return ++calls >= (told[length] ? std::atoi(told + length + 1) : 1);
}

// Whatever the parameters are: integers and pointers, eight at most.
using Any = long;
using Function = Any(Any, Any, Any, Any, Any, Any, Any, Any);

#define FAILS(NAME, RESULT)                                                    \
  extern "C" Any NAME(Any a, Any b, Any c, Any d, Any e, Any f, Any g,         \
                      Any h) {                                                 \
    static int calls = 0;                                                      \
    if (isTold(#NAME, calls)) {                                                \
      errno = ENOSPC;                                                          \
      return RESULT;                                                           \
    }                                                                          \
    auto *next = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, #NAME));        \
    return next(a, b, c, d, e, f, g, h);                                       \
  }

FAILS(H5Acreate2, -1)
FAILS(H5Dget_space, -1)
FAILS(H5Dget_type, -1)
FAILS(H5Dclose, -1)
FAILS(H5Dopen2, -1)
FAILS(H5Dread, -1)
FAILS(H5Dwrite, -1)
FAILS(H5Fclose, -1)
FAILS(H5Fflush, -1)
FAILS(H5Gcreate2, -1)
FAILS(H5Ovisit, -1)
FAILS(chmod, -1)
FAILS(fallocate, -1)
FAILS(op_malloc, 0)
FAILS(readlink, -1)
FAILS(rename, -1)
