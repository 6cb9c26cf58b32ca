//===- OP2Dialect.h - The op2 dialect, its types and attributes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2DIALECT_H
#define OP2_DIALECT_OP2DIALECT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "OP2/Dialect/OP2Dialect.h.inc"

#include "OP2/Dialect/OP2Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "OP2/Dialect/OP2Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "OP2/Dialect/OP2Types.h.inc"

#endif // OP2_DIALECT_OP2DIALECT_H
