//===- DeviceConstants.cpp - The host's variables in constant memory ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2DEVICECONSTANTSPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// What all variables of an image may take of constant memory, in bytes.
static constexpr uint64_t kConstantBytes = 64 << 10;
static constexpr unsigned kConstantSpace = 4, kGlobalSpace = 1;

/// Variables that the host sets: not constants, and not shared memory.
static bool isHostVariable(LLVM::GlobalOp global) {
  return global.getAddrSpace() == 0 && !global.getConstant();
}

static bool isTable(LLVM::GlobalOp global) {
  return isa<LLVM::LLVMPointerType>(global.getType());
}

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

/// An op of this module that writes through `address`.
static Operation *findWrite(Value address) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user)) {
      if (Operation *write = findWrite(user->getResult(0)))
        return write;
    } else if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
      if (store.getAddr() == address)
        return user;
    } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(user)) {
      if (effects.getEffectOnValue<MemoryEffects::Write>(address))
        return user;
    }
  }
  return nullptr;
}

static LogicalResult checkUses(LLVM::GlobalOp global,
                               ArrayRef<LLVM::AddressOfOp> uses) {
  for (LLVM::AddressOfOp use : uses) {
    if (Operation *write = findWrite(use)) {
      auto function = write->getParentOfType<LLVM::LLVMFuncOp>();
      return write->emitError()
             << "'" << function.getName() << "' writes '" << global.getName()
             << "', which kernels on a GPU can only read: the program's "
                "variables have copies there";
    }
  }
  return success();
}

/// Zeros, whatever the host starts with: it passes its values before a launch.
static void clearInitializer(LLVM::GlobalOp global) {
  global.removeValueAttr();
  Region &region = global.getInitializerRegion();
  region.getBlocks().clear();
  OpBuilder builder(global.getContext());
  builder.createBlock(&region);
  Value zero = LLVM::ZeroOp::create(builder, global.getLoc(), global.getType());
  LLVM::ReturnOp::create(builder, global.getLoc(), zero);
}

static void moveToSpace(LLVM::GlobalOp global, unsigned space,
                        ArrayRef<LLVM::AddressOfOp> uses) {
  global.setAddrSpace(space);
  global.setLinkage(LLVM::Linkage::External);
  global.setExternallyInitialized(true);
  clearInitializer(global);
  auto type = LLVM::LLVMPointerType::get(global.getContext(), space);
  for (LLVM::AddressOfOp use : uses) {
    OpBuilder builder(use);
    Value address = LLVM::AddressOfOp::create(builder, use.getLoc(), type,
                                              use.getGlobalName());
    use.replaceAllUsesWith(LLVM::AddrSpaceCastOp::create(builder, use.getLoc(),
                                                         use.getType(), address)
                               .getResult());
    use.erase();
  }
}

/// Reads through `address` go to `place`, the same in global memory, which does
/// not change while kernels run. What else is done with it stays as it is.
static void moveReads(Value address, Value place) {
  for (Operation *user : llvm::make_early_inc_range(address.getUsers())) {
    OpBuilder builder(user);
    if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
      load.getAddrMutable().assign(place);
      load.setInvariant(true);
    } else if (auto step = dyn_cast<LLVM::GEPOp>(user);
               step && step.getBase() == address) {
      auto moved = cast<LLVM::GEPOp>(builder.clone(*step));
      moved.getBaseMutable().assign(place);
      moved.getResult().setType(cast<LLVM::LLVMPointerType>(place.getType()));
      moveReads(step, moved);
    }
  }
}

/// Memrefs are structs with a pointer here: takes it from where it was before
/// it became a part of one.
static void foldParts(gpu::GPUModuleOp device) {
  device.walk([](LLVM::ExtractValueOp part) {
    OpBuilder builder(part);
    SmallVector<Value> values;
    if (succeeded(builder.tryFold(part, values))) {
      part.replaceAllUsesWith(values.front());
      part.erase();
    }
  });
}

