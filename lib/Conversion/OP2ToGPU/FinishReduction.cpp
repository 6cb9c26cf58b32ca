//===- FinishReduction.cpp - Kernels that finish reductions ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of threads combines all partial results of a component: every
// thread takes each 512th of them, in ascending order, and then the block
// combines its threads. Which values meet in which order depends on the number
// of partial results only.
//
//===----------------------------------------------------------------------===//

#include "FinishReduction.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

static constexpr int64_t kThreads = 512;

/// "f64", "ui32": what a symbol may hold.
static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static gpu::GPUFuncOp createKernel(gpu::GPUModuleOp device, std::string name) {
  // Functions that kernels call are copied under their own names.
  while (SymbolTable::lookupSymbolIn(device->getParentOp(), name))
    name += '_';
  OpBuilder builder(device.getContext());
  Type index = builder.getIndexType();
  Type pointer = LLVM::LLVMPointerType::get(device.getContext());
  auto kernel = gpu::GPUFuncOp::create(
      builder, device.getLoc(), name,
      builder.getFunctionType({pointer, index, index, pointer}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(kThreads), 1, 1}));
  for (unsigned number : {0u, 3u})
    kernel.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  kernel.setArgAttr(0, LLVM::LLVMDialect::getReadonlyAttrName(),
                    builder.getUnitAttr());
  SymbolTable(device).insert(kernel);
  return kernel;
}

/// What a thread combines on its own.
static Value combineEvery(OpBuilder &builder, Location loc, Access access,
                          Type type, Value first, Value count,
                          function_ref<Value(OpBuilder &, Value)> load) {
  Value step = arith::ConstantIndexOp::create(builder, loc, kThreads);
  Value start = createIdentity(builder, loc, access, type);
  auto loop = scf::ForOp::create(
      builder, loc, first, count, step, ValueRange{start},
      [&](OpBuilder &body, Location, Value n, ValueRange so) {
        Value sum =
            createCombination(body, loc, access, type, so[0], load(body, n));
        scf::YieldOp::create(body, loc, sum);
      });
  return loop.getResult(0);
}

gpu::GPUFuncOp FinishKernels::get(Access access, Type type) {
  gpu::GPUFuncOp &kernel = kernels[{int(access), type}];
  if (kernel)
    return kernel;
  kernel = createKernel(device, ("op2_finish_" + stringifyAccess(access) + "_" +
                                 getTypeName(type))
                                    .str());
  Location loc = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value count = kernel.getArgument(1), dim = kernel.getArgument(2);
  auto partialsType =
      MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, type);
  Value partials =
      PtrCastOp::create(builder, loc, partialsType, kernel.getArgument(0), dim);
  Value result = PtrCastOp::create(builder, loc,
                                   MemRefType::get(ShapedType::kDynamic, type),
                                   kernel.getArgument(3), ValueRange());
  Value component = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value mine = combineEvery(
      builder, loc, access, type, thread, count, [&](OpBuilder &body, Value n) {
        return loadSignless(body, loc, partials, {n, component});
      });
  BlockReducer(builder, loc, access, type, thread, kThreads)
      .reduce(mine, [&](Value all) {
        Value before = loadSignless(builder, loc, result, component);
        storeSignless(
            builder, loc,
            createCombination(builder, loc, access, type, before, all), result,
            component);
      });
  gpu::ReturnOp::create(builder, loc);
  return kernel;
}

void FinishKernels::launch(OpBuilder &builder, DeviceReductionBeginOp reduction,
                           const LoopArg &arg) {
  Location loc = reduction.getLoc();
  Type type = arg.getElementType();
  gpu::GPUFuncOp kernel = get(arg.getAccess(), type);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = constant(0), one = constant(1);
  Value condition = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, reduction.getCount(), zero);
  if (arg.flag)
    condition = arith::AndIOp::create(builder, loc, condition, arg.flag);
  Value dim = constant(arg.getDim()), threads = constant(kThreads);
  Value bytes = arith::ConstantIntOp::create(
      builder, loc, builder.getI32Type(),
      BlockReducer::getSharedBytes(type, kThreads));
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder inside = branch.getThenBodyBuilder();
  // Of a reduced global, where its result belongs.
  Value result = DeviceGlobalOp::create(
      inside, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      reduction.getLoop(), reduction.getArg());
  gpu::LaunchFuncOp::create(
      inside, loc, kernel, gpu::KernelDim3{dim, one, one},
      gpu::KernelDim3{threads, one, one}, bytes,
      ValueRange{reduction.getAddress(), reduction.getCount(), dim, result});
}
