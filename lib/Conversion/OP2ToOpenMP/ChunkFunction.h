//===- ChunkFunction.h - Loops over elements as functions -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP outlines its regions with all captures in one struct, behind which
// LLVM has no aliasing facts and does not vectorize. So the loop over the
// elements of a block goes into a function of its own, whose parameters carry
// these facts.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_OP2TOOPENMP_CHUNKFUNCTION_H
#define OP2_LIB_CONVERSION_OP2TOOPENMP_CHUNKFUNCTION_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::op2 {

/// What a loop over elements takes from around it, and its properties.
class ChunkCaptures {
public:
  /// What any of `regions` of `elements` takes, and `row_ends`.
  ChunkCaptures(ForElementsOp elements, ArrayRef<Region *> regions,
                bool takesRowEnds = false);

  /// The loop that the elements belong to; null if it is not in this function.
  LoopBeginOp getLoop() const { return loop; }

  /// Whether the loop has different handles that might be one dat, one of
  /// them written, or a global, or a variable that its kernel reads by its name
  /// or through a pointer, that might lie in a written dat.
  bool mayAlias() const;

  /// Values that become parameters, in order. Constants are not among them.
  ArrayRef<Value> getValues() const { return values; }

  /// For the table of a map of unknown arity, the arity that it most likely
  /// has: the loop uses all of its slots. 0 for anything else.
  int64_t getLikelyArity(Value value) const;

  /// True for data that the loop only reads.
  bool isReadOnly(Value value) const;
  /// True for data that nothing else in the loop overlaps, given that
  /// op2.is_alias_free holds or mayAlias does not.
  bool isDistinct(Value value) const;

private:
  LoopBeginOp loop;
  SmallVector<Value> values;
  bool readsOther = false; ///< memory of the program, perhaps
};

/// Versions of a chunk function.
enum class ChunkKind {
  /// noalias parameters, maps of the arity that is likely, lanes where there
  /// are any; right where createFastCheck is true. None is readonly: a kernel
  /// may break its promise, and OP2_CHECK sees it.
  Fast,
  General,
  /// Fast, row after row: right where `row_ends` are not empty, too.
  Rows,
  /// Fast and General with the region `guarded` for the body, and its private
  /// rows for lanes.
  FastGuarded,
  Guarded
};

/// The table from which the body of `elements`, with `row_ends`, reads which
/// row an element adds to; null if it does not.
Value findRowNumbers(ForElementsOp elements);

/// The function is not called from outside of the module.
void makeInternal(func::FuncOp function);

/// Makes a function `(begin, end, captures...)` that runs `elements` in the
/// module of `symbols`; what has its name gives it another one.
func::FuncOp createChunkFunction(ForElementsOp elements,
                                 const ChunkCaptures &captures, StringRef name,
                                 ChunkKind kind, SymbolTable &symbols);

/// Calls the chunk function for the elements [begin, end).
void callChunkFunction(OpBuilder &builder, Location loc, func::FuncOp function,
                       Value begin, Value end, ArrayRef<Value> captures);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_OP2TOOPENMP_CHUNKFUNCTION_H
