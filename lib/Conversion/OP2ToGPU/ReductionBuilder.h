//===- ReductionBuilder.h - Arithmetic of reductions in kernels -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels of loops and those that finish reductions have in common.
// Values are signless; their type in memory tells how they compare.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H
#define OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::op2 {

/// Threads of a warp; blocks of threads are whole warps.
inline constexpr int64_t kWarpSize = 32;

/// What leaves every other value as it is.
Value createIdentity(OpBuilder &builder, Location loc, Access access,
                     Type type);
/// `a` and `b` combined, `type` being that in memory.
Value createCombination(OpBuilder &builder, Location loc, Access access,
                        Type type, Value a, Value b);

/// Arithmetic knows integers without a sign only; a dat of ui32 has one.
Value loadSignless(OpBuilder &builder, Location loc, Value memref,
                   ValueRange indices);
void storeSignless(OpBuilder &builder, Location loc, Value value, Value memref,
                   ValueRange indices);

/// Combines one value of each thread of a block: lanes of a warp by butterfly
/// shuffles, warps through the beginning of the dynamic shared memory by the
/// first thread. The order depends on the number of threads only.
class BlockReducer {
public:
  BlockReducer(OpBuilder &builder, Location loc, Access access, Type type,
               Value thread, int64_t numThreads);

  /// Shared memory that `reduce` uses, in bytes.
  static int64_t getSharedBytes(Type type, int64_t numThreads);

  /// All threads come here, one after another value. `atFirst` builds what the
  /// first thread does with the result.
  void reduce(Value value, function_ref<void(Value)> atFirst);

private:
  Value isZero(Value index);
  Value constant(int64_t value);

  OpBuilder &builder;
  Location loc;
  Access access;
  Type type;
  Value thread, warp, lane, scratch;
  int64_t numWarps;
};

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H
