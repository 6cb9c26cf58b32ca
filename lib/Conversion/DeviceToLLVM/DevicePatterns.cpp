//===- DevicePatterns.cpp - Patterns for device code ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePatterns.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

/// Before upstream's patterns.
static constexpr unsigned kBenefit = 2;

namespace {

/// Additions for other blocks' sake: relaxed, of device scope. The
/// upstream pattern orders them against everything, which costs fences.
struct AtomicAddLowering : public ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  AtomicAddLowering(const LLVMTypeConverter &converter, bool isAMD)
      : ConvertOpToLLVMPattern(converter, kBenefit), isAMD(isAMD) {}

  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LLVM::AtomicBinOp kind;
    if (op.getKind() == arith::AtomicRMWKind::addf)
      kind = LLVM::AtomicBinOp::fadd;
    else if (op.getKind() == arith::AtomicRMWKind::addi)
      kind = LLVM::AtomicBinOp::add;
    else
      return rewriter.notifyMatchFailure(op, "not an addition");
    Value pointer = getStridedElementPtr(
        rewriter, op.getLoc(), cast<MemRefType>(op.getMemRefType()),
        adaptor.getMemref(), adaptor.getIndices());
    auto add = rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(
        op, kind, pointer, adaptor.getValue(), LLVM::AtomicOrdering::monotonic,
        /*syncscope=*/isAMD ? "agent" : "device");
    if (!isAMD)
      return success();
    // Data are in the device's own memory (hipMalloc): there is an instruction.
    auto *dialect =
        rewriter.getContext()->getLoadedDialect<ROCDL::ROCDLDialect>();
    dialect->getNoRemoteMemoryAttrHelper().setAttr(add, rewriter.getUnitAttr());
    dialect->getNoFineGrainedMemoryAttrHelper().setAttr(add,
                                                        rewriter.getUnitAttr());
    return success();
  }

private:
  bool isAMD;
};

/// Integers have instructions, too; the least one and zero are numbers like
/// others.
template <typename SourceOp, typename TargetOp>
struct IntegerLowering : public ConvertOpToLLVMPattern<SourceOp> {
  using ConvertOpToLLVMPattern<SourceOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<TargetOp>(op, adaptor.getOperand().getType(),
                                          adaptor.getOperand(),
                                          /*isPoison=*/false);
    return success();
  }
};

} // namespace

/// Mathematics with instructions of its own: no libdevice needed.
template <typename SourceOp, typename TargetOp>
using MathLowering =
    VectorConvertToLLVMPattern<SourceOp, TargetOp,
                               arith::AttrConvertFastMathToLLVM>;

void op2::populateDevicePatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns, bool isAMD) {
  patterns.add<AtomicAddLowering>(converter, isAMD);
  patterns.add<MathLowering<math::SqrtOp, LLVM::SqrtOp>,
               MathLowering<math::AbsFOp, LLVM::FAbsOp>,
               MathLowering<math::FmaOp, LLVM::FMAOp>,
               MathLowering<math::FloorOp, LLVM::FFloorOp>,
               MathLowering<math::CeilOp, LLVM::FCeilOp>,
               MathLowering<math::TruncOp, LLVM::FTruncOp>,
               MathLowering<math::RoundEvenOp, LLVM::RoundEvenOp>,
               MathLowering<math::CopySignOp, LLVM::CopySignOp>>(converter,
                                                                 kBenefit);
  patterns.add<
      IntegerLowering<math::AbsIOp, LLVM::AbsOp>,
      IntegerLowering<math::CountLeadingZerosOp, LLVM::CountLeadingZerosOp>,
      IntegerLowering<math::CountTrailingZerosOp, LLVM::CountTrailingZerosOp>,
      VectorConvertToLLVMPattern<math::CtPopOp, LLVM::CtPopOp>>(converter,
                                                                kBenefit);
}
