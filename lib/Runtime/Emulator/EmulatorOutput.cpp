//===- EmulatorOutput.cpp - printf and assert of kernels --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2emu.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {
/// The values of one call, one after the other.
class PrintedValues {
public:
  explicit PrintedValues(void const *values)
      : next(static_cast<char const *>(values)) {}

  template <class T> T take() {
    auto place = reinterpret_cast<uintptr_t>(next);
    next += (sizeof(T) - place % sizeof(T)) % sizeof(T);
    T value;
    std::memcpy(&value, next, sizeof(T));
    next += sizeof(T);
    return value;
  }

private:
  char const *next;
};
} // namespace

// Each format is one conversion that was taken from the kernel's.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/// Prints one value by `conversion`, which begins with %; false if it has a
/// type that kernels cannot pass.
static bool printValue(std::string const &conversion, PrintedValues &values) {
  char type = conversion.back();
  bool isWide = conversion.find_first_of("ljzt") != std::string::npos;
  if (std::strchr("diouxXc", type)) {
    if (isWide)
      std::printf(conversion.c_str(), values.take<long long>());
    else
      std::printf(conversion.c_str(), values.take<int>());
  } else if (std::strchr("fFeEgGaA", type)) {
    std::printf(conversion.c_str(), values.take<double>());
  } else if (type == 's' || type == 'p') {
    std::printf(conversion.c_str(), values.take<void *>());
  } else {
    return false;
  }
  return true;
}

#pragma GCC diagnostic pop

extern "C" int32_t op2emu_print(char const *format, void const *given) {
  PrintedValues values(given);
  int32_t count = 0;
  for (char const *at = format; *at;) {
    if (*at != '%' || at[1] == '%') {
      std::putchar(*at);
      at += *at == '%' ? 2 : 1;
      continue;
    }
    std::string conversion(1, *at++);
    while (*at && std::strchr("-+ #0123456789.*hljzt", *at)) {
      if (*at == '*')
        conversion += std::to_string(values.take<int>());
      else
        conversion += *at;
      ++at;
    }
    if (!*at)
      return -1;
    conversion += *at++;
    if (!printValue(conversion, values))
      return -1;
    ++count;
  }
  return count;
}

extern "C" void op2emu_assert(char const *expression, char const *file,
                              int32_t line, char const *function, int64_t) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, int(line),
               function, expression);
  std::abort();
}
