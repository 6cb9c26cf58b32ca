//===- RaisePointers.cpp - Pointers of kernels as places in memrefs -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRaiser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::op2;

using Kind = PointerBase::Kind;

/// "argument 2" or "a local variable".
std::string KernelRaiser::describe(const PointerBase &base) const {
  if (base.kind == Kind::Local)
    return "a local variable";
  if (auto arg = dyn_cast_or_null<BlockArgument>(base.root))
    return "argument " + std::to_string(arg.getArgNumber());
  return base.kind == Kind::Program ? "a variable of the program" : "memory";
}

KernelRaiser::Place KernelRaiser::getStart(const PointerBase &base) const {
  Place place;
  place.base = base;
  if (base.isMemory())
    place.memref = rows.lookup({base.root, base.slot});
  return place;
}

KernelRaiser::Place KernelRaiser::getPlace(Value pointer) const {
  return places.lookup(pointer);
}

FailureOr<Value> KernelRaiser::getElementIndex(Operation *op,
                                               const Place &place) {
  int64_t size = pointers.getSize(getMemRefType(place.memref).getElementType());
  if (place.bytes % size != 0)
    return fail(op, "uses " + describe(place.base) + " at byte " +
                        Twine(place.bytes) +
                        ", which is not a multiple of its elements' size, " +
                        Twine(size));
  Location loc = op->getLoc();
  Value index;
  for (Value part : place.elements)
    index = index ? arith::AddIOp::create(builder, loc, index, part).getResult()
                  : part;
  if (index && place.bytes == 0)
    return index;
  Value constant =
      arith::ConstantIndexOp::create(builder, loc, place.bytes / size);
  if (!index)
    return constant;
  return arith::AddIOp::create(builder, loc, index, constant).getResult();
}

/// For a function that takes pointers.
FailureOr<Value> KernelRaiser::getAddress(Operation *op, const Place &place) {
  if (place.address)
    return place.address;
  if (!place.memref || !place.isAligned)
    return failure();
  FailureOr<Value> index = getElementIndex(op, place);
  if (failed(index))
    return failure();
  Location loc = op->getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value start =
      PtrCastOp::create(builder, loc, pointer, place.memref, ValueRange());
  Value distance =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), *index);
  Type element = getMemRefType(place.memref).getElementType();
  if (!isa<FloatType>(element)) // bools are bytes, and LLVM knows no signs
    element = builder.getIntegerType(pointers.getSize(element) * 8);
  return LLVM::GEPOp::create(builder, loc, pointer, element, start, distance)
      .getResult();
}

LogicalResult KernelRaiser::raisePointer(Operation *op) {
  if (auto step = dyn_cast<LLVM::GEPOp>(op))
    return raiseStep(step);
  if (auto local = dyn_cast<LLVM::AllocaOp>(op))
    return raiseLocal(local);
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return raisePointerSelect(select);
  if (!isa<LLVM::AddressOfOp, LLVM::ZeroOp>(op))
    return fail(op, "computes a pointer with '" + op->getName().getStringRef() +
                        "'");
  Place place = getStart(pointers.findBase(op->getResult(0)));
  if (place.base.kind == Kind::Program)
    place.address = builder.clone(*op)->getResult(0);
  places[op->getResult(0)] = place;
  return success();
}

/// Addresses in the program's memory stay what they are.
LogicalResult KernelRaiser::raiseProgramStep(LLVM::GEPOp op,
                                             const Place &from) {
  SmallVector<LLVM::GEPArg> indices;
  for (auto index : op.getIndices()) {
    APInt constant;
    auto value = dyn_cast<Value>(index);
    if (!value)
      indices.push_back(int32_t(cast<IntegerAttr>(index).getInt()));
    else if (matchPattern(value, m_ConstantInt(&constant)) &&
             constant.isSignedIntN(31))
      indices.push_back(int32_t(constant.getSExtValue()));
    else
      indices.push_back(scalars.lookup(value));
  }
  Place place = from;
  place.address =
      LLVM::GEPOp::create(builder, op.getLoc(), op.getType(), op.getElemType(),
                          from.address, indices, op.getNoWrapFlags());
  places[op] = place;
  return success();
}

/// A number of the kernel, `factor` times, as an index.
Value KernelRaiser::createIndex(Location loc, Value number, int64_t factor) {
  Value index =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  if (factor == 1)
    return index;
  Value scale = arith::ConstantIndexOp::create(builder, loc, factor);
  return arith::MulIOp::create(builder, loc, index, scale);
}

