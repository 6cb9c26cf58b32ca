//===- Error.h - Errors and warnings of the program -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library says of a program goes through here, so each message has the
// id of its kind, and below the first one of a kind what to do about it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_ERROR_H
#define OP2_LIB_RUNTIME_CORE_ERROR_H

#include "OP2/Problems.h"

#include <cstdint>

namespace op2::rt {

using op2::Problem;

/// Ends the program with exit status 1 and "op2 error: ... [op2-<name>]" on
/// stderr, which names the object, the value and what was expected. By any
/// thread; on ranks it ends the others.
[[noreturn]] void fatal(Problem problem, char const *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Says "op2 warning: ... [op2-<name>]", behind what the program has printed.
void warning(Problem problem, char const *format, ...)
    __attribute__((format(printf, 2, 3)));

/// The number that messages give the first argument, slot, element or
/// component: 1 in Fortran programs.
extern int firstNumber;
inline long long shown(int64_t number) { return number + firstNumber; }

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_ERROR_H
