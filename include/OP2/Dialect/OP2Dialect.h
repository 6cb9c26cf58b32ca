//===- OP2Dialect.h - The op2 dialect, its types and attributes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_DIALECT_OP2DIALECT_H
#define OP2_DIALECT_OP2DIALECT_H

#include "OP2/Dialect/EnumWords.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "OP2/Dialect/OP2Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "OP2/Dialect/OP2Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "OP2/Dialect/OP2Types.h.inc"

namespace mlir::op2 {

// Discardable attributes: OP2Dialect.td documents them.
constexpr llvm::StringLiteral kDelayableAttr = "op2.delayable";
constexpr llvm::StringLiteral kFusibleAttr = "op2.fusible";
constexpr llvm::StringLiteral kVariantAttr = "op2.variant";
constexpr llvm::StringLiteral kOutcomeAttr = "op2.outcome";
constexpr llvm::StringLiteral kSavedBytesAttr = "op2.saved_bytes";
constexpr llvm::StringLiteral kLoopNameAttr = "op2.loop_name";
constexpr llvm::StringLiteral kEmulatedAttr = "op2.emulated";
constexpr llvm::StringLiteral kInPlaceAttr = "op2.in_place";
constexpr llvm::StringLiteral kRaceFreeAttr = "op2.race_free";
constexpr llvm::StringLiteral kLikelyArityAttr = "op2.likely_arity";
constexpr llvm::StringLiteral kMissingBodyAttr = "op2.missing_body";
constexpr llvm::StringLiteral kNotOwnedAttr = "op2.not_owned";
constexpr llvm::StringLiteral kNotRaisedAttr = "op2.not_raised";
constexpr llvm::StringLiteral kMathCallAttr = "op2.math_call";
constexpr llvm::StringLiteral kUsualAttr = "op2.usual";
constexpr llvm::StringLiteral kNotVectorizedAttr = "op2.not_vectorized";

/// The storage of a dat, memref<? x dim x T>, as struct of arrays: with strides
/// [1, ?].
MemRefType asStructOfArrays(MemRefType type);
bool isStructOfArrays(MemRefType type);
bool isArrayOfStructs(MemRefType type);

/// The type of one row of a storage of either kind; of a struct of arrays it
/// has a stride.
MemRefType getRowOf(MemRefType type);

} // namespace mlir::op2

#endif // OP2_DIALECT_OP2DIALECT_H
