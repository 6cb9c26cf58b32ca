//===- KernelRaiser.h - Kernels from LLVM to arith and memref ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISE_KERNELRAISER_H
#define OP2_TRANSFORMS_RAISE_KERNELRAISER_H

#include "KernelPointers.h"
#include "OP2/Analysis/Obstacle.h"
#include "OP2/Dialect/OP2Ops.h"
#include "RaiseScalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::op2 {

/// The type of a raised kernel (rule L9), or of another function with a
/// kernel's parameters.
FunctionType getRaisedType(ArrayRef<LoopArg> args, LLVM::LLVMFuncOp function);

/// What stands in the way of raising a kernel for these arguments before one
/// looks at its body.
std::optional<std::string> checkRaisable(LLVM::LLVMFuncOp kernel,
                                         ArrayRef<LoopArg> args);

/// Writes one imported kernel again as a func.func: its blocks, with cf
/// between them.
class KernelRaiser {
public:
  /// `raised` has the type that `args` ask for, and no body.
  KernelRaiser(LLVM::LLVMFuncOp kernel, ArrayRef<LoopArg> args,
               func::FuncOp raised);

  /// If this fails, getObstacle() says why, and `raised` is half done.
  LogicalResult run();

  const Obstacle &getObstacle() const { return *obstacle; }

private:
  /// A place in a memref or in memory of the program.
  struct Place {
    PointerBase base;
    Value address;                  ///< in memory of the program, else
    Value memref;                   ///< of a row or local variable,
    int64_t bytes = 0;              ///< the distance from its start, and
    SmallVector<Value, 2> elements; ///< more of it, of type index
    bool isAligned = true; ///< false: only if what it points to is aligned
    LLVM::SelectOp choice; ///< or one of two places
  };

  LogicalResult fail(Operation *op, const Twine &reason);
  static MemRefType getMemRefType(Value memref) {
    return cast<MemRefType>(memref.getType());
  }

  // The function's frame.
  void mapParameters();
  void createBlocks();
  void enterBlock(Block &block);
  LogicalResult raiseOp(Operation *op);
  LogicalResult raiseOther(Operation *op);
  LogicalResult raiseTerminator(Operation *op);
  LogicalResult raiseSwitch(LLVM::SwitchOp op);
  FailureOr<SmallVector<Value>> getBlockOperands(Operation *op, Block *block,
                                                 OperandRange values);
  LogicalResult raiseCall(LLVM::CallOp op);
  LogicalResult keepCall(LLVM::CallOp op);
  FailureOr<SmallVector<Value>> getScalars(Operation *op);

  // Pointers (RaisePointers.cpp).
  LogicalResult raisePointer(Operation *op);
  LogicalResult raiseStep(LLVM::GEPOp op);
  Value createIndex(Location loc, Value number, int64_t factor);
  bool addTerm(LLVM::GEPOp op, Value value, int64_t bytes, Place &place);
  LogicalResult raiseProgramStep(LLVM::GEPOp op, const Place &from);
  LogicalResult raiseLocal(LLVM::AllocaOp op);
  LogicalResult raiseTableEntry(LLVM::LoadOp op, PointerBase base);
  LogicalResult raisePointerSelect(LLVM::SelectOp op);
  Place getStart(const PointerBase &base) const;
  Place getPlace(Value pointer) const;
  FailureOr<Value> getElementIndex(Operation *op, const Place &place);
  FailureOr<Value> getAddress(Operation *op, const Place &place);
  std::string describe(const PointerBase &base) const;

  // Memory (RaiseMemory.cpp).
  LogicalResult raiseLoad(LLVM::LoadOp op);
  LogicalResult raiseProgramLoad(LLVM::LoadOp op, Value address);
  MemRefType getTableType(Value address, Type element);
  LogicalResult raiseStore(LLVM::StoreOp op);
  LogicalResult raiseCopy(Operation *op, Value to, Value from, int64_t bytes);
  LogicalResult raiseFill(Operation *op, Value to, Value byte, int64_t bytes);
  LogicalResult checkCopied(Operation *op, int64_t count);
  LogicalResult checkElements(Operation *op, const Place &place, int64_t bytes);
  LogicalResult checkAccess(Operation *op, const Place &place, Type type,
                            std::optional<uint64_t> alignment);
  FailureOr<Value> load(Operation *op, const Place &place);
  FailureOr<Value> loadChoice(LLVM::LoadOp op, const Place &place);
  LogicalResult store(Operation *op, const Place &place, Value value);
  Value castTo(Type type, Value value, Location loc);

  LLVM::LLVMFuncOp kernel;
  ArrayRef<LoopArg> args;
  func::FuncOp raised;
  KernelPointers pointers;
  OpBuilder builder;
  IRMapping scalars;             ///< and blocks
  DenseMap<Value, Place> places; ///< of pointers
  /// Memrefs of rows, by parameter and slot, and of local variables.
  DenseMap<std::pair<Value, int64_t>, Value> rows;
  std::optional<Obstacle> obstacle; ///< the first one met
};

/// Gives a function of blocks and branches structured control flow, and cleans
/// it up with `cleanups`; fails, leaving it as it may, where that is not
/// possible.
LogicalResult structureControlFlow(func::FuncOp function,
                                   const FrozenRewritePatternSet &cleanups);
FrozenRewritePatternSet getCleanups(MLIRContext *context);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISE_KERNELRAISER_H
