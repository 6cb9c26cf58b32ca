//===- Workers.h - Programs in processes of their own -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that goes wrong may crash, hang, or end its process with an error
// of the runtime. So programs run in children, many in each; the parent hears
// from them what they are at, stops those that take too long, and goes on
// behind the program that ended one.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_WORKERS_H
#define OP2_TOOLS_FUZZ_WORKERS_H

#include "Check.h"

#include <functional>

namespace mlir::op2::fuzz {

/// What a program that fails is known by.
struct Finding {
  uint64_t seed = 0;
  int variant = -1; ///< -1: the module itself
  std::string message;
};

struct Campaign {
  uint64_t firstSeed = 1;
  int64_t programs = 0; ///< 0: until the time is over
  double time = 0;      ///< seconds; 0: no limit
  int jobs = 1;
  Settings settings;
};

/// Runs programs, tells what is found as it is found, and adds to the coverage.
/// Returns the number of programs.
int64_t runCampaign(const Campaign &campaign, Coverage &coverage,
                    const std::function<void(const Finding &)> &found);

/// Runs one program in one variant in a child; what is wrong with it, "" if
/// nothing is.
std::string checkAlone(const Program &program, const Variant &variant);

/// All dialects and translations.
void fillRegistry(DialectRegistry &registry);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_WORKERS_H
