//===- Coverage.h - Features that random programs have used -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fuzzer whose programs never reach a feature says nothing about it: what
// programs have, and what passes make of it, is counted, and the end of a long
// run asks for each.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_COVERAGE_H
#define OP2_TOOLS_FUZZ_COVERAGE_H

#include "Program.h"
#include "Variant.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <map>

namespace mlir::op2::fuzz {

class Coverage {
public:
  void add(const std::string &what, int64_t count = 1) {
    counts[what] += count;
  }
  void addSeconds(const std::string &phase, double time) {
    seconds[phase] += time;
  }
  /// The features of a description.
  void addProgram(const Program &program);
  void addVariant(const Variant &variant);
  /// Counts what passes leave; the manager owns it.
  std::unique_ptr<PassInstrumentation> createInstrumentation();

  /// Features that a run of so many programs must have met, and has not.
  std::vector<std::string> findVoid(int64_t programs, bool hasOpenMP,
                                    bool hasEmulator) const;

  std::map<std::string, int64_t> counts;
  std::map<std::string, double> seconds;
};

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_COVERAGE_H
