//===- LoopAnnotations.cpp - What LLVM is not to do with loops ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopAnnotations.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::op2;

static constexpr llvm::StringLiteral kAnnotationAttr = "llvm.loop_annotation";

void op2::keepScalar(scf::ForOp loop, bool isShort) {
  MLIRContext *context = loop.getContext();
  auto disable = BoolAttr::get(context, true);
  auto vectorize = LLVM::LoopVectorizeAttr::get(
      context, disable, /*predicateEnable=*/{}, /*scalableEnable=*/{},
      /*width=*/{}, /*followupVectorized=*/{}, /*followupEpilogue=*/{},
      /*followupAll=*/{});
  LLVM::LoopUnrollAttr unroll;
  if (isShort)
    unroll = LLVM::LoopUnrollAttr::get(
        context, disable, /*count=*/{}, /*runtimeDisable=*/{}, /*full=*/{},
        /*followupUnrolled=*/{}, /*followupRemainder=*/{}, /*followupAll=*/{});
  loop->setAttr(kAnnotationAttr,
                LLVM::LoopAnnotationAttr::get(
                    context, /*disableNonforced=*/{}, vectorize,
                    /*interleave=*/{}, unroll, /*unrollAndJam=*/{},
                    /*licm=*/{}, /*distribute=*/{}, /*pipeline=*/{},
                    /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
                    /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
                    /*parallelAccesses=*/{}));
}

bool op2::isLeftToRows(ArrayRef<LoopArg> args, int64_t most) {
  return llvm::any_of(args, [&](const LoopArg &arg) {
    return arg.isDat() && arg.getDim() > most;
  });
}

void op2::annotateBranches(Operation *scope) {
  scope->walk([](LLVM::BrOp branch) {
    auto annotation =
        branch->getAttrOfType<LLVM::LoopAnnotationAttr>(kAnnotationAttr);
    if (!annotation)
      return;
    branch->removeDiscardableAttr(kAnnotationAttr);
    branch.setLoopAnnotationAttr(annotation);
  });
}
