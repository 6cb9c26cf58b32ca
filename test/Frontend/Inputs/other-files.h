//===- other-files.h - Functions that other files know ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "op_seq.h"

extern op_set cells;
extern op_dat q, marks;

extern "C" {
void step();
void marked();
void looked();
[[gnu::weak]] void replaced();
void elsewhere();
void called(double);
void variadic(int, ...);
[[noreturn]] void stops();
[[gnu::pure]] int pure();
double host(double x);
}
