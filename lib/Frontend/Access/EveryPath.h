//===- EveryPath.h - Instructions of every call -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_EVERYPATH_H
#define OP2_FRONTEND_EVERYPATH_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace op2::frontend {

/// Whether every call of its function that returns executes an instruction.
/// Loops that certainly go at least once do, if the condition for it is a
/// constant.
bool runsAlways(const llvm::Instruction &inst);

} // namespace op2::frontend

#endif // OP2_FRONTEND_EVERYPATH_H
