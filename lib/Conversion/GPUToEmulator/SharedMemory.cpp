//===- SharedMemory.cpp - Shared memory and address spaces ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUToEmulator.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::op2;

/// Of every buffer, so that 16-byte accesses work.
static constexpr int64_t kBufferAlignment = 16;
/// Where PTX has its shared memory.
static constexpr unsigned kSharedSpace = 3;

static bool isShared(MemRefType type) {
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return true;
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return number && number.getInt() == kSharedSpace;
}

namespace {
/// Hands out static shared memory.
class Allocator {
public:
  explicit Allocator(int64_t used) : used(used) {}

  FailureOr<int64_t> take(MemRefType type, Operation *owner) {
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return owner->emitOpError("cannot be emulated: workgroup memory of "
                                "dynamic size or with a layout: ")
             << type;
    DataLayout layout = DataLayout::closest(owner);
    return take(type.getNumElements() *
                    int64_t(layout.getTypeSize(type.getElementType())),
                1);
  }
  int64_t take(int64_t bytes, int64_t alignment) {
    int64_t begin =
        llvm::alignTo(used, std::max<int64_t>(alignment, kBufferAlignment));
    used = begin + bytes;
    return begin;
  }
  int64_t getUsed() const { return used; }

private:
  int64_t used;
};
} // namespace

/// An array of no elements has its size given at the launch.
static bool isDynamic(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0;
}

static LogicalResult layOutGlobals(gpu::GPUModuleOp device,
                                   Allocator &allocator, SharedLayout &layout) {
  for (auto global : device.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != kSharedSpace)
      continue;
    std::optional<int64_t> &offset = layout.globals[global.getSymName()];
    if (!isDynamic(global))
      offset = allocator.take(int64_t(DataLayout::closest(global).getTypeSize(
                                  global.getGlobalType())),
                              int64_t(global.getAlignment().value_or(1)));
  }
  for (auto global : device.getOps<memref::GlobalOp>()) {
    if (!isShared(global.getType()))
      continue;
    FailureOr<int64_t> offset = allocator.take(global.getType(), global);
    if (failed(offset))
      return failure();
    layout.globals[global.getSymName()] = *offset;
  }
  return success();
}

FailureOr<SharedLayout> op2::layOutSharedMemory(gpu::GPUModuleOp device) {
  SharedLayout layout;
  Allocator allocator(0);
  if (failed(layOutGlobals(device, allocator, layout)))
    return failure();
  auto layOutAttributions = [&](gpu::GPUFuncOp function, Allocator &from) {
    for (BlockArgument buffer : function.getWorkgroupAttributions()) {
      FailureOr<int64_t> offset =
          from.take(cast<MemRefType>(buffer.getType()), function);
      if (failed(offset))
        return failure();
      layout.attributions[function].push_back(*offset);
    }
    return success();
  };
  // Any kernel may call the other functions: their buffers come first.
  for (auto function : device.getOps<gpu::GPUFuncOp>())
    if (!function.isKernel() && failed(layOutAttributions(function, allocator)))
      return failure();
  for (auto function : device.getOps<gpu::GPUFuncOp>()) {
    if (!function.isKernel())
      continue;
    Allocator ofKernel(allocator.getUsed());
    if (failed(layOutAttributions(function, ofKernel)))
      return failure();
    layout.kernelBytes[function] = ofKernel.getUsed();
  }
  return layout;
}

void op2::removeAddressSpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) {
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.addReplacement([](LLVM::LLVMPointerType type) {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](LLVM::GlobalOp global) { global.setAddrSpace(0); });
}
