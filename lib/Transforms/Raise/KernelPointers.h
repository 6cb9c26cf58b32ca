//===- KernelPointers.h - Memory behind pointers of kernels -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISE_KERNELPOINTERS_H
#define OP2_TRANSFORMS_RAISE_KERNELPOINTERS_H

#include "OP2/Analysis/ByteOffset.h"
#include "OP2/Dialect/OP2Ops.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::op2 {

/// The object that a pointer of an imported kernel points into, whatever the
/// distance from its start.
struct PointerBase {
  enum class Kind {
    Row,     ///< a row of a dat, a global or an index
    Table,   ///< the pointers to the rows of a vector argument
    Local,   ///< a local variable
    Program, ///< a variable of the program, or what a pointer in one points to
    Null,
    Unknown
  };

  Kind kind = Kind::Unknown;
  Value root;       ///< of rows, tables and locals: parameter or llvm.alloca
  int64_t slot = 0; ///< of a vector argument's row

  bool operator==(const PointerBase &other) const {
    return kind == other.kind && root == other.root && slot == other.slot;
  }
  bool isMemory() const { return kind == Kind::Row || kind == Kind::Local; }
};

/// Follows the pointers of one kernel.
class KernelPointers {
public:
  KernelPointers(LLVM::LLVMFuncOp kernel, ArrayRef<LoopArg> args);

  PointerBase findBase(Value pointer) const;

  /// The type of the elements in which a local variable can be seen as an
  /// array: that of all its loads and stores. Null if they differ.
  Type getElementType(LLVM::AllocaOp local) const;

  const DataLayout &getLayout() const { return layout; }
  int64_t getSize(Type type) const {
    return int64_t(layout.getTypeSize(type).getFixedValue());
  }

private:
  using Values = llvm::SmallPtrSet<Value, 8>;
  std::optional<PointerBase> findBase(Value pointer, Values &active) const;
  std::optional<PointerBase> findBaseOfLoad(LLVM::LoadOp load,
                                            Values &active) const;
  void collectIncoming(BlockArgument arg, SmallVectorImpl<Value> &values) const;

  ArrayRef<LoopArg> args;
  DataLayout layout;
};

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISE_KERNELPOINTERS_H
