//===- FinishReduction.cpp - Kernels that finish reductions ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of threads combines all partial results of a component: every
// thread takes each 512th of them, in ascending order, and then the block
// combines its threads. Which values meet in which order depends on the number
// of partial results only. Of infos, those of the winning block are copied.
// Exact sums have kernels of their own (DeviceSums.h).
//
//===----------------------------------------------------------------------===//

#include "FinishReduction.h"
#include "DeviceSums.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

static constexpr int64_t kThreads = 512;
/// Parameters before those for infos.
static constexpr unsigned kNumOwn = 4;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// "op2_finish_max_f64", with infos "op2_finish_max_f64_1xi32".
static std::string getName(const FinishKernels::Shape &shape) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << "op2_finish_" << stringifyAccess(shape.access) << '_' << shape.type;
  for (auto [type, share] : shape.infos)
    stream << '_' << share << 'x' << type;
  return name;
}

static gpu::GPUFuncOp createKernel(gpu::GPUModuleOp device, std::string name,
                                   size_t numInfos) {
  // Functions that kernels call are copied under their own names.
  while (SymbolTable::lookupSymbolIn(device->getParentOp(), name))
    name += '_';
  Type index = IndexType::get(device.getContext());
  Type pointer = LLVM::LLVMPointerType::get(device.getContext());
  SmallVector<Type> types = {pointer, index, index, pointer};
  types.append(2 * numInfos, pointer);
  gpu::GPUFuncOp kernel = createFinishKernel(device, name, types, kThreads);
  // Partial results stand before the global's place.
  auto setReadOnly = [&](unsigned number) {
    kernel.setArgAttr(number, LLVM::LLVMDialect::getReadonlyAttrName(),
                      UnitAttr::get(device.getContext()));
  };
  setReadOnly(0);
  for (unsigned number = kNumOwn; number < types.size(); number += 2)
    setReadOnly(number);
  return kernel;
}

namespace {
/// Builds the body of one kernel.
class FinishBuilder {
public:
  FinishBuilder(gpu::GPUFuncOp kernel, const FinishKernels::Shape &shape)
      : kernel(kernel), shape(shape), loc(kernel.getLoc()),
        builder(OpBuilder::atBlockBegin(&kernel.getBody().front())),
        combination{shape.access, shape.type, {}} {}

  void build();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value getPartials(unsigned parameter, Type type, Value dim);
  Value getGlobal(unsigned parameter, Type type);
  Candidate combineEvery(Value partials, Value first);
  void copyInfos(Value block);

  gpu::GPUFuncOp kernel;
  const FinishKernels::Shape &shape;
  Location loc;
  OpBuilder builder;
  Combination combination;
  Value component;
};
} // namespace

Value FinishBuilder::getPartials(unsigned parameter, Type type, Value dim) {
  auto memref =
      MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, type);
  return PtrCastOp::create(builder, loc, memref, kernel.getArgument(parameter),
                           dim);
}

Value FinishBuilder::getGlobal(unsigned parameter, Type type) {
  return PtrCastOp::create(builder, loc,
                           MemRefType::get(ShapedType::kDynamic, type),
                           kernel.getArgument(parameter), ValueRange());
}

/// What a thread combines on its own.
Candidate FinishBuilder::combineEvery(Value partials, Value first) {
  SmallVector<Value> start = {combination.createIdentity(builder, loc)};
  if (!shape.infos.empty())
    start.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), first));
  auto loop = scf::ForOp::create(
      builder, loc, first, kernel.getArgument(1), constant(kThreads), start,
      [&](OpBuilder &body, Location, Value n, ValueRange so) {
        Candidate old{so[0], so.size() > 1 ? so[1] : Value()};
        Candidate next{loadSignless(body, loc, partials, {n, component}), {}};
        if (old.origin)
          next.origin =
              arith::IndexCastOp::create(body, loc, body.getI32Type(), n);
        Candidate all = BlockReducer::choose(body, loc, combination, old, next);
        SmallVector<Value> results = {all.value};
        if (all.origin)
          results.push_back(all.origin);
        scf::YieldOp::create(body, loc, results);
      });
  return {loop.getResult(0),
          shape.infos.empty() ? Value() : Value(loop.getResult(1))};
}

