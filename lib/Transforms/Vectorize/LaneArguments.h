//===- LaneArguments.h - What can run in groups -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop's arguments alone say about running its elements in groups: for
// passes that ask before there is a plan, too.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LANEARGUMENTS_H
#define OP2_LIB_TRANSFORMS_LANEARGUMENTS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Why elements of a loop with these arguments cannot run in groups, or what
/// has no lanes.
std::optional<std::string> findLaneObstacle(ArrayRef<LoopArg> args);

/// Lanes of the widest floating-point type of the loop in registers of `bits`;
/// of its widest integer type if it has none.
int64_t countLanes(ArrayRef<LoopArg> args, int64_t bits);

/// For each operand of a func.func kernel whether all elements share it.
SmallVector<bool> findUniformOperands(ArrayRef<LoopArg> args);

/// Whether the kernel works on the row itself: nobody else has it.
inline bool isInPlace(const LoopArg &arg) {
  return arg.isDat() &&
         (!arg.isIndirect() || arg.getAccess() == Access::ReadWrite);
}

/// Whether a func.func kernel stores every component of a parameter, whatever
/// happens.
bool isOverwritten(func::FuncOp kernel, unsigned parameter);

/// Whether a func.func kernel adds to every component of one parameter, once,
/// what it takes from that of the other, or the other way round, and does
/// nothing else with either.
bool areOpposite(func::FuncOp kernel, unsigned first, unsigned second);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LANEARGUMENTS_H
