//===- AdditionOrder.cpp - What kernels add, and in which order -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// r + x rounds x and the sum, each once: it does not matter whether x has been
// in private memory meanwhile. (r + x) + y is not r + (x + y), nor is a product
// that is added by one operation with one rounding (fma).
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/AdditionOrder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::op2;

/// The argument that an operand of the kernel belongs to, if it is a row whose
/// additions matter.
static std::optional<unsigned> findArg(ArrayRef<LoopArg> args,
                                       unsigned operand) {
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (operand >= arg.getNumOperands()) {
      operand -= arg.getNumOperands();
      continue;
    }
    if (isConflict(arg) && arg.getAccess() == Access::Inc && !arg.isPacked() &&
        isa<FloatType>(arg.getElementType()))
      return number;
    return std::nullopt;
  }
  return std::nullopt;
}

static std::string describe(const char *what, unsigned arg) {
  return ("its kernel " + Twine(what) + " argument " + Twine(arg)).str();
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static bool isSameComponent(Value row, ValueRange indices,
                            memref::StoreOp store) {
  return row == store.getMemRef() &&
         isEqualConstantIntOrValue(getAsOpFoldResult(indices[0]),
                                   getAsOpFoldResult(store.getIndices()[0]));
}

/// The op that has brought a value from the component that `store` is to, or to
/// it before: LLVM hands on what it has stored. Null if there is none.
static Operation *findSource(Value value, memref::StoreOp store) {
  if (auto load = value.getDefiningOp<memref::LoadOp>())
    return isSameComponent(load.getMemRef(), load.getIndices(), store)
               ? load.getOperation()
               : nullptr;
  for (Operation *user : value.getUsers()) {
    auto before = dyn_cast<memref::StoreOp>(user);
    if (before && before.getValueToStore() == value &&
        before->getBlock() == store->getBlock() &&
        before->isBeforeInBlock(store) &&
        isSameComponent(before.getMemRef(), before.getIndices(), store))
      return before;
  }
  return nullptr;
}

static bool isComponent(Value value, memref::StoreOp store) {
  return findSource(value, store) != nullptr;
}

/// Whether an operand has what `store` replaces, plus or minus one other value
/// at the most; collects those that have it itself.
static bool isOneAddition(OpOperand &operand, memref::StoreOp store,
                          SmallVectorImpl<OpOperand *> &replaced) {
  auto isReplaced = [&](OpOperand &other) {
    return isComponent(other.get(), store);
  };
  if (isReplaced(operand)) {
    replaced.push_back(&operand);
    return true;
  }
  Operation *op = operand.get().getDefiningOp();
  if (isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op)) {
    OpOperand &left = op->getOpOperand(0), &right = op->getOpOperand(1);
    if (isReplaced(left) == isReplaced(right) ||
        (isa<arith::SubFOp>(op) && isReplaced(right)))
      return false;
    replaced.push_back(isReplaced(left) ? &left : &right);
    return true;
  }
  if (isa_and_nonnull<arith::SelectOp>(op))
    return isOneAddition(op->getOpOperand(1), store, replaced) &&
           isOneAddition(op->getOpOperand(2), store, replaced);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(operand.get()).getResultNumber();
    return isOneAddition(branch.thenYield()->getOpOperand(number), store,
                         replaced) &&
           isOneAddition(branch.elseYield()->getOpOperand(number), store,
                         replaced);
  }
  return false;
}

SmallVector<OpOperand *> op2::findReplaced(memref::StoreOp store) {
  SmallVector<OpOperand *> replaced;
  if (!isOneAddition(store.getValueMutable(), store, replaced))
    replaced.clear();
  return replaced;
}

