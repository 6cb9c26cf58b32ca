//===- LoopSlices.h - The parts of a loop -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules X1 … of docs/spec.md: which of a loop's results are computed
// independently of each other, and from what.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LOOPSLICES_H
#define OP2_LIB_TRANSFORMS_LOOPSLICES_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::op2 {

/// What is left of a loop if only some of its results are wanted.
struct LoopPart {
  llvm::BitVector outputs; ///< the arguments that it changes
  llvm::BitVector used;    ///< the arguments that it has
  SmallVector<LoopArg> args;
  /// Not in the module; its parameters are those of `args`.
  OwningOpRef<func::FuncOp> kernel;
};

class LoopSlices {
public:
  explicit LoopSlices(ParLoopOp loop);

  /// Why the loop has no independent parts, with the rule in brackets.
  std::optional<std::string> getObstacle() const { return obstacle; }

  /// The smallest sets of changed arguments that can be computed on their own:
  /// two at least, unless there is an obstacle.
  ArrayRef<llvm::BitVector> getUnits() const { return units; }

  /// The whole loop's, if there is no obstacle.
  func::FuncOp getKernel() const { return kernel; }

  /// The loop with some of the units' results only.
  LoopPart getPart(const llvm::BitVector &outputs);

private:
  std::optional<std::string> findObstacle();
  /// Why `b` cannot be computed without `a`; empty if it can. `used` are the
  /// arguments that each one's slice has.
  std::string findTie(unsigned a, unsigned b,
                      ArrayRef<llvm::BitVector> used) const;
  std::optional<std::string> findUnits();

  ParLoopOp loop;
  func::FuncOp kernel;
  SmallVector<LoopArg> args;
  bool isPromised; ///< the function has the attribute op2.fusible
  SmallVector<llvm::BitVector> units;
  std::optional<std::string> obstacle;
};

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LOOPSLICES_H
