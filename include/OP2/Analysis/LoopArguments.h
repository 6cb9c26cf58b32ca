//===- LoopArguments.h - Properties of the arguments of a loop --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_LOOPARGUMENTS_H
#define OP2_ANALYSIS_LOOPARGUMENTS_H

#include "OP2/Dialect/OP2Ops.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// "argument 2 of 'update'".
std::string describeArg(ParLoopOp loop, unsigned number);

/// Why an argument keeps its loop from being taken apart or joined to another
/// one: it is not there in every execution, or its end is more than the end of
/// the loop. "is optional", to go behind the argument's name.
std::optional<std::string> findKindObstacle(const LoopArg &arg);

/// Whether two values are the handles of different memory, or one handle;
/// `isPromised`: the program ensures it.
bool areDifferent(Value a, Value b, bool isPromised);

/// The first operand of the kernel that belongs to argument `number`.
unsigned getFirstOperand(ArrayRef<LoopArg> args, unsigned number);

/// Whether two elements may change the same data through this argument. What
/// is written must agree where they meet (S5), so it does not count.
inline bool isConflict(const LoopArg &arg) {
  return arg.isDat() && arg.isIndirect() && arg.getAccess() != Access::Read &&
         arg.getAccess() != Access::Write;
}

/// Whether what an element adds to a row is summed in private memory first.
inline bool isSummedFirst(const LoopArg &arg) {
  return isConflict(arg) && arg.getAccess() == Access::Inc && !arg.isPacked();
}

/// Whether argument `number` is a global that the loop reduces, and the result
/// depends neither on the order of the elements nor on their division: no
/// rounding (rules S6, S19), no info to tell equal minima apart.
bool isExactReduction(ArrayRef<LoopArg> args, unsigned number);

/// Whether it is a minimum or maximum for which each element has memory of its
/// own (rule S19).
bool isExactExtremum(ArrayRef<LoopArg> args, unsigned number);

/// Whether the loop reduces a global, and the result depends on the order: of
/// minima that are equal, the first brings its infos.
bool reducesInOrder(ArrayRef<LoopArg> args);

/// Whether two elements may change the same data through a map.
inline bool hasConflicts(ArrayRef<LoopArg> args) {
  return llvm::any_of(args, isConflict);
}

/// Whether the dats of two arguments may be one when the loop runs, also by
/// different handles.
bool mayBeOneDat(const LoopArg &arg, const LoopArg &other);

/// Whether elements add directly to rows that others may add to through a map:
/// to the same dat, or to one that may be the same by another handle.
bool isAddedElsewhere(ArrayRef<LoopArg> args, const LoopArg &arg);

/// Bytes that private rows of one kind may take. The emulator's threads have a
/// stack of 256 KiB, those of CUDA local memory of 512 KiB.
inline constexpr int64_t kMaxPrivateBytes = 65536;

/// Bytes of the rows of those arguments that `isPrivate` names, without those
/// of run-time dim.
int64_t countPrivateBytes(ArrayRef<LoopArg> args,
                          function_ref<bool(const LoopArg &)> isPrivate);

/// Whether private rows of one kind have a place on the stack of a thread.
inline bool fitOnStack(ArrayRef<LoopArg> args,
                       function_ref<bool(const LoopArg &)> isPrivate) {
  return countPrivateBytes(args, isPrivate) <= kMaxPrivateBytes;
}

/// Whether all that elements change through maps are sums of a size that a
/// thread can have for itself first.
bool fitPrivateIncrements(ArrayRef<LoopArg> args);

/// Whether what elements add to the dat of an argument has a place in the
/// shared memory of a device's block that owns rows.
bool hasSharedIncrements(ArrayRef<LoopArg> args, const LoopArg &arg);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_LOOPARGUMENTS_H
