//===- ExactSums.h - Terms of sums over elements ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What elements add to exact sums is kept in a buffer for some hundred of them,
// which stays in a core's nearest cache, and then given to the runtime at once.
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
  explicit ExactSums(ArrayRef<Value> reductions);

  bool empty() const { return sums.empty(); }
  /// How many elements a buffer has terms of: a power of two.
  int64_t getNumElements() const { return numElements; }

  /// Emits the buffers, outside of the pieces.
  void emitBuffers(OpBuilder &builder, Location loc);
  /// Gives the op2.terms of a loop over elements, of the piece that begins with
  /// `begin`, rows of the buffers. `mapping`: from the reductions to what
  /// stands for them.
  void lowerTerms(scf::ForOp elements, Value begin,
                  const IRMapping &mapping) const;
  /// At the end of a piece: adds what the buffers have.
  void emitAdditions(OpBuilder &builder, Location loc, Value begin, Value end,
                     const IRMapping &mapping) const;

private:
  struct Sum {
    Value reduction;
    int64_t dim;
    Value buffer; ///< memref<numElements x dim x T>
  };

  SmallVector<Sum> sums;
  int64_t numElements;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_EXACTSUMS_H
