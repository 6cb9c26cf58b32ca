//===- RetargetDeviceCode.cpp - Host functions made fit for the GPU -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMath.h"
#include "OP2/Conversion/DeviceFunctions.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2RETARGETDEVICECODEPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
         function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName());
}

/// What is true on the host's processor only, and what keeps functions from
/// being inlined.
static void dropHostAttributes(LLVM::LLVMFuncOp function) {
  function.removeTargetCpuAttr();
  function.removeTuneCpuAttr();
  function.removeTargetFeaturesAttr();
  function.removePreferVectorWidthAttr();
  function.removeReciprocalEstimatesAttr();
  function.removeFramePointerAttr();
  function.removeUwtableKindAttr();
  function.removePassthroughAttr();
  function.removePersonalityAttr();
  function.removeComdatAttr();
  function.removeSectionAttr();
  function.removeVscaleRangeAttr();
  function.removeFunctionEntryCountAttr();
  function.setDsoLocal(false);
  function.removeNoInlineAttr();
  function.removeOptimizeNoneAttr();
  function.removeInlineHintAttr();
}

static void retargetFunction(LLVM::LLVMFuncOp function) {
  dropHostAttributes(function);
  if (isKernel(function) || function.isExternal())
    return;
  // Rows that belong to a thread stay in registers only if the kernel's code
  // is part of the function that has them.
  function.setLinkage(LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
}

static void retargetGlobal(LLVM::GlobalOp global) {
  global.setDsoLocal(false);
  global.removeComdatAttr();
  global.removeSectionAttr();
  global.setThreadLocal_(false);
}

//===----------------------------------------------------------------------===//
// Calls that cannot be
//===----------------------------------------------------------------------===//

/// The name of a loop whose kernel comes to run `function`, or "".
static StringRef findLoopName(LLVM::LLVMFuncOp function,
                              gpu::GPUModuleOp device,
                              llvm::SmallPtrSetImpl<Operation *> &visited) {
  if (!visited.insert(function).second)
    return "";
  if (auto name = function->getAttrOfType<StringAttr>(kLoopNameAttr))
    return name;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, &device.getBodyRegion());
  if (!uses)
    return "";
  for (SymbolTable::SymbolUse use : *uses)
    if (auto caller = use.getUser()->getParentOfType<LLVM::LLVMFuncOp>())
      if (StringRef name = findLoopName(caller, device, visited); !name.empty())
        return name;
  return "";
}

static LogicalResult reportCall(LLVM::CallOp call, const Twine &message,
                                gpu::GPUModuleOp device) {
  auto function = call->getParentOfType<LLVM::LLVMFuncOp>();
  llvm::SmallPtrSet<Operation *, 8> visited;
  StringRef loop = findLoopName(function, device, visited);
  InFlightDiagnostic error = call.emitError();
  if (!loop.empty())
    error << "loop '" << loop << "' cannot run on a GPU: ";
  return error << "'" << function.getName() << "' " << message;
}

static LogicalResult checkCall(LLVM::CallOp call, gpu::GPUModuleOp device) {
  if (!call.getCallee()) {
    if (call->hasAttr("asm_string"))
      return success();
    return reportCall(call, "calls through a pointer", device);
  }
  auto callee = device.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
  bool isKnown = callee && (!callee.isExternal() ||
                            callee.getName().starts_with("__nv_") ||
                            isDriverFunction(callee.getName()) ||
                            callee.getName().starts_with("llvm."));
  if (isKnown)
    return success();
  return reportCall(call,
                    "calls '" + *call.getCallee() +
                        "', which has no body here and no equivalent there",
                    device);
}

namespace {
struct OP2RetargetDeviceCodePass
    : public op2::impl::OP2RetargetDeviceCodePassBase<
          OP2RetargetDeviceCodePass> {
  void runOnOperation() override {
    gpu::GPUModuleOp device = getOperation();
    for (auto function : device.getOps<LLVM::LLVMFuncOp>())
      retargetFunction(function);
    for (auto global : device.getOps<LLVM::GlobalOp>())
      retargetGlobal(global);
    ArrayAttr targets = device.getTargetsAttr();
    bool isAMD =
        targets && llvm::any_of(targets, llvm::IsaPred<ROCDL::ROCDLTargetAttr>);
    mapDeviceMath(device, isAMD);
    WalkResult result = device.walk([&](LLVM::CallOp call) -> WalkResult {
      return checkCall(call, device);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    eraseUnusedDeclarations(device);
  }

private:
  static void eraseUnusedDeclarations(gpu::GPUModuleOp device) {
    for (auto function :
         llvm::make_early_inc_range(device.getOps<LLVM::LLVMFuncOp>()))
      if (function.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(function, device))
        function.erase();
  }
};
} // namespace
