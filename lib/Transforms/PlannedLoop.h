//===- PlannedLoop.h - A loop on the plan level, taken apart ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes on loops for a device ask of the body that op2-plan made: which
// row belongs to which argument, which operand of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_PLANNEDLOOP_H
#define OP2_LIB_TRANSFORMS_PLANNEDLOOP_H

#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

/// One row that an argument hands to the kernel.
struct ArgRow {
  unsigned arg; ///< number of the argument
  unsigned row; ///< 0, or the number of the slot of a vector argument
};

/// A loop planned for a device.
class PlannedLoop {
public:
  /// Null-like if `elements` is not the body of a loop for a device whose
  /// op2.loop_begin is found.
  explicit PlannedLoop(ForElementsOp elements);
  explicit operator bool() const { return bool(begin); }

  LoopBeginOp getBegin() const { return begin; }
  PlanOp getPlan() const { return plan; }
  ForElementsOp getElements() const { return elements; }
  ForBlocksOp getBlocks() const {
    return cast<ForBlocksOp>(elements->getParentOp());
  }
  ArrayRef<LoopArg> getArgs() const { return args; }

  /// The call of the kernel; null if the body was changed beyond recognition.
  Operation *getKernelCall() const;

  /// For each operand of the kernel call the argument that it belongs to.
  SmallVector<ArgRow> getOperandRows() const;

private:
  ForElementsOp elements;
  PlanOp plan;
  LoopBeginOp begin;
  SmallVector<LoopArg> args;
};

/// All loops of a module that are planned for a device.
SmallVector<PlannedLoop> collectDeviceLoops(ModuleOp module);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_PLANNEDLOOP_H
