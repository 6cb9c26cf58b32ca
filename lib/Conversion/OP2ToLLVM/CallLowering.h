//===- CallLowering.h - Ops that are one call of the runtime ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOLLVM_CALLLOWERING_H
#define OP2_LIB_CONVERSION_OP2TOLLVM_CALLLOWERING_H

#include "OP2ToLLVM.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace mlir::op2 {

/// An op that needs constants in the module.
template <typename OpTy>
struct LoweringWithGlobals : public ConvertOpToLLVMPattern<OpTy> {
  LoweringWithGlobals(const LLVMTypeConverter &converter, SymbolTable &symbols)
      : ConvertOpToLLVMPattern<OpTy>(converter), symbols(symbols) {}

protected:
  Value createString(OpBuilder &builder, Operation *op, StringRef text) const {
    return op2::createString(builder, op->getLoc(), symbols, text);
  }

  SymbolTable &symbols; ///< of the module
};

/// An op whose operands and result are those of one runtime function.
template <typename OpTy>
struct PlainCallLowering : public ConvertOpToLLVMPattern<OpTy> {
  PlainCallLowering(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpTy>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type resultType;
    if (op->getNumResults() == 1)
      resultType =
          this->getTypeConverter()->convertType(op->getResult(0).getType());
    Value result = callRuntime(rewriter, op.getLoc(), name, resultType,
                               adaptor.getOperands());
    if (resultType)
      rewriter.replaceOp(op, result);
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  StringRef name;
};

/// An op whose result is a field of a plan.
template <typename OpTy>
struct PlanFieldLowering : public ConvertOpToLLVMPattern<OpTy> {
  PlanFieldLowering(const LLVMTypeConverter &converter, PlanField field)
      : ConvertOpToLLVMPattern<OpTy>(converter), field(field) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, loadPlanField(rewriter, op.getLoc(), adaptor.getPlan(), field));
    return success();
  }

private:
  PlanField field;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOLLVM_CALLLOWERING_H
