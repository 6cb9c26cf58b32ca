//===- KernelWidener.h - The work of widenKernel ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is uniform, and stays a scalar, if it depends on no lane; or it
// varies and becomes a vector. A mask says which lanes are active; none: all.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_KERNELWIDENER_H
#define OP2_LIB_TRANSFORMS_KERNELWIDENER_H

#include "LaneAnalysis.h"
#include "WidenKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::op2 {

class KernelWidener {
public:
  KernelWidener(func::FuncOp kernel, int64_t width, ArrayRef<bool> isUniform)
      : kernel(kernel), width(width), isUniform(isUniform),
        analysis(kernel, isUniform), builder(kernel.getContext()) {}

  func::FuncOp run(std::optional<WidenProblem> &problem);

private:
  LogicalResult widenBlock(Block &block, Value mask);
  LogicalResult widen(Operation *op, Value mask);
  LogicalResult widenAlloca(memref::AllocaOp op);
  LogicalResult widenLoad(memref::LoadOp op, Value mask);
  LogicalResult widenStore(memref::StoreOp op, Value mask);
  LogicalResult widenIf(scf::IfOp op, Value mask);
  LogicalResult widenUniformIf(scf::IfOp op, Value mask);
  LogicalResult widenFor(scf::ForOp op, Value mask);
  LogicalResult widenUniformFor(scf::ForOp op, Value mask);
  LogicalResult widenWhile(scf::WhileOp op, Value mask);
  LogicalResult widenUniformWhile(scf::WhileOp op, Value mask);
  LogicalResult widenElementwise(Operation *op, Value mask);
  void cloneDivision(Operation *op, Value mask);

  LogicalResult fail(Operation *op, const Twine &reason) {
    if (!found)
      found = WidenProblem{reason.str(), op->getLoc()};
    return failure();
  }

  // Values.
  Value get(Value value) const { return values.lookup(value); }
  bool varies(Value value) const {
    return isa<VectorType>(get(value).getType());
  }
  bool isLaneMemRef(Value memref) const { return analysis.hasLanes(memref); }
  VectorType getLaneType(Type type) const {
    return VectorType::get({width}, type);
  }
  /// A scalar element type that vectors and arithmetic take.
  static bool isLaneElement(Type type) {
    return type.isIndex() || type.isSignlessInteger() || isa<FloatType>(type);
  }
  Value broadcast(Location loc, Value scalar) {
    if (isa<VectorType>(scalar.getType()))
      return scalar;
    return vector::BroadcastOp::create(builder, loc,
                                       getLaneType(scalar.getType()), scalar);
  }
  Value getLanes(Location loc, Value value) {
    return broadcast(loc, get(value));
  }
  /// `value` as `like`, a value of the kernel, needs it: lanes or a scalar.
  Value getAs(Location loc, Value like, Value value) {
    return analysis.varies(like) ? getLanes(loc, value) : get(value);
  }
  /// The type of `value` in the widened kernel.
  FailureOr<Type> getWideType(Operation *op, Value value) {
    if (!analysis.varies(value))
      return value.getType();
    if (isLaneElement(value.getType()))
      return Type(getLaneType(value.getType()));
    return fail(op, "it carries a type that has no lanes");
  }
  LogicalResult getWideTypes(Operation *op, ValueRange range,
                             SmallVectorImpl<Type> &types) {
    for (Value value : range) {
      FailureOr<Type> type = getWideType(op, value);
      if (failed(type))
        return failure();
      types.push_back(*type);
    }
    return success();
  }
  Value createSplat(Location loc, TypedAttr value) {
    auto type = getLaneType(value.getType());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  Value createZeros(Location loc, Type type) {
    return createSplat(loc, builder.getZeroAttr(type));
  }
  Value createIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value andMask(Location loc, Value mask, Value condition) {
    if (!mask)
      return condition;
    return arith::AndIOp::create(builder, loc, mask, condition);
  }
  Value anyLane(Location loc, Value mask) {
    return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                       mask);
  }
  Value select(Location loc, Value mask, Value yes, Value no) {
    if (!mask)
      return yes;
    return arith::SelectOp::create(builder, loc, mask, yes, no);
  }
  Value extract(Location loc, Value vector, int64_t lane) {
    return vector::ExtractOp::create(builder, loc, vector, lane);
  }
  /// Indices where inactive lanes have 0, which is always there.
  SmallVector<Value> getSafeIndices(Location loc, OperandRange indices,
                                    Value mask);
  /// The indices of one lane.
  SmallVector<Value> getLaneIndices(Location loc, ArrayRef<Value> indices,
                                    int64_t lane);

  func::FuncOp kernel;
  int64_t width;
  ArrayRef<bool> isUniform;
  LaneAnalysis analysis;
  OpBuilder builder;
  func::FuncOp widened;
  IRMapping values;
  std::optional<WidenProblem> found;
};
} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_KERNELWIDENER_H