/// The first thread's work: infos are few.
void FinishBuilder::copyInfos(Value block) {
  for (auto [number, info] : llvm::enumerate(shape.infos)) {
    auto [type, share] = info;
    unsigned parameter = kNumOwn + 2 * unsigned(number);
    Value dim = arith::MulIOp::create(builder, loc, kernel.getArgument(2),
                                      constant(share));
    Value partials = getPartials(parameter, type, dim);
    Value global = getGlobal(parameter + 1, type);
    Value first =
        arith::MulIOp::create(builder, loc, component, constant(share));
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(share),
                                   constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value place =
        arith::AddIOp::create(builder, loc, first, loop.getInductionVar());
    storeSignless(builder, loc,
                  loadSignless(builder, loc, partials, {block, place}), global,
                  place);
  }
}

void FinishBuilder::build() {
  Value partials = getPartials(0, shape.type, kernel.getArgument(2));
  Value result = getGlobal(3, shape.type);
  component = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  if (shape.access == Access::Write)
    combination.before = loadSignless(builder, loc, result, component);
  Candidate mine = combineEvery(partials, thread);
  BlockReducer(builder, loc, combination, thread, kThreads)
      .reduce(mine, [&](Candidate all) {
        Value before = loadSignless(builder, loc, result, component);
        storeSignless(builder, loc,
                      combination.combine(builder, loc, before, all.value),
                      result, component);
        if (shape.infos.empty())
          return;
        Value isBetter = combination.isBetter(builder, loc, before, all.value);
        auto branch = scf::IfOp::create(builder, loc, isBetter);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        copyInfos(arith::IndexCastOp::create(
            builder, loc, builder.getIndexType(), all.origin));
      });
  gpu::ReturnOp::create(builder, loc);
}

gpu::GPUFuncOp FinishKernels::get(const Shape &shape) {
  gpu::GPUFuncOp &kernel = kernels[getName(shape)];
  if (kernel)
    return kernel;
  kernel = createKernel(device, getName(shape), shape.infos.size());
  FinishBuilder(kernel, shape).build();
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void FinishKernels::launch(OpBuilder &builder, DeviceReductionBeginOp reduction,
                           ArrayRef<LoopArg> args,
                           ArrayRef<DeviceReductionBeginOp> infos) {
  Location loc = reduction.getLoc();
  const LoopArg &arg = args[reduction.getArg()];
  if (arg.isExactSum())
    DeviceReductionShareOp::create(builder, loc, reduction.getReduction());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = constant(0), one = constant(1);
  Value condition = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, reduction.getCount(), zero);
  if (arg.flag)
    condition = arith::AndIOp::create(builder, loc, condition, arg.flag);
  Value dim = constant(arg.getDim());
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder inside = branch.getThenBodyBuilder();
  // Of a reduced global, where its result belongs.
  auto getResult = [&](DeviceReductionBeginOp of) -> Value {
    return DeviceStorageOp::create(
               inside, loc, LLVM::LLVMPointerType::get(builder.getContext()),
               builder.getIndexType(), Storage::Global, of.getLoop(),
               of.getArg())
        .getAddress();
  };
  auto launchOf = [&](gpu::GPUFuncOp kernel, int64_t threads, int64_t bytes,
                      ArrayRef<Value> operands) {
    Value shared =
        arith::ConstantIntOp::create(inside, loc, builder.getI32Type(), bytes);
    Value size = arith::ConstantIndexOp::create(inside, loc, threads);
    gpu::LaunchFuncOp::create(
        inside, loc, kernel, gpu::KernelDim3{dim, one, one},
        gpu::KernelDim3{size, one, one}, shared, operands);
  };
  if (arg.isExactSum())
    return launchOf(getFinishSum(device, cast<FloatType>(arg.getElementType())),
                    kSumThreads, 0,
                    {reduction.getAddress(), dim, getResult(reduction)});
  Shape shape{arg.getAccess(), arg.getElementType(), {}};
  for (DeviceReductionBeginOp info : infos) {
    const LoopArg &infoArg = args[info.getArg()];
    shape.infos.push_back(
        {infoArg.getElementType(), infoArg.getDim() / arg.getDim()});
  }
  SmallVector<Value> operands = {reduction.getAddress(), reduction.getCount(),
                                 dim, getResult(reduction)};
  for (DeviceReductionBeginOp info : infos) {
    operands.push_back(info.getAddress());
    operands.push_back(getResult(info));
  }
  launchOf(get(shape), kThreads,
           BlockReducer::getSharedBytes(shape.type, kThreads, !infos.empty()),
           operands);
}
