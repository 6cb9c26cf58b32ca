//===- KernelCall.h - The body of a loop over elements ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lowering of a parallel loop ends in the same thing: for one element,
// follow the maps, take the rows of the dats, call the kernel. This is it.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_KERNELCALL_H
#define OP2_TRANSFORMS_KERNELCALL_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::op2 {

/// Before the calls of any loop: what the program does with its kernels as
/// values it does with copies that still take MLIR's descriptors.
void separateKernelValues(ModuleOp module);

/// Emits the kernel calls of one loop. Use: construct, acquireStorage before
/// the loops, setGlobal for globals that live elsewhere (partial results),
/// emitCall in the innermost loop.
class KernelCall {
public:
  /// `kernel` is the function that the loop names; a func.func kernel is set
  /// to pass memrefs as bare pointers.
  KernelCall(ParLoopOp loop, FunctionOpInterface kernel);

  /// Takes the storage of every dat and map of the loop, once each.
  void acquireStorage(OpBuilder &builder);

  /// Passes `memref` to the kernel for argument `number`, a global.
  void setGlobal(unsigned number, Value memref) { globals[number] = memref; }

  /// Passes the element's terms of an exact sum for argument `number`, which
  /// are returned; the insertion point is in the loop over elements.
  Value setTerms(OpBuilder &builder, unsigned number, Value reduction);

  /// From now on passes private rows in place of those of argument `number`
  /// that are not numbered begin to, excluded, end.
  void setOwned(unsigned number, Value begin, Value end) {
    owned[number] = {begin, end};
  }

  /// Whether the first row of argument `number`, for which setOwned was called,
  /// is in that range: an i1.
  Value isOwned(OpBuilder &builder, unsigned number, Value element);

  /// Emits the call for the element with number `element`, of type index;
  /// returns it.
  Operation *emitCall(OpBuilder &builder, Value element);

  ArrayRef<LoopArg> getArgs() const { return args; }

private:
  Value getTarget(OpBuilder &builder, const LoopArg &arg, Value element,
                  Value slot);
  Value loadMapEntry(OpBuilder &builder, Value map, Value element, Value slot);
  Value getSlot(OpBuilder &builder, int64_t number);
  Value getRow(OpBuilder &builder, unsigned number, Value index);
  Value getGlobal(OpBuilder &builder, unsigned number);
  /// What an argument's operands are made of: its rows, a global, or the
  /// number of an element.
  SmallVector<Value> getSources(OpBuilder &builder, unsigned number,
                                Value element);
  /// Whether the kernel stores every component of a packed argument first.
  bool isSet(unsigned number) const;
  /// The row of a packed argument that belongs to a slot.
  Value getPackedRow(OpBuilder &builder, unsigned number, Value element,
                     Value slot);
  void appendOperands(OpBuilder &builder, unsigned number,
                      ArrayRef<Value> sources,
                      SmallVectorImpl<Value> &operands);

  ParLoopOp loop;
  FunctionOpInterface kernel;
  bool takesPointers; ///< the kernel is an llvm.func
  SmallVector<LoopArg> args;
  DenseMap<Value, Value> storage;                    ///< dat or map -> memref
  DenseMap<unsigned, Value> globals;                 ///< argument -> memref
  DenseMap<unsigned, std::pair<Value, Value>> owned; ///< argument -> range
};

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_KERNELCALL_H
