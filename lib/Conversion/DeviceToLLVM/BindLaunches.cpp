//===- BindLaunches.cpp - Tie launches to their loops ---------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Runtime/op2rt_device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2BINDLAUNCHESPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// The loop in progress where `op` stands: loops do not nest.
static LoopBeginOp findLoop(Operation *op) {
  for (; op->getBlock(); op = op->getParentOp())
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode()) {
      if (isa<LoopEndOp>(before))
        return nullptr;
      if (auto begin = dyn_cast<LoopBeginOp>(before))
        return begin;
    }
  return nullptr;
}

/// States where dats may begin: neighbouring values of a row can then be loaded
/// together.
static void stateAlignment(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  if (!kernel)
    return;
  auto alignment = IntegerAttr::get(IntegerType::get(launch.getContext(), 64),
                                    OP2RT_DEVICE_ALIGNMENT);
  for (auto [number, operand] : llvm::enumerate(launch.getKernelOperands()))
    if (auto storage = operand.getDefiningOp<DeviceStorageOp>();
        storage && operand == storage.getAddress() &&
        (storage.getStorage() == Storage::AoS ||
         storage.getStorage() == Storage::SoA))
      kernel.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                        alignment);
}

static LogicalResult bindLaunch(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.hasClusterSize())
    return launch.emitOpError("cannot be launched through the runtime: it is "
                              "asynchronous or has clusters");
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.y, grid.z, block.y, block.z})
    if (!matchPattern(size, m_One()))
      return launch.emitOpError("cannot be launched through the runtime: its "
                                "grid has more than one dimension");
  LoopBeginOp loop = findLoop(launch);
  if (!loop)
    return launch.emitOpError("expected a loop in progress, between "
                              "op2.loop_begin and op2.loop_end");

  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  Type index = builder.getIndexType();
  auto toIndex = [&](Value value) -> Value {
    if (value.getType().isIndex())
      return value;
    return arith::IndexCastOp::create(builder, loc, index, value);
  };
  Value sharedBytes = launch.getDynamicSharedMemorySize();
  sharedBytes = sharedBytes ? toIndex(sharedBytes)
                            : arith::ConstantIndexOp::create(builder, loc, 0);
  stateAlignment(launch);
  LaunchOp::create(builder, loc, loop.getLoop(), launch.getKernel(),
                   toIndex(grid.x), toIndex(block.x), sharedBytes,
                   launch.getKernelOperands());
  launch.erase();
  return success();
}

namespace {
struct OP2BindLaunchesPass
    : public op2::impl::OP2BindLaunchesPassBase<OP2BindLaunchesPass> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk(
        [&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    for (gpu::LaunchFuncOp launch : launches)
      if (failed(bindLaunch(launch)))
        return signalPassFailure();
  }
};
} // namespace
