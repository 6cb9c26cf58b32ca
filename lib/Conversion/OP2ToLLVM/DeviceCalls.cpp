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
              int(PlanArray::OwnedOffset) == OP2RT_DEVICE_OWNED_OFFSET &&
              int(PlanArray::Permutation) == OP2RT_DEVICE_PERMUTATION &&
              int(PlanArray::PermutedMap) == OP2RT_DEVICE_PERMUTED_MAP &&
              int(PlanArray::Increments) == OP2RT_DEVICE_INCREMENTS);
static_assert(int(Target::CUDA) == OP2RT_TARGET_CUDA &&
              int(Target::Emulator) == OP2RT_TARGET_EMULATOR);

static Value createInt(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

namespace {

struct DeviceStorageLowering : public ConvertOpToLLVMPattern<DeviceStorageOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DeviceStorageOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto [addressName, strideName] = getFunctions(op.getStorage());
    SmallVector<Value> operands = {adaptor.getLoop(),
                                   createInt(rewriter, loc, op.getArg())};
    Value address =
        callRuntime(rewriter, loc, addressName, getPtrType(), operands);
    Value stride;
    if (strideName.empty() || op.getStride().use_empty())
      stride = LLVM::ConstantOp::create(rewriter, loc,
                                        rewriter.getI64IntegerAttr(0));
    else
      stride = callRuntime(rewriter, loc, strideName, rewriter.getI64Type(),
                           operands);
    rewriter.replaceOp(op, {address, stride});
    return success();
  }

private:
  /// The functions that give the address, and the stride if there is one.
  static std::pair<StringRef, StringRef> getFunctions(Storage storage) {
    switch (storage) {
    case Storage::AoS:
      return {"op2rt_device_dat", ""};
    case Storage::SoA:
      return {"op2rt_device_dat_soa", "op2rt_device_dat_stride"};
    case Storage::Map:
      return {"op2rt_device_map", "op2rt_device_map_stride"};
    case Storage::Global:
      return {"op2rt_device_global", ""};
    }
    llvm_unreachable("unknown storage");
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
  patterns.add<DeviceStorageLowering, PlanArrayLowering,
               DeviceReductionBeginLowering>(converter);
  patterns.add<PlanFieldLowering<NumBlocksOp>>(converter, PlanField::NumBlocks);
  patterns.add<PlainCallLowering<DeviceReductionShareOp>>(
      converter, "op2rt_device_reduction_share");
  patterns.add<PlainCallLowering<DeviceReductionEndOp>>(
      converter, "op2rt_device_reduction_end");
}
