//===- Extremes.h - Minima and maxima of elements ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minima and maxima of floats must not depend on which element comes first. So
// each element begins with the identity, NaN from one counts as nothing, and
// -0.0 as 0.0 (rule S19).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_EXTREMES_H
#define OP2_TRANSFORMS_EXTREMES_H

#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

/// What leaves every other number of `type` as it is: a scalar without a sign.
/// `access`, here and below: min or max.
Value createExtremeIdentity(OpBuilder &builder, Location loc, Access access,
                            Type type);

/// Whether `a` is strictly the better minimum or maximum, an i1: numbers of
/// `type`, or vectors of them.
Value isBetterExtreme(OpBuilder &builder, Location loc, Access access,
                      Type type, Value a, Value b);

/// The bits of a number, or of a vector of them: integers that arith takes.
Value getBits(OpBuilder &builder, Location loc, Value value);

/// Whether two numbers differ in their bits, an i1, or two vectors of them: NaN
/// is as NaN, and -0.0 is not as 0.0.
Value haveOtherBits(OpBuilder &builder, Location loc, Value a, Value b);

/// The better of what is known, and what an element gives: numbers, or vectors
/// of them.
Value takeExtreme(OpBuilder &builder, Location loc, Access access, Value known,
                  Value given);

/// What an element gets of a row, a memref<dim x T>: identities of floats, and
/// of integers what is known (a flag may be read, and `flag |= x`).
void beginExtremes(OpBuilder &builder, Location loc, Access access, Value known,
                   Value own);

/// Takes what an element gives for each value of a row.
void takeExtremes(OpBuilder &builder, Location loc, Access access, Value known,
                  Value given);

/// Gives a kernel's call on the host memory of the element's own for minima and
/// maxima that do not depend on the order, and takes what it leaves there.
/// Nothing if it is not the call that op2-plan makes.
void takeExtremes(Operation *call, ArrayRef<LoopArg> args);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_EXTREMES_H
