//===- FusionLegality.h - Whether two loops may become one ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules F1 … of docs/spec.md, and what the fused loop's arguments are.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_FUSIONLEGALITY_H
#define OP2_ANALYSIS_FUSIONLEGALITY_H

#include "OP2/Analysis/Ownership.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Two loops, the second one behind the first one in a block with nothing but
/// effect-free ops between them.
class FusionPair {
public:
  FusionPair(ParLoopOp first, ParLoopOp second);

  /// Why they must stay two loops, with the rule in brackets.
  std::optional<std::string> getObstacle() const;

  /// Why the fused loop, with that kernel, could not be divided by ownership
  /// where one of the two can (rule F6).
  std::optional<std::string> getOwnershipObstacle(func::FuncOp fused,
                                                  Owners owners) const;

  /// The arguments of the fused loop.
  ArrayRef<LoopArg> getArgs() const { return args; }
  /// For each argument of the first (second) loop its number in getArgs.
  ArrayRef<unsigned> getPlaces(bool ofSecond) const { return places[ofSecond]; }

  func::FuncOp getKernel(bool ofSecond) const { return kernels[ofSecond]; }

  /// Bytes for each element that the fused loop does not move between memory
  /// and cores, while the two loops do. Rows that are reached through maps are
  /// taken to come from the cache.
  int64_t getSavedBytes() const;

  /// Values of an element that the fused kernel holds at a time, at most.
  int64_t getNumValues() const;

private:
  std::optional<std::string> findKernelObstacle() const;
  std::optional<std::string> findKindObstacle() const;
  std::optional<std::string> findDatObstacle() const;
  std::optional<std::string> findGlobalObstacle() const;
  std::optional<std::string> findOrderObstacle() const;
  std::optional<std::string> findLaneDifference() const;
  std::string describePair(unsigned i, unsigned j) const;
  void mergeArgs(bool ofSecond);

  ParLoopOp loops[2];
  func::FuncOp kernels[2];
  SmallVector<LoopArg> loopArgs[2];
  MachineAttr machine; ///< what the loops will be vectorized for (rule F6)
  bool isPromised;     ///< the function has the attribute op2.fusible
  SmallVector<LoopArg> args;
  SmallVector<unsigned> places[2];
};

} // namespace mlir::op2

#endif // OP2_ANALYSIS_FUSIONLEGALITY_H
