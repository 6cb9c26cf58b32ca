//===- DebugScopes.cpp - Debug information of copied functions ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugScopes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

static LLVM::DISubprogramAttr findSubprogram(Location loc) {
  auto fused = dyn_cast<FusedLocWith<LLVM::DISubprogramAttr>>(loc);
  return fused ? fused.getMetadata() : LLVM::DISubprogramAttr();
}

void op2::createOwnSubprogram(Operation *function) {
  LLVM::DISubprogramAttr shared = findSubprogram(function->getLoc());
  if (!shared)
    return;
  MLIRContext *context = function->getContext();
  auto own = LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)),
      shared.getCompileUnit(), shared.getScope(), shared.getName(),
      shared.getLinkageName(), shared.getFile(), shared.getLine(),
      shared.getScopeLine(), shared.getSubprogramFlags(), shared.getType(),
      shared.getRetainedNodes(), shared.getAnnotations());
  // Blocks and inlined calls name the subprogram as their scope; so do the
  // places in annotations of loops.
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LLVM::DISubprogramAttr attr)
                              -> AttrTypeReplacer::ReplaceFnResult<Attribute> {
    return std::make_pair(Attribute(attr == shared ? own : attr),
                          WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true);
}
