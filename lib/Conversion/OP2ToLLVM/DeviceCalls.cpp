//===- DeviceCalls.cpp - Ops that prepare launches ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of include/OP2/Runtime/op2rt_device.h.
//
//===----------------------------------------------------------------------===//

#include "CallLowering.h"
#include "OP2/Runtime/op2rt_device.h"

using namespace mlir;
using namespace mlir::op2;

static_assert(int(PlanArray::BlockBegin) == OP2RT_DEVICE_BLOCK_BEGIN &&
              int(PlanArray::NumColors) == OP2RT_DEVICE_NUM_COLORS &&
              int(PlanArray::StageOffset) == OP2RT_DEVICE_STAGE_OFFSET &&
              int(PlanArray::LocalMap) == OP2RT_DEVICE_LOCAL_MAP &&
              int(PlanArray::Permutation) == OP2RT_DEVICE_PERMUTATION);
static_assert(int(Target::CUDA) == OP2RT_TARGET_CUDA &&
              int(Target::Emulator) == OP2RT_TARGET_EMULATOR);

static Value createInt(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

namespace {

/// Ops that ask for the address of something of an argument.
template <typename OpTy>
struct AddressLowering : public ConvertOpToLLVMPattern<OpTy> {
  AddressLowering(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpTy>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value arg = createInt(rewriter, op.getLoc(), op.getArg());
    rewriter.replaceOp(op, callRuntime(rewriter, op.getLoc(), name,
                                       this->getPtrType(),
                                       {adaptor.getLoop(), arg}));
    return success();
  }

private:
  StringRef name;
};

struct DeviceDatLowering : public ConvertOpToLLVMPattern<DeviceDatOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceDatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    StringRef name = op.getSoa() ? "op2rt_device_dat_soa" : "op2rt_device_dat";
    Value arg = createInt(rewriter, op.getLoc(), op.getArg());
    rewriter.replaceOp(op, callRuntime(rewriter, op.getLoc(), name,
                                       getPtrType(), {adaptor.getLoop(), arg}));
    return success();
  }
};

struct DeviceDatStrideLowering
    : public ConvertOpToLLVMPattern<DeviceDatStrideOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceDatStrideOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value arg = createInt(rewriter, op.getLoc(), op.getArg());
    rewriter.replaceOp(
        op, callRuntime(rewriter, op.getLoc(), "op2rt_device_dat_stride",
                        rewriter.getI64Type(), {adaptor.getLoop(), arg}));
    return success();
  }
};

struct DeviceMapLowering : public ConvertOpToLLVMPattern<DeviceMapOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceMapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value arg = createInt(rewriter, loc, op.getArg());
    Value address = callRuntime(rewriter, loc, "op2rt_device_map", getPtrType(),
                                {adaptor.getLoop(), arg});
    Value stride = callRuntime(rewriter, loc, "op2rt_device_map_stride",
                               rewriter.getI64Type(), {adaptor.getLoop(), arg});
    rewriter.replaceOp(op, {address, stride});
    return success();
  }
};

struct PlanArrayLowering : public ConvertOpToLLVMPattern<DevicePlanArrayOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DevicePlanArrayOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "op2rt_device_plan_array", getPtrType(),
                        {adaptor.getLoop(), adaptor.getPlan(),
                         createInt(rewriter, loc, int64_t(op.getArray())),
                         createInt(rewriter, loc, op.getArg()),
                         createInt(rewriter, loc, op.getRow())}));
    return success();
  }
};

struct DeviceReductionBeginLowering
    : public ConvertOpToLLVMPattern<DeviceReductionBeginOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceReductionBeginOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value reduction =
        callRuntime(rewriter, loc, "op2rt_device_reduction_begin", getPtrType(),
                    {adaptor.getLoop(), createInt(rewriter, loc, op.getArg()),
                     adaptor.getCount()});
    Value address = callRuntime(rewriter, loc, "op2rt_device_reduction_data",
                                getPtrType(), reduction);
    rewriter.replaceOp(op, {reduction, address});
    return success();
  }
};

} // namespace

void op2::populateDeviceCallPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<DeviceDatLowering, DeviceDatStrideLowering, DeviceMapLowering,
               PlanArrayLowering, DeviceReductionBeginLowering>(converter);
  patterns.add<AddressLowering<DeviceGlobalOp>>(converter,
                                                "op2rt_device_global");
  patterns.add<PlanFieldLowering<StageBytesOp>>(converter,
                                                PlanField::StageBytes);
  patterns.add<PlanFieldLowering<NumBlocksOp>>(converter, PlanField::NumBlocks);
  patterns.add<PlainCallLowering<DeviceReductionEndOp>>(
      converter, "op2rt_device_reduction_end");
}
