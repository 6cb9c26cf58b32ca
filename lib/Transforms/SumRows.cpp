//===- SumRows.cpp - What a kernel adds, before it is added ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/SumRows.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

/// The storage of the dat that a row is of; null if it is not known.
static Value getData(Value row) {
  if (auto owned = row.getDefiningOp<OwnedRowOp>())
    return owned.getData();
  auto op = row.getDefiningOp<RowOp>();
  return op ? op.getData() : Value();
}

/// A row of its own instead of `row`, of the same type.
static Value replaceRow(OpBuilder &builder, Location loc, Value row,
                        const LoopArg &arg, MakeRow makeRow,
                        SmallVectorImpl<SumRow> &rows) {
  MemRefType type = arg.getRowType();
  Value sum = makeRow(builder, type, getData(row), unsigned(rows.size()));
  if (isa<MemRefType>(row.getType())) {
    rows.push_back({sum, row, arg.flag});
    return sum;
  }
  // Of an imported kernel, rows are pointers.
  Value target = PtrCastOp::create(builder, loc, type, row, ValueRange());
  rows.push_back({sum, target, arg.flag});
  return PtrCastOp::create(builder, loc, row.getType(), sum, ValueRange());
}

FailureOr<SmallVector<SumRow>>
op2::passSumRows(Operation *call, unsigned operand, ArrayRef<LoopArg> args,
                 unsigned number, MakeRow makeRow) {
  const LoopArg &arg = args[number];
  OpBuilder builder(call);
  Location loc = call->getLoc();
  SmallVector<SumRow> rows;
  Value value = call->getOperand(operand), null;
  LLVM::SelectOp select;
  RowTableOp table;
  if (arg.flag && (select = value.getDefiningOp<LLVM::SelectOp>())) {
    value = select.getTrueValue();
    null = select.getFalseValue();
  }
  Value passed;
  if (arg.takesTable() && isa<LLVM::CallOp>(call)) {
    table = value.getDefiningOp<RowTableOp>();
    if (!table)
      return call->emitOpError("operand ")
             << operand << ": expected an op2.row_table, for vector argument "
             << number;
    SmallVector<Value> entries;
    for (Value entry : table.getRows())
      entries.push_back(replaceRow(builder, loc, entry, arg, makeRow, rows));
    passed = RowTableOp::create(builder, loc, table.getType(), entries);
  } else {
    passed = replaceRow(builder, loc, value, arg, makeRow, rows);
  }
  if (null)
    passed = LLVM::SelectOp::create(builder, loc, arg.flag, passed, null);
  call->setOperand(operand, passed);
  // Nothing else would remove a table: it allocates.
  if (select && select->use_empty())
    select.erase();
  if (table && table->use_empty())
    table.erase();
  return rows;
}

/// Whether an operand is what op2-plan passes for an argument: a row, or a
/// table of rows.
static bool passesRows(const LoopArg &arg, Value operand) {
  if (auto select = operand.getDefiningOp<LLVM::SelectOp>())
    operand = select.getTrueValue();
  SmallVector<Value> rows = {operand};
  if (auto table = operand.getDefiningOp<RowTableOp>()) {
    if (!arg.takesTable())
      return false;
    rows = table.getRows();
  }
  return llvm::all_of(rows, [&](Value row) {
    bool hasType =
        !isa<MemRefType>(row.getType()) || row.getType() == arg.getRowType();
    return hasType && getData(row);
  });
}

/// The loop behind `last` that adds packed rows; `last` if there is none.
static Operation *findPackedUpdate(Operation *last) {
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    if (auto slots = dyn_cast<scf::ForOp>(op);
        slots && !slots.getOps<IncrementOp>().empty())
      return op;
  return last;
}

void op2::sumBeforeAdding(Operation *call, LoopInterface loop) {
  SmallVector<LoopArg> args = loop.getLoopArgs();
  ArrayRef<int64_t> inPlace;
  if (auto numbers = loop->getAttrOfType<DenseI64ArrayAttr>(kInPlaceAttr))
    inPlace = numbers;
  bool takesPointers = isa<LLVM::CallOp>(call);
  SmallVector<unsigned> argOf; // by operand
  for (auto [number, arg] : llvm::enumerate(args))
    argOf.append(takesPointers ? 1 : arg.getNumOperands(), number);
  if (call->getNumOperands() != argOf.size())
    return;
  bool isOnHeap = !fitOnStack(args, isSummedFirst);
  auto makeRow = [&](OpBuilder &builder, MemRefType type, Value data,
                     unsigned) {
    Value row = createPrivateRow(builder, call->getLoc(), type, data, isOnHeap);
    clearRow(builder, call->getLoc(), row);
    return row;
  };
  Operation *last = call; // that adds
  for (auto [operand, number] : llvm::enumerate(argOf)) {
    const LoopArg &arg = args[number];
    if (arg.isPacked() && arg.getAccess() == Access::Inc)
      last = findPackedUpdate(last);
    if (!isSummedFirst(arg) || llvm::is_contained(inPlace, number) ||
        !passesRows(arg, call->getOperand(operand)))
      continue;
    FailureOr<SmallVector<SumRow>> rows =
        passSumRows(call, operand, args, number, makeRow);
    if (failed(rows))
      return;
    OpBuilder builder(call->getContext());
    for (const SumRow &row : *rows) {
      builder.setInsertionPointAfter(last);
      last = IncrementOp::create(builder, call->getLoc(), row.sum, row.row,
                                 row.flag, /*atomic=*/false);
    }
  }
}
