//===- GPUToEmulator.cpp - GPU kernels as host functions ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: what can be emulated, which symbols move where, in which order.
//
//===----------------------------------------------------------------------===//

#include "GPUToEmulator.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/KeepBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTGPUTOEMULATORPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// What can be emulated
//===----------------------------------------------------------------------===//

static LogicalResult checkLaunch(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("cannot be emulated: it is asynchronous");
  if (launch.hasClusterSize())
    return launch.emitOpError("cannot be emulated: it has clusters");
  if (!SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch,
                                                            launch.getKernel()))
    return launch.emitOpError("cannot be emulated: ")
           << launch.getKernel() << " is not a gpu.func in this module";
  return success();
}

static bool isEmulated(Operation *op) {
  return isa<gpu::GPUModuleOp, gpu::GPUFuncOp, gpu::ReturnOp, gpu::ThreadIdOp,
             gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::GlobalIdOp,
             gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::NumSubgroupsOp,
             gpu::SubgroupSizeOp, gpu::BarrierOp, gpu::ShuffleOp,
             gpu::DynamicSharedMemoryOp, gpu::LaunchFuncOp>(op);
}

static LogicalResult checkOps(ModuleOp module) {
  WalkResult result =
      module.walk<WalkOrder::PreOrder>([](Operation *op) -> WalkResult {
        if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
          return checkLaunch(launch);
        if (isa<gpu::AllReduceOp>(op))
          return op->emitOpError("cannot be emulated unless it is uniform");
        StringRef dialect = op->getName().getDialectNamespace();
        if ((dialect == "gpu" && !isEmulated(op)) || dialect == "nvvm")
          return op->emitOpError("cannot be emulated");
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

/// Reductions over a block become shuffles and barriers, as on a GPU.
static LogicalResult expandReductions(gpu::GPUModuleOp device) {
  bool hasReductions =
      device.walk([](gpu::AllReduceOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!hasReductions)
    return success();
  RewritePatternSet patterns(device.getContext());
  populateGpuAllReducePatterns(patterns);
  return applyPatternsGreedily(device, std::move(patterns), keepBlocks());
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static bool isDeclaration(Operation *symbol) {
  if (auto global = dyn_cast<LLVM::GlobalOp>(symbol))
    return !global.getValueOrNull() && global.getInitializerRegion().empty();
  if (auto global = dyn_cast<memref::GlobalOp>(symbol))
    return global.isExternal();
  auto function = dyn_cast<FunctionOpInterface>(symbol);
  return function && function.isExternal();
}

void op2::makeInternal(Operation *symbol) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(symbol)) {
    function.setLinkage(LLVM::Linkage::Internal);
    function.setDsoLocal(true);
    function.removeComdatAttr();
  } else if (auto global = dyn_cast<LLVM::GlobalOp>(symbol)) {
    global.setLinkage(LLVM::Linkage::Internal);
    global.removeComdatAttr();
  } else if (auto function = dyn_cast<func::FuncOp>(symbol)) {
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(symbol->getContext(), LLVM::Linkage::Internal));
  }
}

/// Names that the host module has as well: a declaration and a copy mean the
/// host's symbol, another definition gets another name. So kernels exist once,
/// and variables have the value that the host gives them.
static LogicalResult resolveNames(gpu::GPUModuleOp device,
                                  SymbolTable &hostSymbols) {
  SymbolTable symbols(device);
  SmallVector<SymbolOpInterface> all(device.getOps<SymbolOpInterface>());
  for (SymbolOpInterface symbol : all) {
    Operation *other = hostSymbols.lookup(symbol.getName());
    if (!other)
      continue;
    bool isCopy = OperationEquivalence::isEquivalentTo(
        symbol, other, OperationEquivalence::IgnoreLocations);
    if (isCopy && isa<FunctionOpInterface>(other))
      other->setAttr(kEmulatedAttr, UnitAttr::get(other->getContext()));
    if (!isDeclaration(symbol) && !isCopy) {
      [[maybe_unused]] auto name =
          symbols.renameToUnique(symbol, {&hostSymbols});
      assert(succeeded(name) && "a use that MLIR does not know");
      continue;
    }
    if (other->getName() != symbol->getName()) {
      InFlightDiagnostic error = symbol->emitOpError("'")
                                 << symbol.getName()
                                 << "' is declared here, but the host has '"
                                 << other->getName() << "' of that name";
      error.attachNote(other->getLoc()) << "the host's symbol";
      return error;
    }
    symbol->erase();
  }
  return success();
}

/// The functions of `device` from which a barrier or a shuffle can be reached.
static DenseSet<Operation *> findDependent(gpu::GPUModuleOp device) {
  SymbolTable symbols(device);
  DenseMap<Operation *, SmallVector<Operation *>> users;
  SmallVector<Operation *> pending;
  for (Operation &function : *device.getBody()) {
    bool waits = function
                     .walk([](Operation *op) {
                       return isa<gpu::BarrierOp, gpu::ShuffleOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
    if (waits)
      pending.push_back(&function);
    if (auto uses = SymbolTable::getSymbolUses(&function))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *used =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          users[used].push_back(&function);
  }
  DenseSet<Operation *> dependent;
  while (!pending.empty()) {
    Operation *function = pending.pop_back_val();
    if (dependent.insert(function).second)
      llvm::append_range(pending, users.lookup(function));
  }
  return dependent;
}

static void moveToHost(gpu::GPUModuleOp device, SymbolTable &hostSymbols) {
  for (Operation &op : llvm::make_early_inc_range(*device.getBody())) {
    if (!isa<SymbolOpInterface>(op))
      continue;
    bool isDefinition = !isDeclaration(&op);
    if (isDefinition && isa<FunctionOpInterface>(op))
      op.setAttr(kEmulatedAttr, UnitAttr::get(op.getContext()));
    op.remove();
    hostSymbols.insert(&op, Block::iterator(device));
    if (isDefinition)
      makeInternal(&op);
  }
}

/// What a GPU's driver brings along is the runtime's here. The host's functions
/// of these names, if any, have other parameters.
static LogicalResult callRuntime(ModuleOp module) {
  constexpr std::pair<StringRef, StringRef> names[] = {
      {"vprintf", "op2emu_print"}, {"__assertfail", "op2emu_assert"}};
  for (auto [driver, runtime] : names) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(driver);
    if (!function || !function.isExternal())
      continue;
    if (failed(SymbolTable(module).rename(function, runtime)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertGPUToEmulatorPass
    : public op2::impl::ConvertGPUToEmulatorPassBase<ConvertGPUToEmulatorPass> {
  using ConvertGPUToEmulatorPassBase::ConvertGPUToEmulatorPassBase;

  void runOnOperation() override {
    if (failed(convert(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult convert(ModuleOp module);
  LogicalResult convertModule(gpu::GPUModuleOp device,
                              const SharedLayout &layout);

  /// By the reference that launches have.
  DenseMap<SymbolRefAttr, EmulatedKernel> kernels;
};
} // namespace

LogicalResult ConvertGPUToEmulatorPass::convert(ModuleOp module) {
  kernels.clear();
  SmallVector<gpu::GPUModuleOp> devices(module.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp device : devices)
    if (failed(expandReductions(device)))
      return failure();
  if (failed(checkOps(module)))
    return failure();
  SmallVector<SharedLayout> layouts;
  for (gpu::GPUModuleOp device : devices) {
    FailureOr<SharedLayout> layout = layOutSharedMemory(device);
    if (failed(layout))
      return failure();
    layouts.push_back(std::move(*layout));
  }
  removeAddressSpaces(module);
  for (auto [device, layout] : llvm::zip_equal(devices, layouts))
    if (failed(convertModule(device, layout)))
      return failure();
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(convertLaunch(launch, module, kernels.at(launch.getKernel()))))
      return failure();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return callRuntime(module);
}

LogicalResult
ConvertGPUToEmulatorPass::convertModule(gpu::GPUModuleOp device,
                                        const SharedLayout &layout) {
  SmallVector<gpu::GPUFuncOp> functions;
  SmallVector<SymbolRefAttr> references;
  for (auto function : device.getOps<gpu::GPUFuncOp>()) {
    functions.push_back(function);
    references.push_back(
        SymbolRefAttr::get(device.getSymNameAttr(),
                           FlatSymbolRefAttr::get(function.getNameAttr())));
  }
  DenseSet<Operation *> dependent = findDependent(device);
  ModuleOp module = getOperation();
  if (failed(replaceDeviceOps(device, module, layout)))
    return failure();
  SymbolTable hostSymbols(module);
  hostSymbols.remove(device);
  if (failed(resolveNames(device, hostSymbols)))
    return failure();
  for (auto [function, reference] : llvm::zip_equal(functions, references)) {
    int64_t bytes = layout.kernelBytes.lookup(function);
    bool isIndependent = !dependent.contains(function);
    if (function.isKernel())
      ++numKernels;
    FailureOr<EmulatedKernel> kernel =
        convertKernel(function, module, hostSymbols);
    if (failed(kernel))
      return failure();
    kernel->staticShared = bytes;
    kernel->isIndependent = isIndependent;
    kernels[reference] = *kernel;
  }
  moveToHost(device, hostSymbols);
  device.erase();
  return success();
}
