//===- KernelBuilder.cpp - Device kernel of a loop ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::op2;

/// Functions of the program combine results on the host, which shall be few,
/// and in the order of the elements. What has colours has a result for each.
static int64_t getRunLength(PlanOp plan, ArrayRef<LoopArg> args) {
  int64_t blockSize = plan.getBlockSize();
  if (llvm::none_of(args, [](const LoopArg &arg) { return arg.isMerged(); }) ||
      plan.getColoring() != Coloring::None || blockSize == 0)
    return 1;
  return std::max(kRunLength,
                  int64_t(llvm::divideCeil(blockSize, kMaxThreads)));
}

KernelBuilder::KernelBuilder(ForBlocksOp blocks, gpu::GPUModuleOp module,
                             StringRef name, bool assumeDistinct,
                             OpBuilder &host, OpBuilder &shared,
                             DeviceReductions &reductions)
    : blocks(blocks), plan(blocks.getPlan().getDefiningOp<PlanOp>()),
      begin(plan.getLoop().getDefiningOp<LoopBeginOp>()),
      args(begin.getLoopArgs()), assumeDistinct(assumeDistinct), host(host),
      shared(shared), reductions(reductions), builder(blocks->getContext()),
      loc(blocks.getLoc()), runLength(getRunLength(plan, args)) {
  int64_t wanted = llvm::divideCeil(plan.getBlockSize(), runLength);
  numThreads = std::min<int64_t>(
      llvm::alignTo(std::max<int64_t>(wanted, 1), kWarpSize), kMaxThreads);
  kernel = gpu::GPUFuncOp::create(
      builder, loc, name, FunctionType::get(builder.getContext(), {}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  // For messages of the emulator.
  kernel->setAttr(kLoopNameAttr, builder.getStringAttr(begin.getLabel()));
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  SymbolTable(module).insert(kernel);
  entry = &kernel.getBody().front();
}

LogicalResult KernelBuilder::build() {
  builder.setInsertionPointToStart(entry);
  Value first = entry->addArgument(builder.getIndexType(), loc);
  parameterAttrs.push_back(builder.getDictionaryAttr({}));
  block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  position = add(first, block);
  if (failed(buildBlock()))
    return failure();
  gpu::ReturnOp::create(builder, loc);
  kernel.setFunctionType(
      FunctionType::get(builder.getContext(), entry->getArgumentTypes(), {}));
  kernel.setAllArgAttrs(parameterAttrs);
  return success();
}

//===----------------------------------------------------------------------===//
// Parameters and captures
//===----------------------------------------------------------------------===//

Value KernelBuilder::addParameter(Value hostValue, bool isNoAlias) {
  hostValues.push_back(hostValue);
  Value argument = entry->addArgument(hostValue.getType(), loc);
  NamedAttrList attrs;
  if (isNoAlias)
    attrs.set("llvm.noalias", builder.getUnitAttr());
  parameterAttrs.push_back(attrs.getDictionary(builder.getContext()));
  return argument;
}

/// What `get` makes on the host for an argument that uses the dat or the map
/// and is active: the runtime has nothing of those that are off.
Value KernelBuilder::selectActive(Value datOrMap,
                                  function_ref<Value(int64_t)> get) {
  Value result;
  for (int64_t number = int64_t(args.size()) - 1; number >= 0; --number) {
    const LoopArg &arg = args[number];
    // Of what functions of the program reduce, a device has the identity.
    Value data = arg.isMerged() ? arg.identity : arg.data;
    if (data != datOrMap && arg.map != datOrMap)
      continue;
    if (!arg.flag)
      return get(number);
    Value value = get(number);
    result = result
                 ? arith::SelectOp::create(host, loc, arg.flag, value, result)
                       .getResult()
                 : value;
  }
  assert(result && "storage of a dat or map that no argument of the loop has");
  return result;
}

static Type getPointer(OpBuilder &builder) {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

/// The address (0) or the stride (1) of what a handle has on the device.
Value KernelBuilder::getStorage(Value handle, Storage storage,
                                unsigned result) {
  return selectActive(handle, [&](int64_t arg) -> Value {
    return DeviceStorageOp::create(host, loc, getPointer(host),
                                   host.getIndexType(), storage, begin, arg)
        ->getResult(result);
  });
}

Value KernelBuilder::captureDat(DatDataOp data) {
  auto type = getKernelType(cast<MemRefType>(data.getData().getType()));
  bool isSoA = isStructOfArrays(type);
  Storage storage = isSoA ? Storage::SoA : Storage::AoS;
  Value pointer =
      addParameter(getStorage(data.getDat(), storage, 0), assumeDistinct);
  SmallVector<Value> sizes;
  if (isSoA)
    sizes.push_back(addParameter(getStorage(data.getDat(), storage, 1), false));
  if (type.isDynamicDim(1)) {
    Value dim = memref::DimOp::create(host, loc, data, 1);
    sizes.push_back(addParameter(dim, false));
  }
  return PtrCastOp::create(builder, loc, type, pointer, sizes);
}

/// On a device a map is stored slot after slot: its memref has the slots first.
Value KernelBuilder::captureMap(MapTableOp table) {
  Value pointer =
      addParameter(getStorage(table.getMap(), Storage::Map, 0), true);
  Value stride =
      addParameter(getStorage(table.getMap(), Storage::Map, 1), false);
  auto type = MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                              builder.getI32Type());
  return PtrCastOp::create(builder, loc, type, pointer, stride);
}

Value KernelBuilder::captureGlobal(Value memref) {
  Value address = getStorage(memref, Storage::Global, 0);
  Value pointer = addParameter(address, true);
  return PtrCastOp::create(builder, loc, memref.getType(), pointer,
                           ValueRange());
}

/// What stands for `value`, defined outside of the blocks, in the kernel.
Value KernelBuilder::getCapture(Value value) {
  if (Value known = outer.lookupOrNull(value))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  Value result;
  if (matchPattern(value, m_Constant()))
    result = builder.clone(*value.getDefiningOp())->getResult(0);
  else if (auto data = value.getDefiningOp<DatDataOp>())
    result = captureDat(data);
  else if (auto table = value.getDefiningOp<MapTableOp>())
    result = captureMap(table);
  else if (isa<MemRefType>(value.getType()))
    result = captureGlobal(value);
  else
    result = addParameter(value, false);
  outer.map(value, result);
  return result;
}

Value KernelBuilder::addPlanArray(Value address, Type elementType) {
  Value pointer = addParameter(address, true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  auto type = MemRefType::get(ShapedType::kDynamic, elementType);
  return PtrCastOp::create(builder, loc, type, pointer, ValueRange());
}

Value KernelBuilder::getPlanArray(PlanArray array, Type elementType,
                                  int64_t arg) {
  Value &known = planArrays[{int(array), arg}];
  if (!known)
    known = addPlanArray(DevicePlanArrayOp::create(host, loc, getPointer(host),
                                                   begin, plan, array, arg,
                                                   /*row=*/0),
                         elementType);
  return known;
}

/// A slot of a map in the order of the plan's elements.
Value KernelBuilder::getPermutedSlot(MapTableOp table, int64_t slot) {
  Value &known = permutedSlots[{table.getMap(), slot}];
  if (!known)
    known = addPlanArray(selectActive(table.getMap(),
                                      [&](int64_t arg) -> Value {
                                        return DevicePlanArrayOp::create(
                                            host, loc, getPointer(host), begin,
                                            plan, PlanArray::PermutedMap, arg,
                                            slot);
                                      }),
                         builder.getI32Type());
  return known;
}

/// Entry `index` of an array of the plan, as an index.
Value KernelBuilder::loadPlanEntry(PlanArray array, Value index, int64_t arg) {
  bool isShort = array == PlanArray::SumBegin || array == PlanArray::SumEntries;
  bool isLong =
      array == PlanArray::OwnedOffset || array == PlanArray::SumOffset;
  unsigned width = isShort ? 16 : isLong ? 64 : 32;
  Value memref = getPlanArray(array, builder.getIntegerType(width), arg);
  Value entry = load(memref, index);
  // Those of 16 bits are unsigned.
  if (isShort)
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        entry);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

//===----------------------------------------------------------------------===//
// Small conveniences
//===----------------------------------------------------------------------===//

Value KernelBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value op2::createSharedAddress(OpBuilder &builder, Location loc,
                               int64_t offset) {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(builder, loc, space, kSharedMemoryName);
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, space, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

Value KernelBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}

Value KernelBuilder::load(Value memref, ValueRange indices) {
  return loadSignless(builder, loc, memref, indices);
}

void KernelBuilder::store(Value value, Value memref, ValueRange indices) {
  storeSignless(builder, loc, value, memref, indices);
}