/// Adds `bytes` times a value, in elements. False if that is no multiple of an
/// element's size, or cannot be known to be one.
bool KernelRaiser::addTerm(LLVM::GEPOp op, Value value, int64_t bytes,
                           Place &place) {
  int64_t size = pointers.getSize(getMemRefType(place.memref).getElementType());
  Location loc = op.getLoc();
  bool isWhole = bytes % size == 0;
  Value index =
      createIndex(loc, scalars.lookup(value), isWhole ? bytes / size : 1);
  if (!isWhole) {
    // A number of parts of elements: whole ones, if the result is aligned. Two
    // such numbers may each be none.
    if (size % bytes != 0 || !place.isAligned || place.bytes % size != 0)
      return false;
    Value parts = arith::ConstantIndexOp::create(builder, loc, size / bytes);
    index = arith::DivSIOp::create(builder, loc, index, parts);
    place.isAligned = false;
  }
  place.elements.push_back(index);
  return true;
}

LogicalResult KernelRaiser::raiseStep(LLVM::GEPOp op) {
  Place place = getPlace(op.getBase());
  if (place.address)
    return raiseProgramStep(op, place);
  std::optional<ByteOffset> offset = getOffset(op, pointers.getLayout());
  if (place.base.kind == Kind::Table) {
    places[op] = place;
    return success();
  }
  if (!place.memref || !offset)
    return fail(op, "uses a pointer that may point to different objects");
  place.bytes += offset->constant;
  for (auto [value, bytes] : offset->terms)
    if (!addTerm(op, value, bytes, place))
      return fail(op, "uses " + describe(place.base) + " in steps of " +
                          Twine(bytes) + " bytes, but its elements have " +
                          Twine(pointers.getSize(
                              getMemRefType(place.memref).getElementType())));
  places[op] = place;
  return success();
}

LogicalResult KernelRaiser::raiseLocal(LLVM::AllocaOp op) {
  APInt count;
  if (!matchPattern(op.getArraySize(), m_ConstantInt(&count)))
    return fail(op, "has a local array whose length is not a constant");
  bool hasSize = LLVM::isLoadableType(op.getElemType());
  Type element = hasSize ? pointers.getElementType(op) : Type();
  if (!element || !MemRefType::isValidElementType(element) ||
      !element.isIntOrFloat())
    return fail(op, "has a local variable that is not an array of numbers");
  int64_t bytes = pointers.getSize(op.getElemType()) * count.getSExtValue();
  int64_t size = pointers.getSize(element);
  if (bytes % size != 0)
    return fail(op, "has a local variable of mixed types");
  // In the entry block whatever branch it is declared in: it lives as long as
  // the call.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&raised.getBody().front());
  auto alignment = op.getAlignment();
  rows[{op.getResult(), 0}] = memref::AllocaOp::create(
      builder, op.getLoc(), MemRefType::get({bytes / size}, element),
      alignment ? builder.getI64IntegerAttr(*alignment) : IntegerAttr());
  places[op] = getStart(pointers.findBase(op));
  return success();
}

/// A load of one of the pointers of a vector argument.
LogicalResult KernelRaiser::raiseTableEntry(LLVM::LoadOp op, PointerBase base) {
  auto number = cast<BlockArgument>(base.root).getArgNumber();
  int64_t count = args[number].attr.getCount();
  if (base.slot < 0 || base.slot >= count)
    return fail(op, "uses row " + Twine(base.slot) + " of argument " +
                        Twine(number) + ", which has " + Twine(count));
  places[op] = getStart(base);
  return success();
}

LogicalResult KernelRaiser::raisePointerSelect(LLVM::SelectOp op) {
  PointerBase base = pointers.findBase(op);
  Value condition = scalars.lookupOrNull(op.getCondition());
  if (!condition)
    return fail(op, "selects a pointer by what is not a number");
  Value addressOnTrue = getPlace(op.getTrueValue()).address;
  Value addressOnFalse = getPlace(op.getFalseValue()).address;
  if (addressOnTrue && addressOnFalse) {
    Place place = getStart(base);
    place.address = arith::SelectOp::create(builder, op.getLoc(), condition,
                                            addressOnTrue, addressOnFalse);
    places[op] = place;
    return success();
  }
  if (!base.isMemory()) {
    Place place;
    place.choice = op;
    places[op] = place;
    return success();
  }
  FailureOr<Value> onTrue = getElementIndex(op, getPlace(op.getTrueValue()));
  FailureOr<Value> onFalse = getElementIndex(op, getPlace(op.getFalseValue()));
  if (failed(onTrue) || failed(onFalse))
    return failure();
  Place place = getStart(base);
  place.isAligned = getPlace(op.getTrueValue()).isAligned &&
                    getPlace(op.getFalseValue()).isAligned;
  place.elements.push_back(arith::SelectOp::create(
      builder, op.getLoc(), condition, *onTrue, *onFalse));
  places[op] = place;
  return success();
}
