//===- LoopModel.h - What a loop moves and holds ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model by which passes decide whether loops are fused or split, and what
// they do alike. See docs/design/fusing.md.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LOOPMODEL_H
#define OP2_LIB_TRANSFORMS_LOOPMODEL_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Whether the loop may change what the argument stands for.
inline bool isChanged(const LoopArg &arg) {
  return !arg.isIndex() && arg.getAccess() != Access::Read;
}

/// "argument 2 of 'update'".
std::string describeArg(ParLoopOp loop, unsigned number);

/// Why an argument keeps its loop from being taken apart or joined to another
/// one: it is not there in every execution, or its end is more than the end of
/// the loop. "is optional", to go behind the argument's name.
std::optional<std::string> findKindObstacle(const LoopArg &arg);

/// Whether two values are the handles of different memory, or one handle;
/// `isPromised`: the program sees to it.
bool areDifferent(Value a, Value b, bool isPromised);

/// The first operand of the kernel that belongs to argument `number`.
unsigned getFirstOperand(ArrayRef<LoopArg> args, unsigned number);

/// Makes a kernel that was made from `original` a private function next to it,
/// under a name of its own.
void addKernel(func::FuncOp kernel, func::FuncOp original);

/// Gives a loop what another one asks of its plan.
void copyPlanRequests(ParLoopOp from, ParLoopOp to);

/// Whether `function`, which may be null, is there for that form of its loops
/// only.
bool isVariant(func::FuncOp function, VariantKind variant);

/// Adds to what the function around `loop` says of its being a variant, if it
/// is one.
void addOutcome(ParLoopOp loop, const Twine &outcome);

/// Makes a declaration of a variant that does not exist.
void dropBody(func::FuncOp function);

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
/// (about what x86 server cores need). Loops whose length is not known count
/// once.
KernelCycles countCycles(func::FuncOp kernel);

/// Whether groups of so many elements would take longer than one element after
/// another: functions of the C library are called lane by lane then, and a call
/// costs four fifths more, as vectors go to memory and back.
bool losesInGroups(func::FuncOp kernel, int64_t lanes);

/// Whether an element whose time goes to functions of the C library takes less
/// than a line needs from memory. Cores do not see past such calls what later
/// elements read, so they would mostly wait where rows are in no cache.
bool waitsForRows(func::FuncOp kernel);

/// Lanes that a loop runs in on `machine`; 1: its elements run one after
/// another.
int64_t getNumLanes(ArrayRef<LoopArg> args, func::FuncOp kernel,
                    MachineAttr machine);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LOOPMODEL_H
