//===- op2-opt.cpp - Run passes on op2 programs ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // Those of LLVM's code generators, which are registered before MLIR's.
  llvm::cl::OptionCategory none("");
  llvm::cl::HideUnrelatedOptions(none);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::op2::registerOP2Dialects(registry);
  mlir::registerAllPasses();
  mlir::op2::registerOP2Passes();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "op2 optimiser driver\n", registry));
}
