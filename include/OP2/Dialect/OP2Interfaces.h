//===- OP2Interfaces.h - Loops and their arguments --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LoopArg joins the static part of a loop's argument with its run-time values;
// LoopInterface gives every op that carries such arguments one way to read
// them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2INTERFACES_H
#define OP2_DIALECT_OP2INTERFACES_H

#include "OP2/Dialect/OP2Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace mlir::op2 {

/// One argument of a loop with its values.
struct LoopArg {
  LoopArgAttr attr;
  Value data; ///< dat or global; null for an index
  Value map;  ///< null unless the argument is indirect
  Value flag; ///< i1; null unless the argument is optional
  /// Of a global with access `reduce`: the function that combines two results,
  /// and what it leaves as they are.
  Value merge = {}, identity = {};

  Access getAccess() const { return attr.getAccess(); }
  bool isDat() const { return attr.isDat(); }
  bool isGlobal() const { return attr.isGlobal(); }
  bool isInfo() const { return attr.isInfo(); }
  bool isIndex() const { return attr.isIndex(); }
  bool isIndirect() const { return attr.isIndirect(); }
  bool isPacked() const { return attr.getIsPacked(); }
  /// Whether two elements may reach one row.
  bool mayShareRows() const { return isIndirect() && !attr.getIsInjective(); }
  /// Whether an llvm.func kernel takes a table of pointers to rows.
  bool takesTable() const { return attr.getIsVector() && !isPacked(); }

  /// Work: a copy of the global for each block, dropped in the end. Reductions
  /// and what is written have a copy, too, which is combined with the others.
  bool isPrivate() const {
    return isGlobal() && (attr.isReduction() || getAccess() == Access::Work ||
                          getAccess() == Access::Write);
  }

  /// Reduced by a function of the program, in the order of the elements.
  bool isMerged() const { return getAccess() == Access::Reduce; }

  /// A sum of floats, which is exact: it depends neither on the order of the
  /// elements nor on their division among blocks, threads and ranks. Of
  /// more components an element is likely to add to few only: it must not take
  /// time for all of them.
  static constexpr int64_t kMostExactComponents = 64;
  bool isExactSum() const {
    return isGlobal() && !isInfo() && getAccess() == Access::Inc &&
           isa<FloatType>(getElementType()) && getDim() <= kMostExactComponents;
  }

  /// Values per element: the dat's or global's dim, 1 for an index;
  /// ShapedType::kDynamic if known at run time only.
  int64_t getDim() const;
  /// Type of one value; i32 for an index.
  Type getElementType() const;
  /// Of a global: !op2.reduction<dim x T>.
  Type getReductionType() const;
  /// One row: memref<dim x T>.
  MemRefType getRowType() const;

  /// How many operands of a func.func kernel belong to the argument: one for
  /// each slot, or one for all that are packed.
  int64_t getNumOperands() const { return isPacked() ? 1 : attr.getCount(); }
  /// What it takes for each: a row, or memref<slots * dim x T>.
  MemRefType getOperandType() const;
};

/// Splits the flat list of values into arguments; the number of values must
/// fit (see verifyLoopValues).
SmallVector<LoopArg> decodeLoopArgs(ArrayAttr args, OperandRange values);

/// The flat list of values of `args`, in the order that decodeLoopArgs reads.
SmallVector<Value> encodeLoopValues(ArrayRef<LoopArg> args);

/// How many values the argument owns.
unsigned getNumLoopArgValues(LoopArgAttr arg);

/// Whether the loop may change what the argument stands for.
inline bool isChanged(const LoopArg &arg) {
  return !arg.isIndex() && arg.getAccess() != Access::Read;
}

/// Whether all that a loop changes is a row of argument `number` for each
/// element, to which that adds through one slot of a map.
bool addsToOneRow(ArrayRef<LoopArg> args, unsigned number);

class LoopInterface;

namespace detail {
/// Checks the rules L1 … of docs/spec.md that concern a loop's arguments.
LogicalResult verifyLoop(LoopInterface loop);
/// Rule P9: if one of the operands is a loop in progress, or the plan of one,
/// it has an argument of that number.
LogicalResult verifyArgNumber(Operation *op, int64_t arg);
} // namespace detail

/// Ops that name an argument of a loop in progress by its number.
template <typename ConcreteOp>
class NamesArgument : public OpTrait::TraitBase<ConcreteOp, NamesArgument> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return detail::verifyArgNumber(op, cast<ConcreteOp>(op).getArg());
  }
};

} // namespace mlir::op2

#include "OP2/Dialect/OP2Interfaces.h.inc"

#endif // OP2_DIALECT_OP2INTERFACES_H
