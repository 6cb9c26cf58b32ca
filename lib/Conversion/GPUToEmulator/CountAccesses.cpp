//===- CountAccesses.cpp - Emulated kernels that tell what they access ----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the check for races and OP2_EMULATOR_MODEL: before each access to memory
// an emulated kernel calls the runtime, which finds out whether it is to shared
// memory, to the thread's own, or to global memory.
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
  Type type;   ///< of the value, or null
  Value bytes; ///< of what has no type
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
      function.walk([&](Operation *op) { findAccesses(op, accesses); });
      for (const MemoryAccess &access : accesses)
        if (!isOwn(access.address))
          emitCall(access, layout, place++);
    }
    numPlaces += place;
  }

private:
  static void findAccesses(Operation *op, SmallVector<MemoryAccess> &found) {
    auto add = [&](Value address, Value value, int32_t kind) {
      found.push_back({op, address, value.getType(), Value(), kind});
    };
    auto addBytes = [&](Value address, Value bytes, int32_t kind) {
      found.push_back({op, address, Type(), bytes, kind});
    };
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      add(load.getAddr(), load, OP2EMU_LOAD);
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      add(store.getAddr(), store.getValue(), OP2EMU_STORE);
    } else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op)) {
      add(update.getPtr(), update.getVal(), OP2EMU_ATOMIC);
    } else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
      add(exchange.getPtr(), exchange.getVal(), OP2EMU_ATOMIC);
    } else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
      addBytes(copy.getSrc(), copy.getLen(), OP2EMU_LOAD);
      addBytes(copy.getDst(), copy.getLen(), OP2EMU_STORE);
    } else if (auto copy = dyn_cast<LLVM::MemcpyInlineOp>(op)) {
      OpBuilder builder(op);
      Value bytes =
          LLVM::ConstantOp::create(builder, op->getLoc(), copy.getLenAttr());
      addBytes(copy.getSrc(), bytes, OP2EMU_LOAD);
      addBytes(copy.getDst(), bytes, OP2EMU_STORE);
    } else if (auto move = dyn_cast<LLVM::MemmoveOp>(op)) {
      addBytes(move.getSrc(), move.getLen(), OP2EMU_LOAD);
      addBytes(move.getDst(), move.getLen(), OP2EMU_STORE);
    } else if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
      addBytes(set.getDst(), set.getLen(), OP2EMU_STORE);
    }
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

  void emitCall(const MemoryAccess &access, const DataLayout &layout,
                int32_t place) {
    OpBuilder builder(access.op);
    Location loc = access.op->getLoc();
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        builder, getOperation(), "op2emu_access",
        {LLVM::LLVMPointerType::get(&getContext()), i64, i32, i32},
        LLVM::LLVMVoidType::get(&getContext()));
    if (failed(function)) // said by now
      return signalPassFailure();
    auto constant = [&](Type type, int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, type, value);
    };
    Value bytes = access.bytes;
    if (access.type)
      bytes = constant(i64, int64_t(layout.getTypeSize(access.type)));
    else if (bytes.getType() != i64)
      bytes = LLVM::ZExtOp::create(builder, loc, i64, bytes);
    LLVM::CallOp::create(builder, loc, *function,
                         ValueRange{access.address, bytes,
                                    constant(i32, access.kind),
                                    constant(i32, place)});
  }
};
} // namespace
