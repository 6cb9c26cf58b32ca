//===- ExactSums.h - Terms of sums over elements ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What elements add to exact sums is kept in a buffer for up to some thousand
// of them, which stays in a core's nearest cache, and then given to the runtime
// at once. Vectors split what they add while memory is waited for; the runtime
// looks at the terms only if that was not enough. Where sums have many
// components, an element is likely to add to few of them, as in a histogram:
// without vectors it has a row of the buffer, in which the runtime finds these.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_EXACTSUMS_H
#define OP2_LIB_CONVERSION_EXACTSUMS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::op2 {

/// Elements [begin, end), taken in steps.
struct ElementRange {
  Value begin, end, step;
};

/// Goes through the range in pieces of so many elements; what is built next
/// runs for a piece, which is returned.
ElementRange emitPieces(OpBuilder &builder, Location loc, ElementRange range,
                        int64_t elements);

/// The reductions with op2.terms in the body of a loop over elements.
SmallVector<Value> findExactSums(Region &body);

/// The exact sums of a loop over elements.
class ExactSums {
public:
  /// `width`: of the vectors in which elements run; 1 if there are none.
  ExactSums(ArrayRef<Value> reductions, int64_t width);

  bool empty() const { return sums.empty(); }
  /// How many elements a buffer has terms of: a power of two.
  int64_t getNumElements() const { return numElements; }

  /// Emits the buffers, outside of the pieces.
  void emitBuffers(OpBuilder &builder, Location loc);
  /// At the beginning of a piece. `mapping`, here and below: from the
  /// reductions to what stands for them.
  void beginPiece(OpBuilder &builder, Location loc, const IRMapping &mapping);
  /// Gives the op2.terms of a loop over elements, of the piece that begins with
  /// `begin`, memory of their own, from where they go to the buffers.
  void lowerTerms(scf::ForOp elements, Value begin, const IRMapping &mapping);
  /// At the end of a piece [begin, end): adds what the buffers have.
  void endPiece(OpBuilder &builder, Location loc, Value begin, Value end,
                const IRMapping &mapping);

private:
  struct Sum {
    Value reduction;
    int64_t dim;
    bool hasRows; ///< for elements; else for components
    Value buffer; ///< memref<numElements x dim x T>; else <dim x numElements>
    Value split;  ///< memref<dim x 5 x width x i64>; null if there are none
    SmallVector<Value> middles; ///< of the piece, vectors, for each component
  };

  void emitSplit(OpBuilder &builder, Location loc, const Sum &sum,
                 SmallVector<Value> terms) const;

  SmallVector<Sum> sums;
  int64_t width, numElements;
  bool isSplit; ///< by vectors
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_EXACTSUMS_H
