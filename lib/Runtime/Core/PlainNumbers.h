//===- PlainNumbers.h - Numbers without a locale --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_PLAINNUMBERS_H
#define OP2_LIB_RUNTIME_CORE_PLAINNUMBERS_H

#include <clocale>
#include <string>

namespace op2::rt {

/// While it exists, this thread prints numbers as C's own locale has them,
/// whatever the program's is: what others read has no decimal commas.
class PlainNumbers {
public:
  PlainNumbers();
  ~PlainNumbers();
  PlainNumbers(PlainNumbers const &) = delete;
  PlainNumbers &operator=(PlainNumbers const &) = delete;

private:
  locale_t before;
};

/// The whole text as a number in that form; NaN if it is none.
double readPlainNumber(std::string const &text);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_PLAINNUMBERS_H
