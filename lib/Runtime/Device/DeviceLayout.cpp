//===- DeviceLayout.cpp - Structs of arrays ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values move element by element, in parallel if there are many.
//
//===----------------------------------------------------------------------===//

#include "DeviceLayout.h"

#include <cstring>

using namespace op2::rt;

// A component may have more bytes than its type: what is not looked into may be
// anything.
static std::size_t componentBytes(Dat const &dat) {
  return static_cast<std::size_t>(dat.size / dat.dim);
}

std::size_t op2::rt::bytesAsSoA(Dat const &dat) {
  return static_cast<std::size_t>(dat.set->stride) *
         static_cast<std::size_t>(dat.size);
}

/// copy(place in the struct of arrays, place in the array of structs).
template <class Copy> static void forEachValue(Dat const &dat, Copy copy) {
  int64_t size = rowsOf(dat.set), stride = dat.set->stride, dim = dat.dim;
#pragma omp parallel for schedule(static) if (size * dim > (1 << 16))
  for (int64_t n = 0; n < size; ++n)
    for (int64_t c = 0; c < dim; ++c)
      copy(c * stride + n, n * dim + c);
}

/// The same for components of a size that the compiler knows.
template <std::size_t Bytes>
static void moveValues(Dat const &dat, char const *from, char *to,
                       bool isToSoA) {
  forEachValue(dat, [&](int64_t inSoA, int64_t inAoS) {
    auto target = static_cast<std::size_t>(isToSoA ? inSoA : inAoS);
    auto source = static_cast<std::size_t>(isToSoA ? inAoS : inSoA);
    std::memcpy(to + target * Bytes, from + source * Bytes, Bytes);
  });
}

static void moveValues(Dat const &dat, char const *from, char *to,
                       bool isToSoA) {
  std::size_t bytes = componentBytes(dat);
  switch (bytes) {
  case 1:
    return moveValues<1>(dat, from, to, isToSoA);
  case 4:
    return moveValues<4>(dat, from, to, isToSoA);
  case 8:
    return moveValues<8>(dat, from, to, isToSoA);
  }
  forEachValue(dat, [&](int64_t inSoA, int64_t inAoS) {
    auto target = static_cast<std::size_t>(isToSoA ? inSoA : inAoS);
    auto source = static_cast<std::size_t>(isToSoA ? inAoS : inSoA);
    std::memcpy(to + target * bytes, from + source * bytes, bytes);
  });
}

void op2::rt::toSoA(Dat const &dat, char const *values, char *arrays) {
  moveValues(dat, values, arrays, /*isToSoA=*/true);
}

void op2::rt::fromSoA(Dat const &dat, char const *arrays, char *values) {
  moveValues(dat, arrays, values, /*isToSoA=*/false);
}

void op2::rt::reportConversions() {
  for (Dat const *dat : registry().dats)
    if (dat->conversions > 0)
      op_printf(
          "op2: dat %s was converted to another layout on the device %lld "
          "times, %.3f MB each, the last time for loop %s\n",
          dat->name, static_cast<long long>(dat->conversions),
          double(dat->bytes) * 1e-6, dat->convertedFor.c_str());
}
