//===- Uniformity.h - Values that depend on the element ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_UNIFORMITY_H
#define OP2_ANALYSIS_UNIFORMITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::op2 {

/// Whether nobody looks at a value: elements that leave a loop yield it on
/// their side of a branch.
bool isPoison(Value value);

/// Which values of a raised kernel differ between the elements of a vector.
class UniformityAnalysis {
public:
  /// `isUniform[i]`: parameter i is memory that all elements share.
  UniformityAnalysis(func::FuncOp kernel, ArrayRef<bool> isUniform);

  bool varies(Value value) const { return varying.contains(value); }
  /// Whether elements part at a branch or loop: some go where others do not.
  bool isDivergent(Operation *op) const;
  /// Whether an operation without regions is the same for all elements.
  bool isUniform(Operation *op) const {
    return op->getNumRegions() == 0 &&
           llvm::none_of(op->getOperands(), [&](Value value) {
             return varies(value) || hasLanes(value);
           });
  }
  /// Whether a memref has a place for each element.
  bool hasLanes(Value memref) const { return lanes.contains(memref); }
  /// The index of an access to such a memref that varies, if it is one and has
  /// few values: then lanes choose among what is at all of them, in registers.
  struct ChosenIndex {
    unsigned number;
    SmallVector<int64_t> places;
  };
  std::optional<ChosenIndex> findChosenIndex(Value memref,
                                             ValueRange indices) const;
  /// Whether an address is one of several that are the same for all elements:
  /// of tables of the program, as `*face == 0 ? left : right`.
  bool isChoice(Value address) const {
    return varies(address) && countChoices(address) > 0;
  }
  /// How many an address is one of; 0 if these vary, or are too many.
  int64_t countChoices(Value address) const;

private:
  void visit(Operation *op);
  int64_t findChoices(Value address) const;
  void mark(Value value, bool isVarying) {
    hasChanged |= isVarying && varying.insert(value).second;
  }
  /// Marks each of `values` that one of `sources` in its place makes vary.
  void markEach(ValueRange values, ValueRange sources) {
    for (auto [value, source] : llvm::zip(values, sources))
      mark(value, varies(source));
  }

  llvm::DenseSet<Value> varying, lanes;
  mutable llvm::DenseMap<Value, int64_t> choices; ///< what was counted
  bool hasChanged = false;
};

} // namespace mlir::op2

#endif // OP2_ANALYSIS_UNIFORMITY_H
