//===- Run.h - Compiles and runs a program in this process ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_FUZZ_RUN_H
#define OP2_TOOLS_FUZZ_RUN_H

#include "Coverage.h"
#include "Program.h"
#include "Variant.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace llvm::orc {
class JITTargetMachineBuilder;
}

namespace mlir::op2::fuzz {

/// What a program showed, or why it could not.
struct Outcome {
  std::vector<uint64_t> values;
  std::string error;
};

/// Compiles and runs programs of one context, one after the other. What a
/// program does may end the process: see Workers.h.
class Runner {
public:
  Runner(MLIRContext &context, Coverage &coverage);
  ~Runner();

  Outcome run(ModuleOp module, const Variant &variant);
  /// Counts what a run was.
  void count(const std::string &what) { coverage.add(what); }

private:
  std::string execute(ModuleOp module, const Variant &variant);

  MLIRContext &context;
  Coverage &coverage;
  std::unique_ptr<llvm::orc::JITTargetMachineBuilder> host;
};

} // namespace mlir::op2::fuzz

#endif // OP2_TOOLS_FUZZ_RUN_H
