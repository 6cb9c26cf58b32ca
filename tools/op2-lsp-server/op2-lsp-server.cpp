//===- op2-lsp-server.cpp - Language server for op2 programs --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  // Those of LLVM's code generators, which are registered before MLIR's.
  llvm::cl::OptionCategory none("");
  llvm::cl::HideUnrelatedOptions(none);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::op2::registerOP2Dialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
