//===- PackedRows.h - Rows of several slots side by side --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packed argument is private memory of the element: rows are copied there
// before the kernel runs, and what it leaves there goes to the rows afterwards,
// slot after slot (rule S17). Both are loops over the slots, whatever their
// number: the size of the code is that of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_PACKEDROWS_H
#define OP2_LIB_TRANSFORMS_PACKEDROWS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::op2 {

/// The private memory of one packed argument.
class PackedRows {
public:
  /// Builds what leads to the row of a slot, a value of type index that counts
  /// from the argument's first slot.
  using GetRow = llvm::function_ref<Value(OpBuilder &builder, Value slot)>;

  /// `isSet`: the kernel stores every component before it reads one.
  PackedRows(OpBuilder &builder, Location loc, const LoopArg &arg, bool isSet);

  /// What the kernel takes: memref<slots * dim x T>.
  Value getMemory() const { return memory; }

  /// Before the call: copies the rows; what is added to begins as the additive
  /// identity.
  void load(OpBuilder &builder, GetRow getRow);

  /// After it: adds to the rows, or stores what the kernel has changed, a
  /// minimum or maximum if the row has none better. Components that it has not
  /// changed stay as they are: others may have stored them meanwhile, or an
  /// earlier slot that leads to the same row.
  void store(OpBuilder &builder, GetRow getRow);

private:
  bool isAdded() const { return arg.getAccess() == Access::Inc; }
  scf::ForOp createLoop(OpBuilder &builder);
  void storeChanged(OpBuilder &builder, Value slot, Value row);

  Location loc;
  LoopArg arg;
  bool isSet;
  Value memory;   ///< memref<slots * dim x T>
  Value rows;     ///< the same as memref<slots x dim x T>
  Value original; ///< what was copied, if the kernel may change some of it
};

/// The loops over slots that stand in the body of a loop over elements.
inline auto getPackedLoops(Block &body) { return body.getOps<scf::ForOp>(); }

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_PACKEDROWS_H
