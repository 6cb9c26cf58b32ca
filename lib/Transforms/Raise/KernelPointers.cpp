//===- KernelPointers.cpp - Memory that a kernel's pointers point to ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPointers.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::op2;

KernelPointers::KernelPointers(LLVM::LLVMFuncOp kernel, ArrayRef<LoopArg> args)
    : args(args), layout(kernel->getParentOfType<ModuleOp>()) {}

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

/// What the predecessors of a block pass for one of its arguments.
void KernelPointers::collectIncoming(BlockArgument arg,
                                     SmallVectorImpl<Value> &values) const {
  Block *block = arg.getOwner();
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
       ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    values.push_back(branch ? branch.getSuccessorOperands(
                                  it.getSuccessorIndex())[arg.getArgNumber()]
                            : Value());
  }
}

/// Nothing if the load is being looked at: pointers of a list, whose loads lead
/// back to themselves, have the base of the first one.
std::optional<PointerBase>
KernelPointers::findBaseOfLoad(LLVM::LoadOp load, Values &active) const {
  if (!active.insert(load).second)
    return std::nullopt;
  // Only the entries of a vector argument's table are known.
  auto [address, offset] = getBaseAndOffset(load.getAddr(), layout);
  std::optional<PointerBase> table = findBase(address, active);
  active.erase(load);
  if (!table || table->kind == PointerBase::Kind::Program)
    return table;
  int64_t size = getSize(load.getType());
  if (table->kind != PointerBase::Kind::Table || !offset ||
      !offset->terms.empty() || offset->constant % size != 0)
    return PointerBase();
  return PointerBase{PointerBase::Kind::Row, table->root,
                     offset->constant / size};
}

PointerBase KernelPointers::findBase(Value pointer) const {
  Values active;
  return findBase(pointer, active).value_or(PointerBase());
}

std::optional<PointerBase> KernelPointers::findBase(Value pointer,
                                                    Values &active) const {
  using Kind = PointerBase::Kind;
  std::optional<PointerBase> found;
  llvm::SmallSetVector<Value, 8> worklist;
  worklist.insert(pointer);
  auto merge = [&](std::optional<PointerBase> base) {
    if (found && base && !(*found == *base))
      base = PointerBase();
    if (base)
      found = base;
  };
  for (size_t i = 0; i < worklist.size(); ++i) {
    Value value = worklist[i];
    if (!value)
      return PointerBase();
    auto arg = dyn_cast<BlockArgument>(value);
    if (arg && arg.getOwner()->isEntryBlock()) {
      bool isTable = args[arg.getArgNumber()].takesTable();
      merge(PointerBase{isTable ? Kind::Table : Kind::Row, value});
    } else if (arg) {
      SmallVector<Value> incoming;
      collectIncoming(arg, incoming);
      worklist.insert(incoming.begin(), incoming.end());
    } else if (auto op = value.getDefiningOp<LLVM::GEPOp>()) {
      worklist.insert(op.getBase());
    } else if (auto op = value.getDefiningOp<LLVM::SelectOp>()) {
      worklist.insert(op.getTrueValue());
      worklist.insert(op.getFalseValue());
    } else if (auto op = value.getDefiningOp<LLVM::LoadOp>()) {
      merge(findBaseOfLoad(op, active));
    } else if (value.getDefiningOp<LLVM::AllocaOp>()) {
      merge(PointerBase{Kind::Local, value});
    } else if (value.getDefiningOp<LLVM::AddressOfOp>()) {
      merge(PointerBase{Kind::Program, Value()});
    } else if (value.getDefiningOp<LLVM::ZeroOp>()) {
      merge(PointerBase{Kind::Null, Value()});
    } else {
      return PointerBase();
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Local variables
//===----------------------------------------------------------------------===//

/// The innermost type of arrays and of structs of one type.
static Type getLeafType(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return getLeafType(array.getElementType());
  auto structType = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structType)
    return type;
  Type leaf;
  for (Type part : structType.getBody()) {
    Type partLeaf = getLeafType(part);
    if (!partLeaf || (leaf && leaf != partLeaf))
      return {};
    leaf = partLeaf;
  }
  return leaf;
}

Type KernelPointers::getElementType(LLVM::AllocaOp local) const {
  Type accessed;
  SmallVector<Value> worklist{local.getResult()};
  llvm::SmallPtrSet<Value, 8> seen;
  auto add = [&](Type access) {
    // An integer as wide as a number is that number on its way.
    if (accessed && accessed != access &&
        accessed.getIntOrFloatBitWidth() == access.getIntOrFloatBitWidth())
      access = isa<FloatType>(accessed) ? accessed : access;
    else if (accessed && accessed != access)
      return false;
    accessed = access;
    return true;
  };
  while (!worklist.empty()) {
    Value pointer = worklist.pop_back_val();
    if (!seen.insert(pointer).second)
      continue;
    for (OpOperand &use : pointer.getUses()) {
      Operation *user = use.getOwner();
      Type access;
      if (auto load = dyn_cast<LLVM::LoadOp>(user))
        access = load.getType();
      else if (auto store = dyn_cast<LLVM::StoreOp>(user))
        access = store.getValue().getType();
      else if (isa<LLVM::GEPOp, LLVM::SelectOp>(user))
        worklist.push_back(user->getResult(0));
      else if (auto branch = dyn_cast<BranchOpInterface>(user)) {
        if (auto arg = branch.getSuccessorBlockArgument(use.getOperandNumber()))
          worklist.push_back(*arg);
      }
      if (access && (!access.isIntOrFloat() || !add(access)))
        return {};
    }
  }
  Type leaf = getLeafType(local.getElemType());
  if (!accessed ||
      (isa_and_nonnull<FloatType>(leaf) &&
       leaf.getIntOrFloatBitWidth() == accessed.getIntOrFloatBitWidth()))
    return leaf;
  return accessed;
}
