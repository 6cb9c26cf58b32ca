//===- DeviceToNVVM.cpp - Device code in the LLVM and NVVM dialects -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conversion with one type converter, as for the host (OP2ToLLVM).
//
//===----------------------------------------------------------------------===//

#include "../LoopAnnotations.h"
#include "../OP2ToLLVM/OP2ToLLVM.h"
#include "DevicePatterns.h"
#include "OP2/Conversion/Chips.h"
#include "OP2/Conversion/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2DEVICETONVVMPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

static void populatePatterns(LLVMTypeConverter &converter,
                             RewritePatternSet &patterns,
                             SymbolTableCollection *symbols) {
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, symbols);
  populateGpuToNVVMConversionPatterns(converter, patterns);
  populateStorageToLLVMPatterns(converter, patterns);
  populateDevicePatterns(converter, patterns);
}

/// States the chips of the module around it, or the default.
static LogicalResult attachChips(gpu::GPUModuleOp device) {
  constexpr int kOptLevel = 3;
  SmallVector<StringRef> chips;
  if (ArrayAttr names = MachineAttr::of(device).getChips())
    llvm::append_range(chips, names.getAsValueRange<StringAttr>());
  if (chips.empty())
    chips.push_back("sm_90");
  SmallVector<Attribute> targets;
  for (StringRef chip : chips) {
    if (!getChipNumber(chip))
      return emitError(device.getLoc(), "unknown chip '")
             << chip << "'; known are " << getKnownChips();
    // No features: LLVM then picks a version of PTX that the chip has.
    targets.push_back(NVVM::NVVMTargetAttr::get(
        device.getContext(), kOptLevel, "nvptx64-nvidia-cuda", chip, ""));
  }
  device.setTargetsAttr(ArrayAttr::get(device.getContext(), targets));
  return success();
}

/// Shuffles of more than 32 bits become several, reductions over a block
/// shuffles.
static LogicalResult expandShuffles(gpu::GPUModuleOp device) {
  RewritePatternSet patterns(device.getContext());
  populateGpuRewritePatterns(patterns);
  return applyPatternsGreedily(device, std::move(patterns));
}

namespace {
struct ConvertOP2DeviceToNVVMPass
    : public op2::impl::ConvertOP2DeviceToNVVMPassBase<
          ConvertOP2DeviceToNVVMPass> {
  using ConvertOP2DeviceToNVVMPassBase::ConvertOP2DeviceToNVVMPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp device = getOperation();
    if (failed(attachChips(device)) || failed(expandShuffles(device)))
      return signalPassFailure();

    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    SymbolTableCollection symbols;
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns, &symbols);
    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    requireSignCastsLowered(target);
    // Full: an op that survives is an error that names it.
    if (failed(applyFullConversion(device, target, std::move(patterns))))
      return signalPassFailure();
    annotateBranches(device);
  }
};
} // namespace
