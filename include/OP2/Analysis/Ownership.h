//===- Ownership.h - Loops that owner-compute can run -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_OWNERSHIP_H
#define OP2_ANALYSIS_OWNERSHIP_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// What forbids that elements at the borders of what threads own run in each of
/// them, with private rows for what the thread does not own; nothing if they
/// may. "argument 3 is changed directly", to go after "because". `counts`: it
/// is known which of an element's executions counts in reductions, and others
/// may write what that writes.
std::optional<std::string> findOwnershipObstacle(ArrayRef<LoopArg> args,
                                                 FunctionOpInterface kernel,
                                                 bool counts = false);

/// The memory that a memref is a part of.
Value getWholeMemory(Value memory);

/// Whether a call in a func.func kernel does nothing that could be noticed from
/// outside, but for changes of the kernel's arguments: it throws nothing, reads
/// and writes only what its pointers lead to, and keeps none of them, by the
/// attributes of its function.
bool isConfined(LLVM::CallOp call, FunctionOpInterface kernel);

/// The first operation of a func.func kernel that could be noticed from
/// outside, stores to its arguments aside; null if there is none.
Operation *findSideEffect(FunctionOpInterface kernel);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_OWNERSHIP_H
