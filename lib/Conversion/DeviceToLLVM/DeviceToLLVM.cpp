//===- DeviceToLLVM.cpp - Device code in the LLVM dialect and its own -----===//
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
#include "OP2/Transforms/KeepBlocks.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2DEVICETOLLVMPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The chips that a device module is compiled for, which are of one vendor.
struct Chips {
  SmallVector<StringRef> names;
  bool isAMD = false;
};
} // namespace

/// Those of the module around it, or the default.
static FailureOr<Chips> findChips(gpu::GPUModuleOp device) {
  Chips chips;
  if (ArrayAttr names = MachineAttr::of(device).getChips())
    llvm::append_range(chips.names, names.getAsValueRange<StringAttr>());
  if (chips.names.empty())
    chips.names.push_back("sm_90");
  chips.isAMD = isAMDChip(chips.names.front());
  for (StringRef chip : chips.names) {
    bool isAMD = isAMDChip(chip);
    if (!isAMD && !getChipNumber(chip)) {
      emitError(device.getLoc(), "unknown chip '")
          << chip << "'; known are " << getKnownChips() << "; "
          << getAMDChips();
      return failure();
    }
    if (isAMD != chips.isAMD || (isAMD && chips.names.size() > 1)) {
      emitError(device.getLoc(), "code for '")
          << chips.names.front() << "' and '" << chips.names[1]
          << "' is not made at once; expected one chip of AMD's, or NVIDIA's "
             "only";
      return failure();
    }
  }
  return chips;
}

/// States them.
static void attachChips(gpu::GPUModuleOp device, const Chips &chips) {
  constexpr int kOptLevel = 3;
  MLIRContext *context = device.getContext();
  SmallVector<Attribute> targets;
  // No features: LLVM then picks a version of PTX that the chip has.
  for (StringRef chip : chips.names)
    targets.push_back(
        chips.isAMD
            ? Attribute(ROCDL::ROCDLTargetAttr::get(context, kOptLevel,
                                                    "amdgcn-amd-amdhsa", chip))
            : Attribute(NVVM::NVVMTargetAttr::get(
                  context, kOptLevel, "nvptx64-nvidia-cuda", chip, "")));
  device.setTargetsAttr(ArrayAttr::get(context, targets));
}

static void populatePatterns(LLVMTypeConverter &converter,
                             RewritePatternSet &patterns,
                             SymbolTableCollection *symbols,
                             const Chips &chips) {
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMinMaxPatterns(patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, symbols);
  if (chips.isAMD)
    populateGpuToROCDLConversionPatterns(
        converter, patterns, gpu::amd::Runtime::HIP,
        *amdgpu::Chipset::parse(chips.names.front()));
  else
    populateGpuToNVVMConversionPatterns(converter, patterns);
  populateStorageToLLVMPatterns(converter, patterns);
  populateDevicePatterns(converter, patterns, chips.isAMD);
}

static void configureMemory(LLVMTypeConverter &converter, const Chips &chips) {
  if (!chips.isAMD)
    return configureGpuToNVVMTypeConverter(converter);
  populateGpuMemorySpaceAttributeConversions(
      converter, [](gpu::AddressSpace space) -> unsigned {
        switch (space) {
        case gpu::AddressSpace::Global:
          return ROCDL::ROCDLDialect::kGlobalMemoryAddressSpace;
        case gpu::AddressSpace::Workgroup:
          return ROCDL::ROCDLDialect::kSharedMemoryAddressSpace;
        case gpu::AddressSpace::Private:
          return ROCDL::ROCDLDialect::kPrivateMemoryAddressSpace;
        default:
          llvm_unreachable("unknown address space");
        }
      });
}

/// AMD's stack is an address space of its own.
static void movePrivateMemory(gpu::GPUModuleOp device) {
  SmallVector<LLVM::AllocaOp> allocas;
  device.walk([&](LLVM::AllocaOp local) { allocas.push_back(local); });
  auto space = LLVM::LLVMPointerType::get(
      device.getContext(), ROCDL::ROCDLDialect::kPrivateMemoryAddressSpace);
  for (LLVM::AllocaOp local : allocas) {
    if (cast<LLVM::LLVMPointerType>(local.getType()).getAddressSpace() != 0)
      continue;
    OpBuilder builder(local);
    auto moved = LLVM::AllocaOp::create(
        builder, local.getLoc(), space, local.getElemType(),
        local.getArraySize(), local.getAlignment().value_or(0));
    local.replaceAllUsesWith(
        LLVM::AddrSpaceCastOp::create(builder, local.getLoc(), local.getType(),
                                      moved)
            .getResult());
    local.erase();
  }
}

/// Shuffles of more than 32 bits become several, reductions over a block
/// shuffles.
static LogicalResult expandShuffles(gpu::GPUModuleOp device) {
  RewritePatternSet patterns(device.getContext());
  populateGpuRewritePatterns(patterns);
  return applyPatternsGreedily(device, std::move(patterns), keepBlocks());
}

namespace {
struct ConvertOP2DeviceToLLVMPass
    : public op2::impl::ConvertOP2DeviceToLLVMPassBase<
          ConvertOP2DeviceToLLVMPass> {
  using ConvertOP2DeviceToLLVMPassBase::ConvertOP2DeviceToLLVMPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp device = getOperation();
    FailureOr<Chips> chips = findChips(device);
    if (failed(chips) || failed(expandShuffles(device)))
      return signalPassFailure();
    attachChips(device, *chips);

    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(&getContext(), options);
    configureMemory(converter, *chips);
    SymbolTableCollection symbols;
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns, &symbols, *chips);
    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect, ROCDL::ROCDLDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    requireSignCastsLowered(target);
    // Full: an op that survives is an error that names it.
    if (failed(applyFullConversion(device, target, std::move(patterns))))
      return signalPassFailure();
    if (chips->isAMD)
      movePrivateMemory(device);
    annotateBranches(device);
  }
};
} // namespace
