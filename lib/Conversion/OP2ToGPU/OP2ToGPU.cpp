//===- OP2ToGPU.cpp - Launch device kernels for the blocks of a plan ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FinishReduction.h"
#include "KernelBuilder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Runtime/op2rt_device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2TOGPUPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// The module of all device code, with the array of dynamic shared memory. It
/// is external: a definition of no size would overlap other shared memory.
static gpu::GPUModuleOp createDeviceModule(ModuleOp module) {
  OpBuilder builder(module.getContext());
  auto device =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "op2_device");
  SymbolTable(module).insert(device);
  builder.setInsertionPointToStart(device.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, kSharedMemoryName,
                         Attribute(), /*alignment=*/16, /*addrSpace=*/3);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  return device;
}

/// Copies a symbol that device code uses, and what it uses, to the device
/// module.
static void copySymbol(Operation *symbol, gpu::GPUModuleOp device) {
  auto module = device->getParentOfType<ModuleOp>();
  OpBuilder builder(device.getContext());
  builder.setInsertionPointToEnd(device.getBody());
  Operation *copy = builder.clone(*symbol);
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(copy);
  if (!uses)
    return;
  for (SymbolTable::SymbolUse use : *uses) {
    StringAttr name = use.getSymbolRef().getRootReference();
    if (SymbolTable::lookupSymbolIn(device, name))
      continue;
    if (Operation *used = SymbolTable::lookupSymbolIn(module, name))
      copySymbol(used, device);
  }
}

/// What kernels call must be in their module.
static void copyCallees(gpu::GPUModuleOp device) {
  auto module = device->getParentOfType<ModuleOp>();
  SmallVector<StringAttr> names;
  for (auto kernel : device.getOps<gpu::GPUFuncOp>())
    if (auto uses = SymbolTable::getSymbolUses(&kernel.getBody()))
      for (SymbolTable::SymbolUse use : *uses)
        names.push_back(use.getSymbolRef().getRootReference());
  for (StringAttr name : names) {
    if (SymbolTable::lookupSymbolIn(device, name))
      continue;
    if (Operation *symbol = SymbolTable::lookupSymbolIn(module, name))
      copySymbol(symbol, device);
  }
}

