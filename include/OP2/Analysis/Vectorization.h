//===- Vectorization.h - May elements run at once? --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_VECTORIZATION_H
#define OP2_ANALYSIS_VECTORIZATION_H

#include "OP2/Analysis/Obstacle.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// Why elements of a loop with these arguments cannot be vectorized, or
/// what has no lanes; with what is certain for `kernel`, or for any.
std::optional<std::string> findLaneObstacle(ArrayRef<LoopArg> args,
                                            func::FuncOp kernel = {});

/// Lanes of the widest floating-point type of the loop in registers of `bits`;
/// of its widest integer type if it has none.
int64_t countLanes(ArrayRef<LoopArg> args, int64_t bits);

/// For each operand of a func.func kernel whether all elements share it.
SmallVector<bool> findUniformOperands(ArrayRef<LoopArg> args);

/// Whether the kernel works on the row itself: no other thread has it.
inline bool isInPlace(const LoopArg &arg) {
  return arg.isDat() &&
         (!arg.isIndirect() || arg.getAccess() == Access::ReadWrite);
}

/// Whether a func.func kernel stores every component of a parameter, whatever
/// happens, and loads none before.
bool isOverwritten(func::FuncOp kernel, unsigned parameter);

/// Whether what an argument is written to needs no values before: it is only
/// written, and the kernel, which may be null or have no body, overwrites
/// parameter `parameter`.
inline bool isSet(const LoopArg &arg, func::FuncOp kernel, unsigned parameter) {
  return kernel && !kernel.isExternal() && arg.getAccess() == Access::Write &&
         isOverwritten(kernel, parameter);
}

/// Whether a func.func kernel stores every component of `count` parameters from
/// `first` on, whatever happens, does not load any, and stores those of later
/// ones later: the rows may be one.
bool areOverwrittenInOrder(func::FuncOp kernel, unsigned first, int64_t count);

/// Whether a func.func kernel adds to every component of one parameter, once,
/// what it takes from that of the other, or the other way round, and does
/// nothing else with either.
bool areOpposite(func::FuncOp kernel, unsigned first, unsigned second);

/// Why a func.func kernel has no form for several elements; `isUniform[i]`:
/// parameter i is memory that all elements share.
std::optional<Obstacle> findKernelObstacle(func::FuncOp kernel,
                                           ArrayRef<bool> isUniform);

/// Whether memory that all elements share has an element 0 even if none of them
/// reads it: what a pointer of the program points to need not.
bool hasFirstElement(Value memref);

/// The places in memory of `size` values that an index can be, if these are at
/// most eight: all of them, or the constants that it is one of. Then what is at
/// one of them can be chosen in registers. None if they are more.
SmallVector<int64_t> findPlaces(Value index, int64_t size);

/// Whether an operation may trap, and is done for active lanes only.
bool isDivision(Operation *op);

/// Whether an operation calls a function for one element after another.
bool isLaneCall(Operation *op);

/// Whether vectors of values of that type can be computed with. Unsigned
/// integers are cast to what arith takes first.
bool isLaneElement(Type type);

/// The elements of vectors of such values in memory: whole bytes for bool,
/// without a sign.
Type getLaneStorage(Type type);

/// Whether an operation gives a value a type of the same storage.
bool isSignCast(Operation *op);

/// Lanes that a loop runs in on `machine`; 1: its elements run one after
/// another.
int64_t getNumLanes(ArrayRef<LoopArg> args, func::FuncOp kernel,
                    MachineAttr machine);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_VECTORIZATION_H
