//===- KernelWrites.h - What every call of a kernel writes ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_KERNELWRITES_H
#define OP2_DIALECT_KERNELWRITES_H

#include "OP2/Dialect/OP2Interfaces.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::op2 {

/// A write to the memory of a parameter.
struct KernelWrite {
  Operation *op;      ///< in the kernel or in a function that it calls
  unsigned parameter; ///< of the kernel
  unsigned arg;       ///< of the loop: the one that passes it
};

/// The first operation of a func.func kernel that writes to memory which can
/// only be that of `read` arguments (rule L16): by its memory effects, through
/// views and functions that the kernel calls. What may be other memory, or is
/// done by functions of unknown effects, is not found.
std::optional<KernelWrite> findReadWritten(FunctionOpInterface kernel,
                                           ArrayRef<LoopArg> args,
                                           SymbolTableCollection &symbols);

} // namespace mlir::op2

#endif // OP2_DIALECT_KERNELWRITES_H