namespace {
/// Replaces the loops over the plan of one loop by launches.
class LaunchBuilder {
public:
  LaunchBuilder(ForColorsOp colors, gpu::GPUModuleOp device)
      : colors(colors), device(device), builder(colors), shared(colors),
        loc(colors.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult check();
  bool mayAlias() const;
  FailureOr<KernelBuilder *> buildKernel(bool assumeDistinct);
  LogicalResult buildLaunches(bool assumeDistinct);
  void launch(KernelBuilder &kernel, Value first, Value count);
  Value getSharedBytes(KernelBuilder &kernel);

  ForColorsOp colors;
  gpu::GPUModuleOp device;
  OpBuilder builder;
  OpBuilder shared; ///< stands where all kernels of the loop see what it makes
  Location loc;
  ForBlocksOp blocks;
  LoopBeginOp begin;
  SmallVector<std::unique_ptr<KernelBuilder>> kernels;
  DeviceReductions reductions;
};
} // namespace

LogicalResult LaunchBuilder::check() {
  Block &body = colors.getBody().front();
  if (body.getOperations().size() == 2)
    blocks = dyn_cast<ForBlocksOp>(body.front());
  auto plan = colors.getPlan().getDefiningOp<PlanOp>();
  if (plan)
    begin = plan.getLoop().getDefiningOp<LoopBeginOp>();
  if (begin && !isDevice(LoopBeginOp(begin).getTarget()))
    return LoopBeginOp(begin).emitOpError(
               "expected a loop planned for a device, got one for ")
           << getWord(LoopBeginOp(begin).getTarget());
  if (begin && hasConflicts(LoopBeginOp(begin).getLoopArgs()) &&
      !begin->hasAttr(kRaceFreeAttr))
    return LoopBeginOp(begin).emitOpError(
        "elements change the same rows at the same time; expected "
        "--op2-color-increments before");
  ByColorOp early;
  if (blocks)
    blocks.walk([&](ByColorOp op) {
      if (!op->getNextNode()->hasTrait<OpTrait::IsTerminator>())
        early = op;
    });
  if (early)
    return early.emitOpError(
        "expected it to be the last op of the loop over elements");
  if (blocks && begin)
    return success();
  return colors.emitOpError(
      "expected one op2.for_blocks in it, and a plan and "
      "a loop whose op2.loop_begin is in the same function");
}

/// See ChunkCaptures::mayAlias; the copies of globals never lie in a dat, and a
/// dat has one layout in a kernel.
bool LaunchBuilder::mayAlias() const {
  llvm::SmallDenseSet<Value> dats;
  bool writesDat = false, takesSoA = false, takesAoS = false;
  for (const LoopArg &arg : LoopBeginOp(begin).getLoopArgs()) {
    if (!arg.isDat())
      continue;
    dats.insert(arg.data);
    writesDat |= arg.getAccess() != Access::Read;
    takesSoA |= arg.attr.getLayout() == Layout::SoA;
    takesAoS |= arg.attr.getLayout() != Layout::SoA && arg.getDim() != 1;
  }
  return dats.size() > 1 && (writesDat || (takesSoA && takesAoS));
}

FailureOr<KernelBuilder *> LaunchBuilder::buildKernel(bool assumeDistinct) {
  std::string name = ("op2_" + begin.getLabel()).str();
  if (!assumeDistinct)
    name += "_aliased";
  // Symbols of PTX take neither '.' nor '-'.
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  // Functions that kernels call are copied under their own names.
  while (SymbolTable::lookupSymbolIn(device->getParentOp(), name))
    name += '_';
  kernels.push_back(std::make_unique<KernelBuilder>(
      blocks, device, name, assumeDistinct, builder, shared, reductions));
  if (failed(kernels.back()->build()))
    return failure();
  return kernels.back().get();
}

Value LaunchBuilder::getSharedBytes(KernelBuilder &kernel) {
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc,
      std::max(kernel.getReductionBytes(), kernel.getOwnedBytes()));
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), bytes);
}

void LaunchBuilder::launch(KernelBuilder &kernel, Value first, Value count) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value threads =
      arith::ConstantIndexOp::create(builder, loc, kernel.getNumThreads());
  SmallVector<Value> operands = {first};
  llvm::append_range(operands, kernel.getHostValues());
  gpu::LaunchFuncOp::create(
      builder, loc, kernel.getKernel(), gpu::KernelDim3{count, one, one},
      gpu::KernelDim3{threads, one, one}, getSharedBytes(kernel), operands);
}

