//===- CountAccesses.cpp - Emulated kernels that tell what they access ----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For OP2_EMULATOR_MODEL: before each access to memory an emulated kernel calls
// the runtime, which finds out whether it is to shared memory, to the thread's
// own, or to global memory.
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Runtime/op2emu.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2COUNTACCESSESPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
struct MemoryAccess {
  Operation *op;
  Value address;
  Type type;
  int32_t kind;
};

struct OP2CountAccessesPass
    : public op2::impl::OP2CountAccessesPassBase<OP2CountAccessesPass> {
  using OP2CountAccessesPassBase::OP2CountAccessesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    DataLayout layout(module);
    int32_t place = 0;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(kEmulatedAttr))
        continue;
      SmallVector<MemoryAccess> accesses;
      function.walk([&](Operation *op) {
        if (std::optional<MemoryAccess> access = findAccess(op))
          accesses.push_back(*access);
      });
      for (const MemoryAccess &access : accesses)
        emitCall(access, int64_t(layout.getTypeSize(access.type)), place++);
    }
    numPlaces += place;
  }

private:
  static std::optional<MemoryAccess> findAccess(Operation *op) {
    std::optional<MemoryAccess> access;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      access = {op, load.getAddr(), load.getType(), OP2EMU_LOAD};
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      access = {op, store.getAddr(), store.getValue().getType(), OP2EMU_STORE};
    else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
      access = {op, update.getPtr(), update.getVal().getType(), OP2EMU_ATOMIC};
    else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      access = {op, exchange.getPtr(), exchange.getVal().getType(),
                OP2EMU_ATOMIC};
    if (access && isOwn(access->address))
      return std::nullopt;
    return access;
  }

  /// The thread's frame, or what stands for its registers: the emulator's state
  /// of thread and block.
  static bool isOwn(Value address) {
    while (auto step = address.getDefiningOp<LLVM::GEPOp>())
      address = step.getBase();
    if (address.getDefiningOp<LLVM::AllocaOp>())
      return true;
    auto call = address.getDefiningOp<LLVM::CallOp>();
    return call && call.getCallee() && call.getCallee()->starts_with("op2emu_");
  }

  void emitCall(const MemoryAccess &access, int64_t bytes, int32_t place) {
    OpBuilder builder(access.op);
    Location loc = access.op->getLoc();
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        builder, getOperation(), "op2emu_access",
        {LLVM::LLVMPointerType::get(&getContext()), i64, i32, i32},
        LLVM::LLVMVoidType::get(&getContext()));
    assert(succeeded(function) && "names starting with op2emu_ are ours");
    auto constant = [&](Type type, int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, type, value);
    };
    LLVM::CallOp::create(builder, loc, *function,
                         ValueRange{access.address, constant(i64, bytes),
                                    constant(i32, access.kind),
                                    constant(i32, place)});
  }
};
} // namespace
