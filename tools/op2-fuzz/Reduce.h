//===- Reduce.h - Makes a program that fails small --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_REDUCE_H
#define OP2_TOOLS_FUZZ_REDUCE_H

#include "Program.h"
#include "Variant.h"

#include <functional>

namespace mlir::op2::fuzz {

/// Takes away what is not needed for the program to fail in the variant, as
/// long as there is something, or until the time in seconds is over. `fails`
/// says whether a candidate does.
void reduce(Program &program, Variant &variant, double time,
            const std::function<bool(const Program &, const Variant &)> &fails);

/// How large a program is: for reports.
std::string describeSize(const Program &program);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_REDUCE_H
