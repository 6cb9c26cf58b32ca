//===- Check.h - Does a program give the oracle's results? ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_CHECK_H
#define OP2_TOOLS_FUZZ_CHECK_H

#include "Run.h"

#include <optional>

namespace mlir::op2::fuzz {

/// What the command line asks for.
struct Settings {
  bool openmp = true, emulator = true, gpu = true;
  /// A wrong constant in what is compared with the oracle.
  bool plants = false;
};

/// The variants that a program is compared in.
std::vector<Variant> variantsOf(const Program &program,
                                const Settings &settings);

/// What is compared with a variant: sequential, or, where sums are rounded, the
/// same with one thread.
Variant oracleOf(const Program &program, const Variant &variant);

struct Failure {
  Variant variant;
  std::string message;
};

/// Runs the program in all variants up to the first that differs. `reached`
/// hears of each run before it begins, as it may not return.
std::optional<Failure>
checkProgram(Runner &runner, const Program &program, MLIRContext &context,
             ArrayRef<Variant> variants,
             llvm::function_ref<void(int, const char *)> reached);

/// Changes a constant of a kernel: false if there is none of that kind.
bool plantMistake(ModuleOp module);

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_CHECK_H