static bool storesToOneOf(Operation *op, function_ref<bool(Value)> isRow) {
  return op
      ->walk([&](memref::StoreOp store) {
        return isRow(store.getMemRef()) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

bool op2::isCurrent(OpOperand &replaced, memref::StoreOp store,
                    function_ref<bool(Value)> isRow) {
  Operation *source = findSource(replaced.get(), store);
  for (Operation *op = source; op;) {
    Operation *end = op->getBlock()->findAncestorOpInBlock(*store);
    for (op = op == source ? op->getNextNode() : op; op != end;
         op = op->getNextNode())
      if (!op || storesToOneOf(op, isRow))
        return false;
    if (end == store)
      return true;
    if (!isa<scf::IfOp>(end))
      return false;
    Region *region = store->getParentRegion();
    while (region->getParentOp() != end)
      region = region->getParentOp()->getParentRegion();
    op = &region->front().front();
    source = nullptr;
  }
  return false;
}

/// The index that a loop counts, plus a constant.
static Value getCounter(OpFoldResult index) {
  auto value = dyn_cast<Value>(index);
  while (value) {
    auto sum = value.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return value;
    if (getConstantIntValue(sum.getRhs()))
      value = sum.getLhs();
    else if (getConstantIntValue(sum.getLhs()))
      value = sum.getRhs();
    else
      return value;
  }
  return {};
}

bool op2::movesOn(const Addition &addition, func::FuncOp kernel) {
  Value counter = getCounter(addition.index);
  for (Operation *op = memref::StoreOp(addition.store)->getParentOp();
       op != kernel; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop ? counter != loop.getInductionVar() : !isa<scf::IfOp>(op))
      return false;
  }
  return true;
}

/// All additions to the rows in the order of the kernel, or the argument of the
/// first row that is used for something else.
static std::optional<unsigned> collect(ArrayRef<LoopArg> args,
                                       func::FuncOp kernel,
                                       SmallVectorImpl<Addition> &additions) {
  DenseMap<Value, unsigned> owners;
  for (BlockArgument memory : kernel.getArguments()) {
    std::optional<unsigned> arg = findArg(args, memory.getArgNumber());
    if (!arg)
      continue;
    owners[memory] = *arg;
    for (Operation *user : memory.getUsers())
      if (!isa<memref::LoadOp, memref::StoreOp>(user))
        return arg;
  }
  std::optional<unsigned> obstacle;
  kernel.walk([&](memref::StoreOp store) {
    auto known = owners.find(store.getMemRef());
    if (known == owners.end())
      return WalkResult::advance();
    if (!findReplaced(store).empty()) {
      additions.push_back({store,
                           cast<BlockArgument>(known->first).getArgNumber(),
                           getAsOpFoldResult(store.getIndices()[0])});
      return WalkResult::advance();
    }
    obstacle = known->second;
    return WalkResult::interrupt();
  });
  return obstacle;
}

std::optional<SmallVector<Addition>> op2::findAdditions(ArrayRef<LoopArg> args,
                                                        func::FuncOp kernel) {
  SmallVector<Addition> additions;
  if (collect(args, kernel, additions))
    return std::nullopt;
  return additions;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

bool op2::mayMeet(const Addition &a, const Addition &b) {
  std::optional<int64_t> first = getConstantIntValue(a.index);
  std::optional<int64_t> second = getConstantIntValue(b.index);
  return !(first && second && *first != *second) &&
         !insideMutuallyExclusiveRegions(a.store, b.store);
}

/// Whether, of two additions of which `a` stands first, those to one place run
/// in this order: in a loop they must be in one turn.
static bool keepOrder(const Addition &a, const Addition &b) {
  for (Operation *op = memref::StoreOp(a.store)->getParentOp();
       !isa<func::FuncOp>(op); op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op) &&
        op->isProperAncestor(memref::StoreOp(b.store)))
      return isEqualConstantIntOrValue(a.index, b.index);
  return true;
}

/// An argument whose rows the kernel increments itself, behind a packed one on
/// the same dat, which is added after the kernel.
static std::optional<unsigned> findBehindPacked(ArrayRef<LoopArg> args,
                                                func::FuncOp kernel) {
  for (BlockArgument memory : kernel.getArguments())
    if (std::optional<unsigned> arg = findArg(args, memory.getArgNumber()))
      for (const LoopArg &before : args.take_front(*arg))
        if (before.isPacked() && before.getAccess() == Access::Inc &&
            before.data == args[*arg].data)
          return arg;
  return std::nullopt;
}

std::optional<std::string> op2::findOrderObstacle(ArrayRef<LoopArg> args,
                                                  func::FuncOp kernel) {
  SmallVector<Addition> additions;
  if (std::optional<unsigned> arg = collect(args, kernel, additions))
    return describe("does more than one addition for each component of", *arg);
  if (std::optional<unsigned> arg = findBehindPacked(args, kernel))
    return describe("adds not in the order of the arguments to", *arg);
  for (const Addition &addition : additions)
    if (!movesOn(addition, kernel))
      return describe("may add several times to", *findArg(args, addition.row));
  for (auto [number, b] : llvm::enumerate(additions))
    for (const Addition &a : ArrayRef(additions).take_front(number)) {
      if (!mayMeet(a, b))
        continue;
      if (a.row == b.row)
        return describe("may add several times to", *findArg(args, a.row));
      if (a.row > b.row || !keepOrder(a, b))
        return describe("adds not in the order of the arguments to",
                        *findArg(args, b.row));
    }
  return std::nullopt;
}
