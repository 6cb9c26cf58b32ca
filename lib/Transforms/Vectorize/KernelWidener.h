//===- KernelWidener.h - The work of widenKernel ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is uniform, and stays a scalar, if it depends on no lane; or it
// varies and becomes a vector. UniformityAnalysis decides that, and what is
// computed of a value relies on it. A mask says which lanes are active; none:
// all.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_KERNELWIDENER_H
#define OP2_LIB_TRANSFORMS_KERNELWIDENER_H

#include "OP2/Analysis/Uniformity.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

  func::FuncOp run();

private:
  void widenBlock(Block &block, Value mask);
  void widen(Operation *op, Value mask);
  void widenAlloca(memref::AllocaOp op);
  void widenLoad(memref::LoadOp op, Value mask);
  void widenStore(memref::StoreOp op, Value mask);
  using ChosenIndex = UniformityAnalysis::ChosenIndex;
  /// Each place that an index of lanes may choose, and which lanes choose it.
  void forEachPlace(Location loc, SmallVector<Value> indices,
                    const ChosenIndex &chosen,
                    function_ref<void(ValueRange, Value)> visit);
  Value loadChosen(memref::LoadOp op, ArrayRef<Value> indices,
                   const ChosenIndex &chosen);
  void storeChosen(memref::StoreOp op, Value value, Value mask,
                   ArrayRef<Value> indices, const ChosenIndex &chosen);
  /// What the lanes of `mask` read in `memref`, and what others have.
  Value gather(memref::LoadOp op, Value memref, Value mask, Value others);
  /// What `build` makes, or `nothing` if no lane is active.
  SmallVector<Value> ifActive(Location loc, Value mask, ValueRange nothing,
                              function_ref<SmallVector<Value>()> build);
  void loadOnce(memref::LoadOp op, Value mask);
  void loadChoice(memref::LoadOp op, Value mask);
  void widenSide(Region &side, Value mask);
  void widenIf(scf::IfOp op, Value mask);
  void widenUniformIf(scf::IfOp op, Value mask);
  void widenFor(scf::ForOp op, Value mask);
  void widenUniformFor(scf::ForOp op, Value mask);
  void widenWhile(scf::WhileOp op, Value mask);
  void widenUniformWhile(scf::WhileOp op, Value mask);
  void widenElementwise(Operation *op, Value mask);
  void widenChoice(Operation *op);
  void callForLanes(LLVM::CallOp call);
  void cloneDivision(Operation *op, Value mask);

  // Values.
  Value get(Value value) const { return values.lookup(value); }
  bool isLaneMemRef(Value memref) const { return analysis.hasLanes(memref); }
  /// Of values: bools stay what they are.
  VectorType getLaneType(Type type) const {
    return VectorType::get({width},
                           type.isInteger(1) ? type : getLaneStorage(type));
  }
  MemRefType getLaneMemRef(MemRefType type) const {
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(width);
    return MemRefType::get(shape, getLaneStorage(type.getElementType()));
  }
  /// arith and vector take no unsigned integers.
  Value dropSign(Location loc, Value scalar) {
    if (!scalar.getType().isUnsignedInteger())
      return scalar;
    return UnrealizedConversionCastOp::create(
               builder, loc, getLaneStorage(scalar.getType()), scalar)
        .getResult(0);
  }
  /// Between values and what of them is stored.
  Value toStored(Location loc, Value value);
  Value fromStored(Location loc, Value stored, Type type);
  Value broadcast(Location loc, Value scalar) {
    if (isa<VectorType>(scalar.getType()))
      return scalar;
    scalar = dropSign(loc, scalar);
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
  /// The types of `range` in the widened kernel.
  SmallVector<Type> getWideTypes(ValueRange range) {
    return llvm::map_to_vector(range, [&](Value value) -> Type {
      return analysis.varies(value) ? getLaneType(value.getType())
                                    : value.getType();
    });
  }
  Value createSplat(Location loc, TypedAttr value) {
    auto type = getLaneType(value.getType());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, value));
  }
  Value createZeros(Location loc, Type type) {
    return createSplat(loc, builder.getZeroAttr(type));
  }
  /// The scalar.
  Value createZero(Location loc, Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
  Value createIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// The lanes of `mask` for which `condition` holds. In others it may be
  /// poison, which an andi would pass on.
  Value andMask(Location loc, Value mask, Value condition) {
    if (!mask)
      return condition;
    return select(loc, mask, condition,
                  createSplat(loc, builder.getBoolAttr(false)));
  }
  /// Whether a lane is active; null if that is known.
  Value isOccupied(Location loc, Value mask) {
    return mask && !occupied.contains(mask) ? anyLane(loc, mask) : Value();
  }
  /// A condition that all lanes share; false if none is active, as nobody has
  /// computed it then.
  Value andOccupied(Location loc, Value isOccupied, Value condition) {
    return isOccupied ? select(loc, isOccupied, condition,
                               arith::ConstantIntOp::create(builder, loc, 0, 1))
                      : condition;
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

  /// One of the addresses that an address of the kernel may be.
  struct Choice {
    Value mask; ///< of the lanes whose address it is, if they are active
    Value address;
  };
  using Choices = SmallVector<Choice, 4>;
  /// One, of all lanes, where the address is uniform.
  Choices getChoices(Value address) const;
  /// Those of two, as `condition`, of lanes, says.
  Choices choose(Location loc, Value condition, Value yes, Value no);
  /// What `memref` may be. In place of one that is no active lane's stands that
  /// of another lane: each can be read where these lanes read theirs.
  ArrayRef<Value> getActive(Location loc, Value memref, Value mask);

  func::FuncOp kernel;
  int64_t width;
  ArrayRef<bool> isUniform;
  UniformityAnalysis analysis;
  OpBuilder builder;
  func::FuncOp widened;
  IRMapping values;
  llvm::DenseMap<Value, Choices> choices; ///< of addresses that vary
  llvm::DenseSet<Value> occupied;         ///< masks of which a lane is active
  /// What getActive has made, by memref and mask, and where.
  llvm::DenseMap<std::pair<Value, Value>,
                 std::pair<Block *, SmallVector<Value>>>
      active;
};
} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_KERNELWIDENER_H
