//===- ReductionBuilder.h - Arithmetic of reductions in kernels -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels of loops and those that finish reductions have in common.
// Values are signless; their type in memory decides how they compare.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H
#define OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Dialect/Ranges.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::op2 {

/// How values of a reduction meet.
struct Combination {
  Access access;
  Type type;    ///< in memory
  Value before; ///< `write`: the global's value from before the loop

  /// What leaves every other value as it is.
  Value createIdentity(OpBuilder &builder, Location loc) const;
  /// Of two values that were written, the second one.
  Value combine(OpBuilder &builder, Location loc, Value a, Value b) const;
  /// Whether `b` takes the place of `a`; not for sums.
  Value isBetter(OpBuilder &builder, Location loc, Value a, Value b) const;
};

/// Arithmetic has integers without a sign only; a dat of ui32 has one.
Value loadSignless(OpBuilder &builder, Location loc, Value memref,
                   ValueRange indices);
void storeSignless(OpBuilder &builder, Location loc, Value value, Value memref,
                   ValueRange indices);

/// Of a value in memory.
int64_t getValueBytes(Type type);

/// A value, and where it comes from: a thread or a block, i32. Null if nobody
/// asks for that.
struct Candidate {
  Value value, origin;
};

/// Combines one value of each thread of a block: lanes of a warp by butterfly
/// shuffles, warps through the beginning of the dynamic shared memory by the
/// first thread. The order depends on the number of threads only. With origins,
/// the best value wins, of equal ones that with the smallest origin.
class BlockReducer {
public:
  BlockReducer(OpBuilder &builder, Location loc, Combination combination,
               Value thread, int64_t numThreads);

  /// Shared memory that `reduce` uses, in bytes.
  static int64_t getSharedBytes(Type type, int64_t numThreads, bool hasOrigins);

  /// All threads come here, one after another value. `atFirst` builds what the
  /// first thread does with the result.
  void reduce(Candidate mine, function_ref<void(Candidate)> atFirst);
  /// After `reduce` with origins: the winner's, for all threads.
  Value getWinner();

  /// Of two candidates the better one, or both combined.
  static Candidate choose(OpBuilder &builder, Location loc,
                          const Combination &combination, Candidate a,
                          Candidate b);

private:
  Candidate shuffle(Candidate mine, int32_t offset);
  Value constant(int64_t value);
  Value isZero(Value index);
  Value getScratch(Type type, int64_t offset);

  OpBuilder &builder;
  Location loc;
  Combination combination;
  Value thread, warp, lane, values, origins;
  int64_t numWarps;
};

/// A kernel without a body that finishes reductions, in the device module. What
/// its pointers lead to does not overlap.
gpu::GPUFuncOp createFinishKernel(gpu::GPUModuleOp device, StringRef name,
                                  ArrayRef<Type> parameters, int64_t numThreads,
                                  TypeRange sharedMemory = {});

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOGPU_REDUCTIONBUILDER_H
