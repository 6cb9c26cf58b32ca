//===- Ownership.cpp - Loops that owner-compute can run -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element may run in several threads if all that its kernel leaves behind
// are additions through maps: those that a thread does not own go to a private
// row, and that the kernel ran has no other effect.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::op2;

Value op2::getWholeMemory(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// Whether memory is the kernel's own: its arguments' or its frame's.
static bool isOwnMemory(Value memory, FunctionOpInterface kernel) {
  memory = getWholeMemory(memory);
  if (auto argument = dyn_cast<BlockArgument>(memory))
    return argument.getOwner() == &kernel.getFunctionBody().front();
  return isa_and_nonnull<memref::AllocaOp>(memory.getDefiningOp());
}

/// Whether a pointer leads to the kernel's own memory.
static bool isOwnPointer(Value pointer, FunctionOpInterface kernel) {
  while (auto step = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = step.getBase();
  auto cast = pointer.getDefiningOp<PtrCastOp>();
  return cast && isOwnMemory(cast.getSource(), kernel);
}

bool op2::isConfined(LLVM::CallOp call, FunctionOpInterface kernel) {
  using LLVM::ModRefInfo;
  LLVM::MemoryEffectsAttr effects = call.getMemoryEffectsAttr();
  auto function = call.getCallee()
                      ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                            kernel, call.getCalleeAttr())
                      : LLVM::LLVMFuncOp();
  if (!effects || !function || !function.getNoUnwind() || function.isVarArg() ||
      effects.getOther() != ModRefInfo::NoModRef ||
      effects.getErrnoMem() != ModRefInfo::NoModRef ||
      effects.getTargetMem0() != ModRefInfo::NoModRef ||
      effects.getTargetMem1() != ModRefInfo::NoModRef)
    return false;
  bool writes = effects.getArgMem() == ModRefInfo::Mod ||
                effects.getArgMem() == ModRefInfo::ModRef;
  for (OpOperand &operand : call.getArgOperandsMutable()) {
    if (!isa<LLVM::LLVMPointerType>(operand.get().getType()))
      continue;
    auto has = [&](StringRef attr) {
      return bool(function.getArgAttr(operand.getOperandNumber(), attr));
    };
    bool isRead = !writes || has(LLVM::LLVMDialect::getReadonlyAttrName()) ||
                  has(LLVM::LLVMDialect::getReadnoneAttrName());
    if (!has(LLVM::LLVMDialect::getNoCaptureAttrName()) ||
        !(isRead || isOwnPointer(operand.get(), kernel)))
      return false;
  }
  return true;
}

/// Whether an operation, its regions aside, could be noticed from outside.
static bool hasSideEffects(Operation *op, FunctionOpInterface kernel) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocaOp>(op))
    return false;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !isConfined(call, kernel);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return !isOwnMemory(store.getMemRef(), kernel);
  return !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
}

Operation *op2::findSideEffect(FunctionOpInterface kernel) {
  Operation *found = nullptr;
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (!hasSideEffects(op, kernel))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Whether an argument may be changed by several executions of an element, of
/// which one counts: its globals are reduced, or all write the same values.
/// They do unless an element reads a dat that another execution has written.
static bool mayRepeat(const LoopArg &arg, ArrayRef<LoopArg> args) {
  if (!arg.isDat())
    return arg.getAccess() != Access::ReadWrite && !arg.isMerged();
  return arg.getAccess() == Access::Write && !arg.isPacked() &&
         llvm::none_of(args, [&](const LoopArg &other) {
           return other.isDat() && other.data == arg.data &&
                  other.getAccess() != Access::Write;
         });
}

std::optional<std::string>
op2::findOwnershipObstacle(ArrayRef<LoopArg> args, FunctionOpInterface kernel,
                           bool counts) {
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (arg.getAccess() == Access::Read || (counts && mayRepeat(arg, args)))
      continue;
    std::string name = ("argument " + Twine(number)).str();
    if (!arg.isDat())
      return name + " is a global that the loop changes";
    if (!arg.isIndirect())
      return name + " is changed directly";
    if (arg.getAccess() != Access::Inc)
      return name + " has access '" + stringifyAccess(arg.getAccess()).str() +
             "' through a map";
    if (ShapedType::isDynamic(arg.getDim()))
      return name + " has a dim that is not known";
  }
  // Rows of elements that others own, too, are private.
  if (int64_t bytes = countPrivateBytes(args, isConflict);
      bytes > kMaxPrivateBytes)
    return ("its increments have " + Twine(bytes) + " bytes, more than the " +
            Twine(kMaxPrivateBytes) + " that threads have place for")
        .str();
  if (!isa<func::FuncOp>(kernel) || kernel.isExternal())
    return "its kernel is not a func.func with a body";
  if (Operation *effect = findSideEffect(kernel))
    return ("its kernel has '" + effect->getName().getStringRef() +
            "', which may not run twice")
        .str();
  return std::nullopt;
}
