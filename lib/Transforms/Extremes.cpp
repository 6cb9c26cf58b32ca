//===- Extremes.cpp - Minima and maxima of elements -----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/Extremes.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A bool is 0 or 1, not 0 or -1.
static bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

Value op2::createExtremeIdentity(OpBuilder &builder, Location loc,
                                 Access access, Type type) {
  bool isMin = access == Access::Min;
  if (auto number = dyn_cast<FloatType>(type)) {
    auto value = llvm::APFloat::getInf(number.getFloatSemantics(),
                                       /*Negative=*/!isMin);
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(number, value));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt value = isUnsigned(type)
                          ? (isMin ? llvm::APInt::getMaxValue(width)
                                   : llvm::APInt::getMinValue(width))
                          : (isMin ? llvm::APInt::getSignedMaxValue(width)
                                   : llvm::APInt::getSignedMinValue(width));
  return arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(builder.getIntegerType(width), value));
}

Value op2::isBetterExtreme(OpBuilder &builder, Location loc, Access access,
                           Type type, Value a, Value b) {
  bool isMin = access == Access::Min;
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(
        builder, loc,
        isMin ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, a, b);
  a = getBits(builder, loc, a);
  b = getBits(builder, loc, b);
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = isUnsigned(type)
                            ? (isMin ? Predicate::ult : Predicate::ugt)
                            : (isMin ? Predicate::slt : Predicate::sgt);
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

Value op2::getBits(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  Type bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (auto lanes = dyn_cast<VectorType>(type))
    bits = VectorType::get(lanes.getShape(), bits);
  if (isa<FloatType>(element))
    return arith::BitcastOp::create(builder, loc, bits, value);
  if (type == bits)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, bits, value)
      .getResult(0);
}

Value op2::haveOtherBits(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                               getBits(builder, loc, a),
                               getBits(builder, loc, b));
}

Value op2::takeExtreme(OpBuilder &builder, Location loc, Access access,
                       Value known, Value given) {
  Type type = getElementTypeOrSelf(given.getType());
  if (isa<FloatType>(type)) {
    // -0.0 counts as 0.0, however the program rounds: not by x + 0.0.
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(given.getType())));
    Value isZero = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, given, zero);
    given = arith::SelectOp::create(builder, loc, isZero, zero, given);
  }
  Value isBetter = isBetterExtreme(builder, loc, access, type, given, known);
  return arith::SelectOp::create(builder, loc, isBetter, given, known);
}

void op2::beginExtremes(OpBuilder &builder, Location loc, Access access,
                        Value known, Value own) {
  Type type = cast<MemRefType>(own.getType()).getElementType();
  if (isa<FloatType>(type))
    return fillRow(builder, loc, own,
                   createExtremeIdentity(builder, loc, access, type));
  forRowEntries(builder, loc, own, [&](Value i) {
    memref::StoreOp::create(
        builder, loc, memref::LoadOp::create(builder, loc, known, i), own, i);
  });
}

void op2::takeExtremes(OpBuilder &builder, Location loc, Access access,
                       Value known, Value given) {
  forRowEntries(builder, loc, given, [&](Value i) {
    Value best = takeExtreme(builder, loc, access,
                             memref::LoadOp::create(builder, loc, known, i),
                             memref::LoadOp::create(builder, loc, given, i));
    memref::StoreOp::create(builder, loc, best, known, i);
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The global that an operand passes; null if it is not known.
static Value getGlobal(Value operand) {
  if (auto cast = operand.getDefiningOp<PtrCastOp>())
    operand = cast.getSource();
  return isa<MemRefType>(operand.getType()) ? operand : Value();
}

/// Of one operand.
static void passOwn(Operation *call, unsigned operand, const LoopArg &arg) {
  Value passed = call->getOperand(operand);
  auto select = arg.flag ? passed.getDefiningOp<LLVM::SelectOp>() : nullptr;
  Value global = getGlobal(select ? select.getTrueValue() : passed);
  MemRefType type = arg.getRowType();
  if (!global || global.getType() != type)
    return;
  Location loc = call->getLoc();
  OpBuilder builder(call);
  Value own = createPrivate(builder, loc, type);
  OpBuilder begin(call);
  if (arg.flag)
    begin = scf::IfOp::create(begin, loc, arg.flag).getThenBodyBuilder();
  beginExtremes(begin, loc, arg.getAccess(), global, own);
  Value given = own;
  if (isa<LLVM::CallOp>(call))
    given = PtrCastOp::create(builder, loc,
                              LLVM::LLVMPointerType::get(builder.getContext()),
                              own, ValueRange());
  if (select)
    given = LLVM::SelectOp::create(builder, loc, arg.flag, given,
                                   select.getFalseValue());
  call->setOperand(operand, given);

  builder.setInsertionPointAfter(call);
  if (arg.flag)
    builder = scf::IfOp::create(builder, loc, arg.flag).getThenBodyBuilder();
  takeExtremes(builder, loc, arg.getAccess(), global, own);
}

void op2::takeExtremes(Operation *call, ArrayRef<LoopArg> args) {
  bool takesPointers = isa<LLVM::CallOp>(call);
  for (auto [number, arg] : llvm::enumerate(args)) {
    unsigned operand =
        takesPointers ? unsigned(number) : getFirstOperand(args, number);
    if (isExactExtremum(args, number) && operand < call->getNumOperands())
      passOwn(call, operand, arg);
  }
}
