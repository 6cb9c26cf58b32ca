//===- DeviceOps.cpp - gpu ops as calls of the emulator -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUToEmulator.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Runtime/op2emu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;
using namespace mlir::op2;

func::FuncOp op2::declareRuntime(ModuleOp host, StringRef name,
                                 FunctionType type) {
  if (auto function = host.lookupSymbol<func::FuncOp>(name))
    return function;
  auto builder = OpBuilder::atBlockBegin(host.getBody());
  auto function = func::FuncOp::create(builder, host.getLoc(), name, type);
  function.setPrivate();
  return function;
}

namespace {

/// Replaces ops one by one; each method gives the new value of an op.
class DeviceOps {
public:
  DeviceOps(ModuleOp host, const SharedLayout &layout)
      : host(host), layout(layout), builder(host.getContext()) {}

  LogicalResult replace(Operation *op);
  void replaceAttributions(gpu::GPUFuncOp function);

private:
  Type getI64() { return builder.getI64Type(); }
  Type getPointer() { return LLVM::LLVMPointerType::get(host.getContext()); }

  /// A field of what `getter` returns, at `offset` bytes.
  Value loadField(StringRef getter, size_t offset, Type type);
  Value loadThread(size_t offset) {
    return toIndex(loadField("op2emu_self", offset, getI64()));
  }
  Value loadBlock(size_t offset) {
    return toIndex(loadField("op2emu_group", offset, getI64()));
  }
  static size_t at(size_t array, gpu::Dimension dimension) {
    return array + size_t(dimension) * sizeof(int64_t);
  }
  Value toIndex(Value i64) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      i64);
  }

  Value getGlobalId(gpu::Dimension dimension);
  Value getDynamicShared(MemRefType type);
  Value getShared(std::optional<int64_t> offset);
  Value getSharedGlobal(Operation *op, StringRef name);
  Value asMemRef(Value pointer, MemRefType type) {
    return PtrCastOp::create(builder, loc, type, pointer, ValueRange());
  }
  LogicalResult replaceShuffle(gpu::ShuffleOp shuffle);

  ModuleOp host;
  const SharedLayout &layout;
  OpBuilder builder;
  Location loc = host.getLoc();
};

} // namespace

Value DeviceOps::loadField(StringRef getter, size_t offset, Type type) {
  func::FuncOp function =
      declareRuntime(host, getter, builder.getFunctionType({}, {getPointer()}));
  // One call for all uses in a thread.
  function->setAttr("llvm.readnone", builder.getUnitAttr());
  Value state = func::CallOp::create(builder, loc, function).getResult(0);
  Value place =
      LLVM::GEPOp::create(builder, loc, getPointer(), builder.getI8Type(),
                          state, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return LLVM::LoadOp::create(builder, loc, type, place);
}

Value DeviceOps::getGlobalId(gpu::Dimension dimension) {
  Value block = loadBlock(at(offsetof(op2emu_block, block), dimension));
  Value size = loadBlock(at(offsetof(op2emu_block, block_dim), dimension));
  Value thread = loadThread(at(offsetof(op2emu_thread, thread), dimension));
  Value first = arith::MulIOp::create(builder, loc, block, size);
  return arith::AddIOp::create(builder, loc, first, thread);
}

/// The address of static shared memory at `offset`, or of dynamic.
Value DeviceOps::getShared(std::optional<int64_t> offset) {
  if (!offset)
    return loadField("op2emu_group", offsetof(op2emu_block, dynamic_shared),
                     getPointer());
  Value base = loadField("op2emu_group", offsetof(op2emu_block, static_shared),
                         getPointer());
  return LLVM::GEPOp::create(builder, loc, getPointer(), builder.getI8Type(),
                             base, ArrayRef<LLVM::GEPArg>{int32_t(*offset)});
}

Value DeviceOps::getDynamicShared(MemRefType type) {
  Value memory = asMemRef(getShared(std::nullopt), type);
  if (type.hasStaticShape())
    return memory;
  Value bytes = loadBlock(offsetof(op2emu_block, dynamic_shared_bytes));
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  return memref::ReinterpretCastOp::create(builder, loc, type, memory, zero,
                                           ArrayRef<OpFoldResult>{bytes},
                                           ArrayRef<OpFoldResult>{one});
}

/// Null if `name` is not a global in shared memory.
Value DeviceOps::getSharedGlobal(Operation *op, StringRef name) {
  auto global = layout.globals.find(name);
  if (global == layout.globals.end())
    return {};
  Value pointer = getShared(global->second);
  auto memref = dyn_cast<MemRefType>(op->getResult(0).getType());
  return memref ? asMemRef(pointer, memref) : pointer;
}

LogicalResult DeviceOps::replaceShuffle(gpu::ShuffleOp shuffle) {
  Type type = shuffle.getValue().getType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return shuffle.emitOpError("cannot be emulated on values of type ") << type;
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value value = shuffle.getValue();
  if (type != integer)
    value = arith::BitcastOp::create(builder, loc, integer, value);
  if (bits < 64)
    value = arith::ExtUIOp::create(builder, loc, getI64(), value);
  Type i32 = builder.getI32Type();
  auto constant = [&](int32_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, number);
  };
  static_assert(int(gpu::ShuffleMode::XOR) == OP2EMU_SHUFFLE_XOR &&
                int(gpu::ShuffleMode::DOWN) == OP2EMU_SHUFFLE_DOWN &&
                int(gpu::ShuffleMode::UP) == OP2EMU_SHUFFLE_UP &&
                int(gpu::ShuffleMode::IDX) == OP2EMU_SHUFFLE_IDX);
  func::FuncOp function =
      declareRuntime(host, "op2emu_shuffle",
                     builder.getFunctionType({getI64(), i32, i32, i32, i32},
                                             {getI64(), getI64()}));
  auto call = func::CallOp::create(
      builder, loc, function,
      ValueRange{value, shuffle.getOffset(), shuffle.getWidth(),
                 constant(int32_t(shuffle.getMode())),
                 constant(int32_t(bits))});
  Value result = call.getResult(0);
  if (bits < 64)
    result = arith::TruncIOp::create(builder, loc, integer, result);
  if (type != integer)
    result = arith::BitcastOp::create(builder, loc, type, result);
  Value valid = arith::TruncIOp::create(builder, loc, builder.getI1Type(),
                                        call.getResult(1));
  shuffle.replaceAllUsesWith(ValueRange{result, valid});
  shuffle.erase();
  return success();
}

