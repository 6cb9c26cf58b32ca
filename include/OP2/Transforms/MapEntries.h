//===- MapEntries.h - Values of maps in planned loops -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_MAPENTRIES_H
#define OP2_TRANSFORMS_MAPENTRIES_H

#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

/// The entry of a map's table that the number of a row was loaded from.
struct MapEntry {
  Value table; ///< null if the number comes from elsewhere
  int64_t slot = 0;
};
MapEntry getMapEntry(RowOp row);

/// That table, whatever the slot; null if the number comes from elsewhere.
Value getMapTable(RowOp row);

/// The arity of a map; if it is not known, the one that is likely in a loop
/// with these arguments: they use all slots, unless the function says so
/// (op2.likely_arity). Fast versions of chunks run where that holds.
int64_t getLikelyArity(ArrayRef<LoopArg> args, Value map);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_MAPENTRIES_H