/// What the pointers that are loaded from a variable lead to.
static LogicalResult moveTables(LLVM::GlobalOp global,
                                ArrayRef<LLVM::AddressOfOp> uses) {
  auto type = LLVM::LLVMPointerType::get(global.getContext(), kGlobalSpace);
  for (LLVM::AddressOfOp use : uses)
    for (Operation *user : use->getUsers()) {
      auto load = dyn_cast<LLVM::LoadOp>(user);
      if (!load)
        continue;
      if (Operation *write = findWrite(load.getResult()))
        return write->emitError()
               << "writes what the pointer '" << global.getName()
               << "' leads to, of which a GPU has a copy to read";
      OpBuilder builder(global.getContext());
      builder.setInsertionPointAfter(load);
      Value place =
          LLVM::AddrSpaceCastOp::create(builder, load.getLoc(), type, load);
      moveReads(load, place);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

using Variables = llvm::SetVector<Operation *>;

/// The variables that a function, what it calls, and what its constant tables
/// lead to, read.
static void collectVariables(Operation *function, gpu::GPUModuleOp device,
                             llvm::SmallPtrSetImpl<Operation *> &visited,
                             Variables &variables) {
  if (!visited.insert(function).second)
    return;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function);
  if (!uses)
    return;
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *symbol = SymbolTable::lookupSymbolIn(
        device, use.getSymbolRef().getRootReference());
    if (auto global = dyn_cast_or_null<LLVM::GlobalOp>(symbol);
        global && global.getExternallyInitialized())
      variables.insert(global);
    else if (isa_and_nonnull<LLVM::LLVMFuncOp, LLVM::GlobalOp>(symbol))
      collectVariables(symbol, device, visited, variables);
  }
}

namespace {
struct OP2DeviceConstantsPass
    : public op2::impl::OP2DeviceConstantsPassBase<OP2DeviceConstantsPass> {
  void runOnOperation() override {
    for (auto device : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(moveVariables(device)))
        return signalPassFailure();
    createDeviceConstants();
  }

private:
  LogicalResult moveVariables(gpu::GPUModuleOp device);
  void createDeviceConstants();

  uint64_t getBytes(LLVM::GlobalOp global) {
    return DataLayout(getOperation()).getTypeSize(global.getType());
  }
};
} // namespace

LogicalResult OP2DeviceConstantsPass::moveVariables(gpu::GPUModuleOp device) {
  if (llvm::any_of(device.getOps<LLVM::GlobalOp>(), isTable))
    foldParts(device);
  llvm::DenseMap<StringAttr, SmallVector<LLVM::AddressOfOp>> uses;
  device.walk([&](LLVM::AddressOfOp address) {
    uses[address.getGlobalNameAttr().getAttr()].push_back(address);
  });
  uint64_t used = 0;
  for (auto global : device.getOps<LLVM::GlobalOp>()) {
    if (!isHostVariable(global))
      continue;
    // The runtime looks it up by its name, so it cannot get another.
    if (!llvm::all_of(global.getName(), isNameCharacter))
      return emitError(global.getLoc(), "variable '")
             << global.getName()
             << "' cannot be used on a GPU: PTX does not take its name";
    ArrayRef<LLVM::AddressOfOp> addresses = uses[global.getSymNameAttr()];
    if (failed(checkUses(global, addresses)))
      return failure();
    uint64_t bytes = llvm::alignTo(getBytes(global), 16);
    bool fits = used + bytes <= kConstantBytes;
    if (fits)
      used += bytes;
    if (isTable(global) && failed(moveTables(global, addresses)))
      return failure();
    moveToSpace(global, fits ? kConstantSpace : kGlobalSpace, addresses);
  }
  return success();
}

/// At the beginning of the loop: a loop may have many launches.
void OP2DeviceConstantsPass::createDeviceConstants() {
  llvm::DenseMap<Operation *, Variables> passed; // by loop
  getOperation().walk([&](LaunchOp launch) {
    SymbolRefAttr kernel = launch.getKernel();
    auto device = getOperation().lookupSymbol<gpu::GPUModuleOp>(
        kernel.getRootReference());
    if (!device)
      return;
    Operation *function = device.lookupSymbol(kernel.getLeafReference());
    Operation *loop = launch.getLoop().getDefiningOp();
    if (!function || !loop)
      return;
    llvm::SmallPtrSet<Operation *, 8> visited;
    Variables variables;
    collectVariables(function, device, visited, variables);
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(loop);
    for (Operation *variable : variables) {
      auto global = cast<LLVM::GlobalOp>(variable);
      if (passed[loop].insert(variable))
        DeviceConstantOp::create(
            builder, launch.getLoc(), isTable(global),
            SymbolRefAttr::get(device.getNameAttr(),
                               {FlatSymbolRefAttr::get(global)}),
            getBytes(global));
    }
  });
}
