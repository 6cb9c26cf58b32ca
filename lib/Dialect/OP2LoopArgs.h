//===- OP2LoopArgs.h - Assembly format of loop arguments --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom<LoopArgs> directive of the ops' formats. It reads and writes the
// closing parenthesis too, to tell an empty list from the first argument.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_DIALECT_OP2LOOPARGS_H
#define OP2_LIB_DIALECT_OP2LOOPARGS_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::op2 {

ParseResult
parseLoopArgs(OpAsmParser &parser, ArrayAttr &args,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
              SmallVectorImpl<Type> &types);

void printLoopArgs(OpAsmPrinter &printer, Operation *op, ArrayAttr args,
                   OperandRange values, TypeRange types);

} // namespace mlir::op2

#endif // OP2_LIB_DIALECT_OP2LOOPARGS_H
