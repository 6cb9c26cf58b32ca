//===- Launch.cpp - Kernels and their launches ----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch stores each kernel argument in the frame of the calling function and
// the addresses in a table; the entry of the kernel loads them again. Memrefs
// go as their pointer and what is dynamic in them, so that their layout in
// memory does not matter.
//
//===----------------------------------------------------------------------===//

#include "GPUToEmulator.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Runtime/op2emu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

static LLVM::LLVMPointerType getPointer(OpBuilder &builder) {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

static bool isPassable(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.isStrided();
  return type.isIndex() || LLVM::isCompatibleType(type);
}

//===----------------------------------------------------------------------===//
// Host side
//===----------------------------------------------------------------------===//

namespace {
/// Collects the values that stand for kernel arguments, and stores them.
class ArgumentPacker {
public:
  ArgumentPacker(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  void add(Value value) {
    if (isa<MemRefType>(value.getType()))
      return addMemRef(cast<TypedValue<MemRefType>>(value));
    if (value.getType().isIndex())
      value =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    values.push_back(value);
  }

  /// The table, allocated at the start of `frame`.
  Value store(Block &frame);

private:
  void addMemRef(TypedValue<MemRefType> memref);
  Value allocate(Block &frame, Type type, int64_t count);

  OpBuilder &builder;
  Location loc;
  SmallVector<Value> values;
};
} // namespace

void ArgumentPacker::addMemRef(TypedValue<MemRefType> memref) {
  add(memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref));
  MemRefType type = memref.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  if (ShapedType::isDynamic(offset))
    add(parts.getOffset());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      add(parts.getSizes()[dim]);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (ShapedType::isDynamic(strides[dim]))
      add(parts.getStrides()[dim]);
  if (parts->use_empty())
    parts->erase();
}

Value ArgumentPacker::allocate(Block &frame, Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&frame);
  Value number = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                          builder.getI64IntegerAttr(count));
  return LLVM::AllocaOp::create(builder, loc, getPointer(builder), type,
                                number);
}

Value ArgumentPacker::store(Block &frame) {
  Type pointer = getPointer(builder);
  Value table = allocate(frame, pointer, std::max<int64_t>(values.size(), 1));
  for (auto [number, value] : llvm::enumerate(values)) {
    Value place = allocate(frame, value.getType(), 1);
    LLVM::StoreOp::create(builder, loc, value, place);
    Value entry = LLVM::GEPOp::create(builder, loc, pointer, pointer, table,
                                      ArrayRef<LLVM::GEPArg>{int32_t(number)});
    LLVM::StoreOp::create(builder, loc, place, entry);
  }
  return table;
}

static Value createName(OpBuilder &builder, Location loc, ModuleOp host,
                        EmulatedKernel kernel) {
  std::string name = ("__op2_emulator_name_" + kernel.entry.getName()).str();
  Type pointer = getPointer(builder);
  if (!host.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel.entry);
    std::string text = kernel.loopName + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                           LLVM::Linkage::Internal, name,
                           builder.getStringAttr(text));
  }
  return LLVM::AddressOfOp::create(builder, loc, pointer, name);
}

/// `value`, an index or integer, as an integer of `bits` bits.
static Value toInteger(OpBuilder &builder, Location loc, Value value,
                       unsigned bits) {
  Type type = builder.getIntegerType(bits);
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() < bits)
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

LogicalResult op2::convertLaunch(gpu::LaunchFuncOp launch, ModuleOp host,
                                 const EmulatedKernel &kernel) {
  auto function = launch->getParentOfType<FunctionOpInterface>();
  if (!function)
    return launch.emitOpError("cannot be emulated outside of a function");
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  ArgumentPacker packer(builder, loc);
  for (Value argument : launch.getKernelOperands())
    packer.add(argument);
  Value table = packer.store(function.getFunctionBody().front());

  FunctionType entryType = func::FuncOp(kernel.entry).getFunctionType();
  SmallVector<Value> operands = {
      createName(builder, loc, host, kernel),
      func::ConstantOp::create(builder, loc, entryType,
                               func::FuncOp(kernel.entry).getName()),
      table};
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z})
    operands.push_back(toInteger(builder, loc, size, 64));
  for (Value size : {block.x, block.y, block.z})
    operands.push_back(toInteger(builder, loc, size, 32));
  auto constant = [&](unsigned bits, int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc,
                                        builder.getIntegerType(bits), value);
  };
  operands.push_back(constant(64, kernel.staticShared));
  Value dynamic = launch.getDynamicSharedMemorySize();
  operands.push_back(dynamic ? toInteger(builder, loc, dynamic, 64)
                             : constant(64, 0));
  operands.push_back(
      constant(32, kernel.isIndependent ? OP2EMU_INDEPENDENT_THREADS : 0));
  FunctionType type =
      builder.getFunctionType(ValueRange(operands).getTypes(), TypeRange());
  func::CallOp::create(builder, loc,
                       declareRuntime(host, "op2emu_launch", type), operands);
  launch.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel side
