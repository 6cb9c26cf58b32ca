//===- PrivateMemory.h - Memory of one iteration ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a plan are allocation scopes: a memref.alloca in the body of one
// lives until the iteration ends. LLVM frees what a function allocates when it
// returns, so what stands in such bodies is hoisted out of the loops that they
// become, to the function or the parallel region, and is allocated once.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PRIVATEMEMORY_H
#define OP2_TRANSFORMS_PRIVATEMEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::op2 {

/// An uninitialised memref.alloca of static `type` at the beginning of the
/// innermost allocation scope around the insertion point.
Value createPrivate(OpBuilder &builder, Location loc, MemRefType type);

/// The same memory as another type, of no more values.
Value viewAs(OpBuilder &builder, Location loc, Value memory, MemRefType type);

/// What can be added without changing a bit of a sum: -0.0, as x + -0.0 is x
/// for every x, so LLVM drops the addition; 0 or false of other types.
Value createAdditiveIdentity(OpBuilder &builder, Location loc, Type type);

/// Builds `body` for each entry of a row of `count`: short rows without a loop,
/// so that private ones can live in registers.
void forRowEntries(OpBuilder &builder, Location loc, int64_t count,
                   function_ref<void(Value)> body);

/// Makes each value of `row`, a memref<dim x T>, the additive identity.
void clearRow(OpBuilder &builder, Location loc, Value row);

/// Such memory for a row that a kernel adds to: at the insertion point each
/// value becomes the additive identity.
Value createSumRow(OpBuilder &builder, Location loc, MemRefType type);

/// Moves what `body` allocates with a static size to the beginning of the
/// innermost allocation scope around `loop`.
void hoistPrivate(Block &body, Operation *loop);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_PRIVATEMEMORY_H
