//===- ProgramPlan.h - The plan of a running program's loop -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2_DRAW_PLAN=<loop>:<file> or <loop>:<dat of coordinates>:<file>.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_PROGRAMPLAN_H
#define OP2_LIB_RUNTIME_DRAW_PROGRAMPLAN_H

namespace op2::rt {

/// At op_init: an error if OP2_DRAW_PLAN is set and cannot be followed.
void checkDrawing();

/// At op_exit, while plans are there: writes the picture, as SVG, of the plan
/// with which the loop has run last; of several calls that of the largest set.
/// An error if the loop's mesh cannot be drawn or the file not be written; a
/// warning if no such loop has a plan.
void drawPlanIfAsked();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DRAW_PROGRAMPLAN_H