//===----------------------------------------------------------------------===//

namespace {
/// Loads the kernel arguments, in the order of the packer.
class ArgumentUnpacker {
public:
  ArgumentUnpacker(OpBuilder &builder, Location loc, Value table)
      : builder(builder), loc(loc), table(table) {}

  Value load(Type type) {
    if (auto memref = dyn_cast<MemRefType>(type))
      return loadMemRef(memref);
    if (!type.isIndex())
      return loadNext(type);
    return arith::IndexCastOp::create(builder, loc, type,
                                      loadNext(builder.getI64Type()));
  }

private:
  Value loadNext(Type type) {
    Type pointer = getPointer(builder);
    Value entry = LLVM::GEPOp::create(builder, loc, pointer, pointer, table,
                                      ArrayRef<LLVM::GEPArg>{next++});
    Value place = LLVM::LoadOp::create(builder, loc, pointer, entry);
    return LLVM::LoadOp::create(builder, loc, type, place);
  }
  Value loadMemRef(MemRefType type);

  OpBuilder &builder;
  Location loc;
  Value table;
  int32_t next = 0;
};
} // namespace

Value ArgumentUnpacker::loadMemRef(MemRefType type) {
  Value pointer = loadNext(getPointer(builder));
  Value base = PtrCastOp::create(builder, loc,
                                 MemRefType::get({}, type.getElementType()),
                                 pointer, ValueRange());
  auto part = [&](int64_t value) -> OpFoldResult {
    if (ShapedType::isDynamic(value))
      return load(builder.getIndexType());
    return builder.getIndexAttr(value);
  };
  auto [strides, offset] = type.getStridesAndOffset();
  OpFoldResult first = part(offset);
  SmallVector<OpFoldResult> sizes, steps;
  for (int64_t size : type.getShape())
    sizes.push_back(part(size));
  for (int64_t stride : strides)
    steps.push_back(part(stride));
  return memref::ReinterpretCastOp::create(builder, loc, type, base, first,
                                           sizes, steps);
}

/// The kernel's function without what only GPUs know.
static func::FuncOp createBody(gpu::GPUFuncOp kernel, StringRef name) {
  OpBuilder builder(kernel.getContext());
  auto body =
      func::FuncOp::create(kernel.getLoc(), name, kernel.getFunctionType());
  for (unsigned number = 0; number < body.getNumArguments(); ++number)
    // On memrefs they would be lost, with a warning, later.
    if (isa<LLVM::LLVMPointerType>(body.getArgumentTypes()[number]))
      for (NamedAttribute attribute :
           function_interface_impl::getArgAttrs(kernel, number))
        if (attribute.getName().getValue().starts_with("llvm."))
          body.setArgAttr(number, attribute.getName(), attribute.getValue());
  body->setAttr(kEmulatedAttr, builder.getUnitAttr());
  body.getBody().takeBody(kernel.getBody());
  body.walk([&](gpu::ReturnOp op) {
    builder.setInsertionPoint(op);
    func::ReturnOp::create(builder, op.getLoc(), op.getOperands());
    op.erase();
  });
  return body;
}

static func::FuncOp createEntry(func::FuncOp body, StringRef name) {
  OpBuilder builder(body.getContext());
  Location loc = body.getLoc();
  auto entry = func::FuncOp::create(
      loc, name, builder.getFunctionType({getPointer(builder)}, {}));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  ArgumentUnpacker arguments(builder, loc, entry.getArgument(0));
  SmallVector<Value> operands;
  for (Type type : body.getArgumentTypes())
    operands.push_back(arguments.load(type));
  func::CallOp::create(builder, loc, body, operands);
  func::ReturnOp::create(builder, loc);
  return entry;
}

FailureOr<EmulatedKernel> op2::convertKernel(gpu::GPUFuncOp kernel,
                                             ModuleOp host,
                                             SymbolTable &hostSymbols) {
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!isPassable(type))
      return kernel.emitOpError("cannot be emulated: argument ")
             << number << " is of type " << type;
  std::string name = kernel.getName().str();
  std::string loopName = name;
  if (auto loop = kernel->getAttrOfType<StringAttr>(kLoopNameAttr))
    loopName = loop.str();
  auto device = kernel->getParentOfType<gpu::GPUModuleOp>();
  bool isKernel = kernel.isKernel();
  func::FuncOp body = createBody(kernel, isKernel ? name + "_thread" : name);
  kernel.erase();
  hostSymbols.insert(body, Block::iterator(device));
  makeInternal(body);
  if (!isKernel)
    return EmulatedKernel{body, nullptr, loopName, 0, false};
  func::FuncOp entry = createEntry(body, name);
  hostSymbols.insert(entry, Block::iterator(device));
  makeInternal(entry);
  return EmulatedKernel{body, entry, loopName, 0, false};
}
