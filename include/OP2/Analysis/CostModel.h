//===- CostModel.h - Bytes, values and operations of a loop -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_COSTMODEL_H
#define OP2_ANALYSIS_COSTMODEL_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Bytes for each element that a loop with these arguments moves between memory
/// and cores. Rows that are reached through maps are taken to come from the
/// cache.
int64_t getTraffic(ArrayRef<LoopArg> args);

/// Values of an element that a kernel with these arguments holds at a time, at
/// most.
int64_t countValues(ArrayRef<LoopArg> args);

/// Bytes that memory gives a core in a cycle, about.
constexpr int64_t kBytesPerCycle = 4;

/// Cycles until a line comes from memory, about.
constexpr int64_t kCyclesToMemory = 300;

/// Cycles that a raised kernel takes for one element.
struct KernelCycles {
  int64_t arithmetic = 0;
  int64_t calls = 0; ///< functions of the C library, like exp
};

/// A rough count, as if no operation waited for another: half a cycle for most,
/// 4 for a division, 6 for a square root, 20 for a function of the C library
/// (about what x86 server cores need). Loops of unknown length count
/// once.
KernelCycles countCycles(func::FuncOp kernel);
/// The same of a part of a kernel, once.
KernelCycles countCycles(Region &region);

/// Floating-point operations of a raised kernel for one element, or for all
/// lanes of a vector each: a multiply-add counts as two, a function of the C
/// library as one. Loops of unknown length count once, branches all.
int64_t countFloatingPoint(func::FuncOp kernel);

/// Whether vectors of so many elements would take longer than one element after
/// another: functions of the C library are called lane by lane then, and a call
/// costs four fifths more, as vectors go to memory and back.
bool losesByVectors(func::FuncOp kernel, int64_t lanes);

/// How many elements a vector takes, `lanes` at most. Numbers of rows that a
/// kernel reads and then adds to stay in general registers meanwhile, one for
/// each slot and lane. Where there are more than 12, and the arithmetic is
/// little (6 cycles of an element for each slot: what wider vectors save of it,
/// numbers take to the stack and back), there are half as many lanes, down to
/// 4, and down to 2 where a vector's direct rows have more than 1 KiB. All of
/// them where the order of elements shows in the result.
int64_t chooseLanes(func::FuncOp kernel, ArrayRef<LoopArg> args, int64_t lanes);

/// Whether what lanes do one by one takes longer than vectors save. At indices
/// that vary each lane reads for itself, and what it reads is put together (1.5
/// cycles); where some lanes may be inactive and no place is sure to exist, it
/// also branches (6 cycles). What lanes have stored to a row for themselves is
/// not there yet when it is loaded whole to be put back (12 cycles a row).
/// Whole numbers are divided lane by lane (3 cycles more). `isUniform[i]`: all
/// elements share parameter i.
bool losesByLanes(func::FuncOp kernel, ArrayRef<bool> isUniform, int64_t lanes);

/// Whether a kernel has so many branches that exclude each other that vectors,
/// which run all of them, take longer: at least three, and more than three
/// quarters of the lanes. Those of up to four operations do not count.
bool losesByBranches(func::FuncOp kernel, ArrayRef<bool> isUniform,
                     int64_t lanes);

/// How many branches that exclude each other a kernel has, short ones included.
int64_t countBranches(func::FuncOp kernel, ArrayRef<bool> isUniform);

/// Whether so many are too many for vectors.
bool areTooManyBranches(int64_t count, int64_t lanes);

/// Whether a kernel reads at indices that vary at all.
bool hasGathers(func::FuncOp kernel, ArrayRef<bool> isUniform);

/// Why vectors of so many elements would take longer than one element after
/// another, functions of the C library apart.
std::optional<std::string> findVectorLoss(func::FuncOp kernel,
                                          ArrayRef<LoopArg> args,
                                          ArrayRef<bool> isUniform,
                                          int64_t lanes);

/// Whether it does for a loop without maps because components of short rows are
/// computed alike. Beside a loop that runs in vectors it would lose less by
/// these than what it takes to read again what both read.
bool mayJoinLanes(func::FuncOp kernel, ArrayRef<LoopArg> args);

/// Whether an element whose time goes to functions of the C library takes less
/// than a line needs from memory. Cores do not see past such calls what later
/// elements read, so they would mostly wait where rows are in no cache.
bool waitsForRows(func::FuncOp kernel);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_COSTMODEL_H
