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

namespace {
/// A row that the kernel increments.
struct Row {
  Value memory;
  unsigned arg;
};

/// One that gets an addition, and where.
struct Addition {
  memref::StoreOp store;
  unsigned row; ///< in the order of the kernel's parameters
  OpFoldResult index;
};
} // namespace

static SmallVector<Row> findRows(ArrayRef<LoopArg> args, func::FuncOp kernel) {
  SmallVector<Row> rows;
  unsigned operand = 0;
  for (auto [number, arg] : llvm::enumerate(args)) {
    bool isLooked = isConflict(arg) && arg.getAccess() == Access::Inc &&
                    !arg.isPacked() && isa<FloatType>(arg.getElementType());
    for (unsigned n = 0; isLooked && n < arg.getNumOperands(); ++n)
      rows.push_back({kernel.getArgument(operand + n), unsigned(number)});
    operand += arg.getNumOperands();
  }
  return rows;
}

static std::string describe(const char *what, unsigned arg) {
  return ("its kernel " + Twine(what) + " argument " + Twine(arg)).str();
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static bool isComponent(Value value, memref::StoreOp store) {
  auto load = value.getDefiningOp<memref::LoadOp>();
  return load && load.getMemRef() == store.getMemRef() &&
         isEqualConstantIntOrValue(getAsOpFoldResult(load.getIndices()[0]),
                                   getAsOpFoldResult(store.getIndices()[0]));
}

/// Whether `value` is what `store` replaces, plus or minus one other value at
/// the most.
static bool isOneAddition(Value value, memref::StoreOp store) {
  if (isComponent(value, store))
    return true;
  Operation *op = value.getDefiningOp();
  if (auto add = dyn_cast_or_null<arith::AddFOp>(op))
    return isComponent(add.getLhs(), store) != isComponent(add.getRhs(), store);
  if (auto sub = dyn_cast_or_null<arith::SubFOp>(op))
    return isComponent(sub.getLhs(), store) &&
           !isComponent(sub.getRhs(), store);
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return isOneAddition(select.getTrueValue(), store) &&
           isOneAddition(select.getFalseValue(), store);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return isOneAddition(branch.thenYield().getOperand(number), store) &&
           isOneAddition(branch.elseYield().getOperand(number), store);
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

/// Whether a store has another place in each turn of all loops around it.
static bool movesOn(const Addition &addition, func::FuncOp kernel) {
  Value counter = getCounter(addition.index);
  for (Operation *op = memref::StoreOp(addition.store)->getParentOp();
       op != kernel; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop ? counter != loop.getInductionVar() : !isa<scf::IfOp>(op))
      return false;
  }
  return true;
}

/// All additions to the rows in the order of the kernel, or the first row that
/// is used for something else.
static std::optional<unsigned> collect(ArrayRef<Row> rows, func::FuncOp kernel,
                                       SmallVectorImpl<Addition> &additions) {
  DenseMap<Value, unsigned> numbers;
  for (auto [number, row] : llvm::enumerate(rows)) {
    numbers[row.memory] = number;
    for (Operation *user : row.memory.getUsers())
      if (!isa<memref::LoadOp, memref::StoreOp>(user))
        return row.arg;
  }
  std::optional<unsigned> obstacle;
  kernel.walk([&](memref::StoreOp store) {
    auto known = numbers.find(store.getMemRef());
    if (known == numbers.end())
      return WalkResult::advance();
    if (isOneAddition(store.getValueToStore(), store)) {
      additions.push_back(
          {store, known->second, getAsOpFoldResult(store.getIndices()[0])});
      return WalkResult::advance();
    }
    obstacle = rows[known->second].arg;
    return WalkResult::interrupt();
  });
  return obstacle;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool mayMeet(const Addition &a, const Addition &b) {
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
                                                ArrayRef<Row> rows) {
  for (const Row &row : rows)
    for (const LoopArg &before : args.take_front(row.arg))
      if (before.isPacked() && before.getAccess() == Access::Inc &&
          before.data == args[row.arg].data)
        return row.arg;
  return std::nullopt;
}

std::optional<std::string> op2::findOrderObstacle(ArrayRef<LoopArg> args,
                                                  func::FuncOp kernel) {
  SmallVector<Row> rows = findRows(args, kernel);
  SmallVector<Addition> additions;
  if (std::optional<unsigned> arg = collect(rows, kernel, additions))
    return describe("does more than one addition for each component of", *arg);
  if (std::optional<unsigned> arg = findBehindPacked(args, rows))
    return describe("adds not in the order of the arguments to", *arg);
  for (const Addition &addition : additions)
    if (!movesOn(addition, kernel))
      return describe("may add several times to", rows[addition.row].arg);
  for (auto [number, b] : llvm::enumerate(additions))
    for (const Addition &a : ArrayRef(additions).take_front(number)) {
      if (!mayMeet(a, b))
        continue;
      if (a.row == b.row)
        return describe("may add several times to", rows[a.row].arg);
      if (a.row > b.row || !keepOrder(a, b))
        return describe("adds not in the order of the arguments to",
                        rows[b.row].arg);
    }
  return std::nullopt;
}
