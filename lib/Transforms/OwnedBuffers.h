//===- OwnedBuffers.h - Increments for the owners of rows -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_OWNEDBUFFERS_H
#define OP2_LIB_TRANSFORMS_OWNEDBUFFERS_H

#include "PlannedLoop.h"

namespace mlir::op2 {

/// The buffers of one loop planned by owned rows: memory for what elements add,
/// from where it is added to the rows that a block owns.
class OwnedBuffers {
public:
  explicit OwnedBuffers(const PlannedLoop &loop) : loop(loop) {}

  /// Makes a buffer for each dat that the loop increments, and adds what is in
  /// it behind the elements. Fails if the body has no rows of one.
  LogicalResult create();

  /// Where the element leaves what it adds through slot `slot`, of type index,
  /// of argument `arg`.
  Value getRow(OpBuilder &builder, unsigned arg, Value slot) const;
  Value getRow(OpBuilder &builder, ArgRow row) const;

private:
  struct Place {
    Value increments;      ///< the buffer
    int64_t firstSlot = 0; ///< of the argument, among all those on the dat
  };
  void addDat(Value data, ArrayRef<unsigned> numbers, unsigned buffer);

  PlannedLoop loop;
  Value place;               ///< of the element in its block
  SmallVector<Place> places; ///< of each argument
};

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_OWNEDBUFFERS_H
