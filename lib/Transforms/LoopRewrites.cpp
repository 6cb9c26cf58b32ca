//===- LoopRewrites.cpp - Helpers of rewrites of loops --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRewrites.h"
#include "DebugScopes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::op2;

void op2::addKernel(func::FuncOp kernel, func::FuncOp original) {
  kernel.setPrivate();
  kernel->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(kernel.getContext(), LLVM::Linkage::Internal));
  SymbolTable(original->getParentOfType<ModuleOp>())
      .insert(kernel, Block::iterator(original));
  createOwnSubprogram(kernel);
}

void op2::copyPlanRequests(ParLoopOp from, ParLoopOp to) {
  to.setBlockSizeAttr(from.getBlockSizeAttr());
  to.setStrategyAttr(from.getStrategyAttr());
}

bool op2::isVariant(func::FuncOp function, VariantKind variant) {
  auto attr = function ? function->getAttrOfType<VariantKindAttr>(kVariantAttr)
                       : VariantKindAttr();
  return attr && attr.getValue() == variant;
}

void op2::addOutcome(ParLoopOp loop, const Twine &outcome) {
  auto function = loop->getParentOfType<func::FuncOp>();
  if (!function || !function->hasAttr(kVariantAttr))
    return;
  std::string text;
  if (auto before = function->getAttrOfType<StringAttr>(kOutcomeAttr))
    text = before.getValue().str() + "; ";
  function->setAttr(kOutcomeAttr, StringAttr::get(function.getContext(),
                                                  Twine(text) + outcome));
}

void op2::dropBody(func::FuncOp function) {
  function.eraseBody();
  function.setPrivate();
}
