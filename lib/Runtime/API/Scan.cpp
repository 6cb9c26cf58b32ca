//===- Scan.cpp - Prefix sums over sets -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Threads.h"
#include "Core/Types.h"

#include <algorithm>
#include <string>
#include <type_traits>

using namespace op2::rt;

static void requireLike(Dat const &in, Dat const &out) {
  if (in.set != out.set)
    fatal(Problem::SetMismatch,
          "op_scan: dat %s lives on set %s, but dat %s on set %s; "
          "expected dats on one set",
          in.name, in.set->name, out.name, out.set->name);
  if (in.dim != out.dim || in.elementType != out.elementType)
    fatal(Problem::ValueType,
          "op_scan: dat %s holds %d values of type %s, dat %s %d of type "
          "%s; expected the same",
          in.name, in.dim, typeName(in.elementType), out.name, out.dim,
          typeName(out.elementType));
  if (isUserType(in.elementType) || in.elementType == OP2RT_BOOL)
    fatal(Problem::ValueType,
          "op_scan: dat %s holds values of type %s; expected numbers", in.name,
          typeName(in.elementType));
}

template <class T> static T addWrapping(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}

/// Each row of `in` before that of `out`: they may have the same storage.
template <class T, class Combine>
static void scan(Dat const &in, Dat &out, Combine combine) {
  auto const &toInternal = static_cast<Set const &>(*in.set).toInternal;
  auto const *from = reinterpret_cast<T const *>(in.data);
  auto *to = reinterpret_cast<T *>(out.data);
  int64_t dim = in.dim;
  std::vector<T> values(static_cast<std::size_t>(dim));
  for (int64_t e = 0; e < in.set->size; ++e) {
    int64_t row = (toInternal.empty() ? e : toInternal[e]) * dim;
    for (int64_t c = 0; c < dim; ++c) {
      values[c] = e == 0 ? from[row + c] : combine(values[c], T(from[row + c]));
      to[row + c] = values[c];
    }
  }
}

extern "C" void op_scan(op_dat in, op_dat out, char const *operation) {
  Call const call(__func__);
  requireRunning(__func__);
  Dat &source = requireDat(in, "op_scan, in");
  Dat &target = requireDat(out, "op_scan, out");
  requireLike(source, target);
  std::string word = operation ? operation : "(NULL)";
  if (word != "sum" && word != "min" && word != "max")
    fatal(Problem::Call,
          "op_scan: operation is \"%s\"; expected sum, min or max",
          word.c_str());
  if (hasRanks())
    fatal(Problem::NotOnRanks,
          "op_scan: dat %s: not there yet on several ranks; expected one "
          "process",
          source.name);
  makeHostCurrent(source);
  makeHostCurrent(target);
  forType(source.elementType, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if (word == "sum")
      scan<T>(source, target, addWrapping<T>);
    else if (word == "min")
      scan<T>(source, target, [](T a, T b) { return std::min(a, b); });
    else
      scan<T>(source, target, [](T a, T b) { return std::max(a, b); });
  });
  hostWritten(target);
}
