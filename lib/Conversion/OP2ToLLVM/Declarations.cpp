//===- Declarations.cpp - Sets, maps, dats and constants ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallLowering.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;
using namespace mlir::op2;

/// Number of values that a memref holds, as i64.
static Value getNumValues(OpBuilder &builder, Location loc, Value descriptor,
                          MemRefType type) {
  Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), 1);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    count = LLVM::MulOp::create(
        builder, loc, count,
        MemRefDescriptor(descriptor).size(builder, loc, dim));
  return count;
}

namespace {

struct DeclSetLowering : public LoweringWithGlobals<DeclSetOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(DeclSetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value name = createString(rewriter, op, op.getSym());
    rewriter.replaceOp(op,
                       callRuntime(rewriter, op.getLoc(), "op2rt_decl_set",
                                   getPtrType(), {adaptor.getSize(), name}));
    return success();
  }
};

struct DeclMapLowering : public LoweringWithGlobals<DeclMapOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(DeclMapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getValues().getType());
    Value arity = LLVM::ConstantOp::create(
        rewriter, loc, rewriter.getI32Type(),
        cast<MapType>(op.getMap().getType()).getArity());
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "op2rt_decl_map", getPtrType(),
                        {adaptor.getFrom(), adaptor.getTo(), arity,
                         getAddress(rewriter, loc, *getTypeConverter(),
                                    adaptor.getValues(), type),
                         getNumValues(rewriter, loc, adaptor.getValues(), type),
                         createString(rewriter, op, op.getSym())}));
    return success();
  }
};

struct DeclDatLowering : public LoweringWithGlobals<DeclDatOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(DeclDatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<DatType>(op.getDat().getType());
    Type i32 = rewriter.getI32Type();
    Value data, count;
    if (op.getValues()) {
      auto memref = cast<MemRefType>(op.getValues().getType());
      data = getAddress(rewriter, loc, *getTypeConverter(), adaptor.getValues(),
                        memref);
      count = getNumValues(rewriter, loc, adaptor.getValues(), memref);
    } else {
      data = LLVM::ZeroOp::create(rewriter, loc, getPtrType());
      count = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(), 0);
    }
    Value dim = LLVM::ConstantOp::create(rewriter, loc, i32, type.getDim());
    Value code = LLVM::ConstantOp::create(
        rewriter, loc, i32, getRuntimeType(type.getElementType()));
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "op2rt_decl_dat", getPtrType(),
                        {adaptor.getSet(), dim, code, data, count,
                         createString(rewriter, op, op.getSym())}));
    return success();
  }
};

struct DeclConstLowering : public LoweringWithGlobals<DeclConstOp> {
  using LoweringWithGlobals::LoweringWithGlobals;

  LogicalResult
  matchAndRewrite(DeclConstOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getType());
    Type i32 = rewriter.getI32Type();
    int64_t count = type.getNumElements();
    callRuntime(
        rewriter, loc, "op2rt_decl_const", {},
        {LLVM::ConstantOp::create(rewriter, loc, i32, count),
         LLVM::ConstantOp::create(rewriter, loc, i32,
                                  getRuntimeType(type.getElementType())),
         LLVM::AddressOfOp::create(rewriter, loc, getPtrType(), op.getGlobal()),
         LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(), count),
         createString(rewriter, op, op.getGlobal())});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FetchLowering : public ConvertOpToLLVMPattern<FetchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(FetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getTarget().getType());
    Value code =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                 getRuntimeType(type.getElementType()));
    callRuntime(rewriter, loc, "op2rt_fetch", {},
                {adaptor.getDat(), code,
                 getAddress(rewriter, loc, *getTypeConverter(),
                            adaptor.getTarget(), type),
                 getNumValues(rewriter, loc, adaptor.getTarget(), type)});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void op2::populateDeclarationPatterns(const LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      SymbolTable &symbols) {
  patterns.add<DeclSetLowering, DeclMapLowering, DeclDatLowering,
               DeclConstLowering>(converter, symbols);
  patterns.add<FetchLowering>(converter);
}