/// Builds a kernel, and launches it colour after colour where the builder
/// stands: what the kernel takes is made there, too, so that a dat is not
/// requested in the layout of a kernel that does not run.
LogicalResult LaunchBuilder::buildLaunches(bool assumeDistinct) {
  FailureOr<KernelBuilder *> kernel = buildKernel(assumeDistinct);
  if (failed(kernel))
    return failure();
  Type index = builder.getIndexType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value numColors = NumColorsOp::create(builder, loc, index, colors.getPlan());
  auto loop = scf::ForOp::create(builder, loc, zero, numColors, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto range = ColorRangeOp::create(builder, loc, index, index,
                                    colors.getPlan(), loop.getInductionVar());
  Value first = range.getBegin(), end = range.getEnd();
  if ((*kernel)->usesMemoryOfBlocks()) {
    Value most = arith::ConstantIndexOp::create(builder, loc,
                                                OP2RT_DEVICE_BLOCKS_AT_ONCE);
    auto parts = scf::ForOp::create(builder, loc, first, end, most);
    builder.setInsertionPointToStart(parts.getBody());
    first = parts.getInductionVar();
    end = arith::MinSIOp::create(
        builder, loc, end, arith::AddIOp::create(builder, loc, first, most));
  }
  launch(**kernel, first, arith::SubIOp::create(builder, loc, end, first));
  return success();
}

LogicalResult LaunchBuilder::run() {
  if (failed(check()))
    return failure();
  if (!mayAlias()) {
    if (failed(buildLaunches(/*assumeDistinct=*/true)))
      return failure();
  } else {
    Value isDistinct =
        IsAliasFreeOp::create(builder, loc, builder.getI1Type(), begin);
    auto branch = scf::IfOp::create(builder, loc, isDistinct,
                                    /*withElseRegion=*/true);
    shared.setInsertionPoint(branch);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (failed(buildLaunches(/*assumeDistinct=*/true)))
      return failure();
    builder.setInsertionPointToStart(branch.elseBlock());
    if (failed(buildLaunches(/*assumeDistinct=*/false)))
      return failure();
  }
  colors.erase();
  return success();
}

namespace {
struct ConvertOP2ToGPUPass
    : public op2::impl::ConvertOP2ToGPUPassBase<ConvertOP2ToGPUPass> {
  void runOnOperation() override {
    SmallVector<ForColorsOp> loops;
    getOperation().walk([&](ForColorsOp loop) { loops.push_back(loop); });
    if (loops.empty())
      return;
    gpu::GPUModuleOp device = createDeviceModule(getOperation());
    for (ForColorsOp loop : loops) {
      if (failed(LaunchBuilder(loop, device).run()))
        return signalPassFailure();
      ++numLaunches;
    }
    copyCallees(device);
    convertReductions(device);
  }

private:
  /// Partial results are on the device now: the plan level's begin has no use,
  /// and before its end a kernel combines them.
  void convertReductions(gpu::GPUModuleOp device) {
    FinishKernels kernels(device);
    SmallVector<ReductionEndOp> ends;
    getOperation().walk([&](ReductionEndOp end) { ends.push_back(end); });
    for (ReductionEndOp end : ends) {
      if (auto reduction =
              end.getReduction().getDefiningOp<DeviceReductionBeginOp>())
        finish(kernels, end, reduction);
      else if (isScratch(end))
        end.erase();
    }
    getOperation().walk([](ReductionBeginOp begin) {
      if (begin->use_empty())
        begin.erase();
    });
  }

  /// Scratch memory has been private to each thread.
  static bool isScratch(ReductionEndOp end) {
    auto begin = end.getReduction().getDefiningOp<ReductionBeginOp>();
    auto loop = begin ? begin.getLoop().getDefiningOp<LoopBeginOp>() : nullptr;
    return loop && isDevice(loop.getTarget()) &&
           loop.getLoopArgs()[begin.getArg()].getAccess() == Access::Work;
  }

  static void finish(FinishKernels &kernels, ReductionEndOp end,
                     DeviceReductionBeginOp reduction) {
    OpBuilder builder(end);
    Value loop = reduction.getLoop();
    SmallVector<LoopArg> args = loop.getDefiningOp<LoopBeginOp>().getLoopArgs();
    // The runtime calls functions of the program, on the host.
    const LoopArg &arg = args[reduction.getArg()];
    if (!arg.isInfo() && !arg.isMerged()) {
      SmallVector<DeviceReductionBeginOp> infos;
      for (Operation *user : loop.getUsers())
        if (auto other = dyn_cast<DeviceReductionBeginOp>(user))
          if (args[other.getArg()].isInfo() &&
              args[other.getArg()].attr.getSlot() ==
                  int64_t(reduction.getArg()))
            infos.push_back(other);
      llvm::sort(infos, [](DeviceReductionBeginOp a, DeviceReductionBeginOp b) {
        return a.getArg() < b.getArg();
      });
      kernels.launch(builder, reduction, args, infos);
    }
    DeviceReductionEndOp::create(builder, end.getLoc(), end.getReduction());
    end.erase();
  }
};
} // namespace
