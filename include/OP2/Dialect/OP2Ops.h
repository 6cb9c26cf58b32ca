//===- OP2Ops.h - The operations of the op2 dialect -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2OPS_H
#define OP2_DIALECT_OP2OPS_H

#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Dialect/OP2Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "OP2/Dialect/OP2Ops.h.inc"

#endif // OP2_DIALECT_OP2OPS_H
