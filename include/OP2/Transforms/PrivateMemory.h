//===- PrivateMemory.h - Memory of one iteration ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a plan are allocation scopes: a memref.alloca in the body of one
// lives until the iteration ends. LLVM frees what a function allocates when it
// returns, so what stands in such bodies is hoisted out of the loops that they
// become, to the function or the parallel region, and is allocated once. Rows
// of which threads may have no place on the stack are on the heap: those of a
// dim that only the run knows, and all of a loop if they are large.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PRIVATEMEMORY_H
#define OP2_TRANSFORMS_PRIVATEMEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::op2 {

/// An uninitialised memref.alloca of static `type`, of numbers, at the
/// insertion point. It is aligned as rows of dats are, at multiples of their
/// size, from a line of the cache on: kernels on pointers may know that.
Value createLocal(OpBuilder &builder, Location loc, MemRefType type);

/// The same at the beginning of the innermost allocation scope around the
/// insertion point.
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

/// Makes each value of `row`, a memref<dim x T>, `value`.
void fillRow(OpBuilder &builder, Location loc, Value row, Value value);

/// Makes each one the additive identity.
void clearRow(OpBuilder &builder, Location loc, Value row);

/// Builds `body` for each entry of `row`, a memref<dim x T>.
void forRowEntries(OpBuilder &builder, Location loc, Value row,
                   function_ref<void(Value)> body);

/// Such memory for a row that a kernel adds to: at the insertion point each
/// value becomes the additive identity.
Value createSumRow(OpBuilder &builder, Location loc, MemRefType type);

/// Private memory for a row, of `type`. On the heap, if its dim is not static
/// or `isOnHeap`, until the end of the block at the insertion point. `data`,
/// the storage of a dat, tells a dim that is not static.
Value createPrivateRow(OpBuilder &builder, Location loc, MemRefType type,
                       Value data, bool isOnHeap);

/// Moves what `body` allocates on the stack with a static size to the beginning
/// of the innermost allocation scope around `loop`, and what it allocates on
/// the heap to before `loop`, behind which it is freed.
void hoistPrivate(Block &body, Operation *loop);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_PRIVATEMEMORY_H