LogicalResult DeviceOps::replace(Operation *op) {
  builder.setInsertionPoint(op);
  loc = op->getLoc();
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return replaceShuffle(shuffle);
  if (isa<gpu::BarrierOp>(op)) {
    func::CallOp::create(builder, loc,
                         declareRuntime(host, "op2emu_barrier",
                                        builder.getFunctionType({}, {})));
    op->erase();
    return success();
  }
  using B = op2emu_block;
  using T = op2emu_thread;
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](gpu::ThreadIdOp id) {
            return loadThread(at(offsetof(T, thread), id.getDimension()));
          })
          .Case([&](gpu::BlockIdOp id) {
            return loadBlock(at(offsetof(B, block), id.getDimension()));
          })
          .Case([&](gpu::BlockDimOp size) {
            return loadBlock(at(offsetof(B, block_dim), size.getDimension()));
          })
          .Case([&](gpu::GridDimOp size) {
            return loadBlock(at(offsetof(B, grid_dim), size.getDimension()));
          })
          .Case([&](gpu::GlobalIdOp id) {
            return getGlobalId(id.getDimension());
          })
          .Case([&](gpu::LaneIdOp) { return loadThread(offsetof(T, lane)); })
          .Case(
              [&](gpu::SubgroupIdOp) { return loadThread(offsetof(T, warp)); })
          .Case([&](gpu::NumSubgroupsOp) {
            return loadBlock(offsetof(B, num_warps));
          })
          .Case([&](gpu::SubgroupSizeOp) {
            return arith::ConstantIndexOp::create(builder, loc,
                                                  OP2EMU_WARP_SIZE);
          })
          .Case([&](gpu::DynamicSharedMemoryOp memory) {
            return getDynamicShared(memory.getType());
          })
          .Case([&](memref::GetGlobalOp global) {
            return getSharedGlobal(op, global.getName());
          })
          .Case([&](LLVM::AddressOfOp global) {
            return getSharedGlobal(op, global.getGlobalName());
          })
          .Case<memref::MemorySpaceCastOp, LLVM::AddrSpaceCastOp>(
              [](auto cast) { return cast->getOperand(0); })
          .Default(Value());
  if (value) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }
  return success();
}

void DeviceOps::replaceAttributions(gpu::GPUFuncOp function) {
  builder.setInsertionPointToStart(&function.getBody().front());
  loc = function.getLoc();
  auto offsets = layout.attributions.find(function);
  for (auto [number, argument] :
       llvm::enumerate(function.getWorkgroupAttributions())) {
    BlockArgument buffer = argument;
    buffer.replaceAllUsesWith(asMemRef(getShared(offsets->second[number]),
                                       cast<MemRefType>(buffer.getType())));
  }
  for (BlockArgument buffer : function.getPrivateAttributions())
    buffer.replaceAllUsesWith(memref::AllocaOp::create(
        builder, loc, cast<MemRefType>(buffer.getType())));
  unsigned numArguments = function.getFunctionType().getNumInputs();
  Block &entry = function.getBody().front();
  entry.eraseArguments(numArguments, entry.getNumArguments() - numArguments);
  function->removeAttr(gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName());
}

LogicalResult op2::replaceDeviceOps(gpu::GPUModuleOp device, ModuleOp host,
                                    const SharedLayout &layout) {
  DeviceOps ops(host, layout);
  for (auto function : device.getOps<gpu::GPUFuncOp>())
    ops.replaceAttributions(function);
  WalkResult result = device.walk([&](Operation *op) {
    return failed(ops.replace(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  SymbolTable symbols(device);
  for (const auto &global : layout.globals)
    symbols.erase(symbols.lookup(global.first()));
  return success();
}
