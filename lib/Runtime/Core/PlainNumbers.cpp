//===- PlainNumbers.cpp - Numbers without a locale ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainNumbers.h"

#include <charconv>
#include <cmath>

using namespace op2::rt;

PlainNumbers::PlainNumbers() {
  static locale_t const plain = newlocale(LC_ALL_MASK, "C", nullptr);
  before = uselocale(plain);
}

PlainNumbers::~PlainNumbers() { uselocale(before); }

double op2::rt::readPlainNumber(std::string const &text) {
  double number = 0;
  char const *end = text.data() + text.size();
  auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end ? number : std::nan("");
}
