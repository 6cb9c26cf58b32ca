//===- RaiseMemory.cpp - Loads and stores of kernels on memrefs -----------===//
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

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static Type getSignless(Type type) {
  return type.isUnsignedInteger()
             ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
             : type;
}

/// Between the types that one element can be seen as: unsigned integers are
/// signless in arith, a bool takes a byte in memory.
Value KernelRaiser::castTo(Type type, Value value, Location loc) {
  auto castSign = [&](Type to) {
    if (value.getType() != to)
      value = UnrealizedConversionCastOp::create(builder, loc, to, value)
                  .getResult(0);
  };
  castSign(getSignless(value.getType()));
  Type from = value.getType(), to = getSignless(type);
  if (from.isInteger(1) && to.isInteger(8))
    value = arith::ExtUIOp::create(builder, loc, to, value);
  else if (from.isInteger(8) && to.isInteger(1))
    value = arith::TruncIOp::create(builder, loc, to, value);
  else if (from != to)
    value = arith::BitcastOp::create(builder, loc, to, value);
  castSign(type);
  return value;
}

/// Do `bytes` bytes from a place on lie in its memref, as far as that is known?
LogicalResult KernelRaiser::checkElements(Operation *op, const Place &place,
                                          int64_t bytes) {
  if (!place.memref)
    return fail(op, "uses a pointer that may point to different objects");
  MemRefType type = getMemRefType(place.memref);
  int64_t size = pointers.getSize(type.getElementType());
  if (bytes % size != 0)
    return fail(op, "uses " + Twine(bytes) + " bytes at once of " +
                        describe(place.base) + ", whose elements have " +
                        Twine(size));
  if (place.elements.empty() &&
      (place.bytes < 0 || place.bytes + bytes > type.getNumElements() * size))
    return fail(op, "uses element " + Twine((place.bytes + bytes - 1) / size) +
                        " of " + describe(place.base) + ", which has " +
                        Twine(type.getNumElements()));
  return success();
}

LogicalResult KernelRaiser::checkAccess(Operation *op, const Place &place,
                                        Type type,
                                        std::optional<uint64_t> alignment) {
  if (!type.isIntOrFloat())
    return fail(op, isa<LLVM::LLVMPointerType>(type)
                        ? "loads or stores a pointer"
                        : "loads or stores what is not a number");
  int64_t size = pointers.getSize(type);
  if (failed(checkElements(op, place, size)))
    return failure();
  if (size != pointers.getSize(getMemRefType(place.memref).getElementType()))
    return fail(op, "uses several elements of " + describe(place.base) +
                        " at once");
  if (!place.isAligned && alignment.value_or(uint64_t(size)) < uint64_t(size))
    return fail(op, "uses an element of " + describe(place.base) +
                        " that may not be aligned");
  return success();
}

/// The selection that an index is computed from, or null.
static arith::SelectOp findSelect(Value index) {
  Operation *op = index.getDefiningOp();
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return select;
  if (!isa_and_nonnull<arith::IndexCastOp, arith::AddIOp, arith::MulIOp,
                       arith::DivSIOp>(op))
    return {};
  for (Value operand : op->getOperands())
    if (arith::SelectOp select = findSelect(operand))
      return select;
  return {};
}

/// An index if `select` takes its first or its second value; nothing if more
/// than that decides.
static std::optional<int64_t> evaluate(Value index, arith::SelectOp select,
                                       bool isFirst) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = index.getDefiningOp();
  if (op == select)
    return evaluate(isFirst ? select.getTrueValue() : select.getFalseValue(),
                    select, isFirst);
  if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(op))
    return evaluate(cast.getIn(), select, isFirst);
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::DivSIOp>(op))
    return std::nullopt;
  auto left = evaluate(op->getOperand(0), select, isFirst);
  auto right = evaluate(op->getOperand(1), select, isFirst);
  if (!left || !right || (isa<arith::DivSIOp>(op) && *right <= 0))
    return std::nullopt;
  return isa<arith::AddIOp>(op)   ? *left + *right
         : isa<arith::MulIOp>(op) ? *left * *right
                                  : *left / *right;
}

/// One of two elements, both of which are there: both are loaded. Lanes would
/// go to places of their own otherwise.
static Value loadOneOfTwo(OpBuilder &builder, Location loc, Value memref,
                          Value index) {
  auto type = cast<MemRefType>(memref.getType());
  arith::SelectOp select = findSelect(index);
  if (!select || !type.hasStaticShape())
    return {};
  SmallVector<int64_t> places;
  for (bool isFirst : {true, false}) {
    std::optional<int64_t> place = evaluate(index, select, isFirst);
    if (!place || *place < 0 || *place >= type.getNumElements())
      return {};
    places.push_back(*place);
  }
  SmallVector<Value> values;
  for (int64_t place : places)
    values.push_back(memref::LoadOp::create(
        builder, loc, memref,
        arith::ConstantIndexOp::create(builder, loc, place).getResult()));
  return arith::SelectOp::create(builder, loc, select.getCondition(), values[0],
                                 values[1]);
}

FailureOr<Value> KernelRaiser::load(Operation *op, const Place &place) {
  FailureOr<Value> index = getElementIndex(op, place);
  if (failed(index))
    return failure();
  if (Value value = loadOneOfTwo(builder, op->getLoc(), place.memref, *index))
    return value;
  return memref::LoadOp::create(builder, op->getLoc(), place.memref, *index)
      .getResult();
}

LogicalResult KernelRaiser::store(Operation *op, const Place &place,
                                  Value value) {
  FailureOr<Value> index = getElementIndex(op, place);
  if (failed(index))
    return failure();
  value =
      castTo(getMemRefType(place.memref).getElementType(), value, op->getLoc());
  memref::StoreOp::create(builder, op->getLoc(), value, place.memref, *index);
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// `*(c ? p : q)` as `c ? *p : *q`, where both can be read in any case.
FailureOr<Value> KernelRaiser::loadChoice(LLVM::LoadOp op, const Place &place) {
  if (place.choice) {
    LLVM::SelectOp select = place.choice;
    auto onTrue = loadChoice(op, getPlace(select.getTrueValue()));
    auto onFalse = loadChoice(op, getPlace(select.getFalseValue()));
    if (failed(onTrue) || failed(onFalse))
      return failure();
    Value condition = scalars.lookup(select.getCondition());
    return arith::SelectOp::create(builder, op.getLoc(), condition, *onTrue,
                                   *onFalse)
        .getResult();
  }
  if (failed(checkAccess(op, place, op.getType(), op.getAlignment())))
    return failure();
  auto arg = dyn_cast<BlockArgument>(place.base.root);
  bool isOptional = arg && args[arg.getArgNumber()].attr.getIsOptional();
  if (isOptional || !place.elements.empty())
    return fail(op, "selects between elements that may not be there");
  FailureOr<Value> value = load(op, place);
  if (failed(value))
    return failure();
  return castTo(op.getType(), *value, op.getLoc());
}

/// How an address in the program's memory is a place in an array of elements of
/// `size` bytes: a pointer, and what is added to it; nothing if it is none, or
/// a certain place in a variable.
static std::optional<std::pair<Value, ByteOffset>>
findTableEntry(Value address, int64_t size, const KernelPointers &pointers) {
  auto [base, offset] = getBaseAndOffset(address, pointers.getLayout());
  bool isEntry = offset && offset->constant % size == 0 &&
                 llvm::all_of(offset->terms, [&](auto &term) {
                   return term.second % size == 0;
                 });
  if (!isEntry ||
      (offset->terms.empty() && base.getDefiningOp<LLVM::AddressOfOp>()))
    return std::nullopt;
  return std::pair(base, *offset);
}

/// The array of elements that begins at `address`: of known size if that is a
/// variable, which is there whether the kernel reads it or not.
MemRefType KernelRaiser::getTableType(Value address, Type element) {
  int64_t count = 0;
  if (auto addressOf = address.getDefiningOp<LLVM::AddressOfOp>()) {
    SymbolTableCollection symbols;
    LLVM::GlobalOp global = addressOf.getGlobal(symbols);
    auto record = dyn_cast<LLVM::LLVMStructType>(global.getType());
    if (global.getLinkage() != LLVM::Linkage::ExternWeak &&
        !(record && record.isOpaque()))
      count = pointers.getSize(global.getType()) / pointers.getSize(element);
  }
  return MemRefType::get({count > 0 ? count : ShapedType::kDynamic}, element);
}

/// A table that is read by index becomes a memref, as far as it consists of
/// aligned numbers; everything else stays a load from an address.
LogicalResult KernelRaiser::raiseProgramLoad(LLVM::LoadOp op, Value address) {
  Location loc = op.getLoc();
  Type type = op.getType();
  bool isNumber = type.isIntOrFloat();
  int64_t size = isNumber ? pointers.getSize(type) : 0;
  auto entry = isNumber && op.getAlignment().value_or(size) >= uint64_t(size)
                   ? findTableEntry(address, size, pointers)
                   : std::nullopt;
  if (entry) {
    auto [start, offset] = *entry;
    Place place;
    place.memref = PtrCastOp::create(builder, loc, getTableType(start, type),
                                     start, ValueRange());
    place.bytes = offset.constant;
    for (auto [value, bytes] : offset.terms)
      place.elements.push_back(createIndex(loc, value, bytes / size));
    FailureOr<Value> value = load(op, place);
    if (failed(value))
      return failure();
    scalars.map(op.getResult(), *value);
    return success();
  }
  if (!isNumber && !isa<LLVM::LLVMPointerType>(type))
    return fail(op, "loads or stores what is not a number");
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, address);
  if (isNumber) {
    scalars.map(op.getResult(), copy->getResult(0));
    return success();
  }
  Place place;
  place.base = pointers.findBase(op);
  place.address = copy->getResult(0);
  places[op] = place;
  return success();
}

/// A variable of the runtime, which other threads may change.
static bool isOfRuntime(Value address) {
  auto variable = address.getDefiningOp<LLVM::AddressOfOp>();
  return variable && variable.getGlobalName().starts_with("op2rt_");
}

LogicalResult KernelRaiser::raiseLoad(LLVM::LoadOp op) {
  bool isAtomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (op.getVolatile_() || (isAtomic && !isOfRuntime(op.getAddr())))
    return fail(op, "has a volatile or atomic load");
  Place place = getPlace(op.getAddr());
  if (place.base.kind == Kind::Table) {
    PointerBase base = pointers.findBase(op);
    if (base.kind == Kind::Row)
      return raiseTableEntry(op, base);
    return fail(op,
                "computes which row of " + describe(place.base) + " it uses");
  }
  if (place.address)
    return raiseProgramLoad(op, place.address);
  if (place.choice) {
    FailureOr<Value> value = loadChoice(op, place);
    if (failed(value))
      return failure();
    scalars.map(op.getResult(), *value);
    return success();
  }
  if (failed(checkAccess(op, place, op.getType(), op.getAlignment())))
    return failure();
  FailureOr<Value> value = load(op, place);
  if (failed(value))
    return failure();
  scalars.map(op.getResult(), castTo(op.getType(), *value, op.getLoc()));
  return success();
}

LogicalResult KernelRaiser::raiseStore(LLVM::StoreOp op) {
  if (op.getVolatile_() || op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return fail(op, "has a volatile or atomic store");
  Place place = getPlace(op.getAddr());
  if (place.address)
    return fail(op, "writes to a variable of the program");
  if (failed(
          checkAccess(op, place, op.getValue().getType(), op.getAlignment())))
    return failure();
  return store(op, place, scalars.lookup(op.getValue()));
}

/// All loads first: source and destination may be the same.
LogicalResult KernelRaiser::raiseCopy(Operation *op, Value to, Value from,
                                      int64_t bytes) {
  Place source = getPlace(from), target = getPlace(to);
  if (!source.memref || !target.memref)
    return fail(op,
                "copies memory that is not an argument or a local variable");
  if (!source.isAligned || !target.isAligned)
    return fail(op, "copies elements that may not be aligned");
  if (failed(checkElements(op, source, bytes)) ||
      failed(checkElements(op, target, bytes)))
    return failure();
  Type sourceType = getMemRefType(source.memref).getElementType();
  int64_t size = pointers.getSize(sourceType);
  if (sourceType.isInteger(1) !=
      getMemRefType(target.memref).getElementType().isInteger(1))
    return fail(op, "copies bytes to bools, or bools to bytes");
  if (size != pointers.getSize(getMemRefType(target.memref).getElementType()))
    return fail(op, "copies elements of one size to elements of another");
  if (failed(checkCopied(op, bytes / size)))
    return failure();
  SmallVector<Value> values;
  for (int64_t done = 0; done < bytes; done += size, source.bytes += size) {
    FailureOr<Value> value = load(op, source);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  for (Value value : values) {
    if (failed(store(op, target, value)))
      return failure();
    target.bytes += size;
  }
  return success();
}

/// The C library's loop is better than that many operations.
LogicalResult KernelRaiser::checkCopied(Operation *op, int64_t count) {
  constexpr int64_t kMost = 256;
  if (count <= kMost)
    return success();
  return fail(op, "copies or fills " + Twine(count) +
                      " elements at once; expected at most " + Twine(kMost));
}

LogicalResult KernelRaiser::raiseFill(Operation *op, Value to, Value byte,
                                      int64_t bytes) {
  Place target = getPlace(to);
  if (!target.isAligned)
    return fail(op, "fills elements that may not be aligned");
  if (failed(checkElements(op, target, bytes)))
    return failure();
  APInt value;
  if (!matchPattern(byte, m_ConstantInt(&value)))
    return fail(op, "fills memory with a byte that is not a constant");
  Type element = getMemRefType(target.memref).getElementType();
  if (element.isInteger(1) && value.ugt(1))
    return fail(op, "fills bools with a byte that is neither 0 nor 1");
  int64_t size = pointers.getSize(element);
  if (failed(checkCopied(op, bytes / size)))
    return failure();
  Type integer = builder.getIntegerType(size * 8);
  Value pattern = arith::ConstantOp::create(
      builder, op->getLoc(),
      builder.getIntegerAttr(integer, APInt::getSplat(size * 8, value)));
  for (int64_t done = 0; done < bytes; done += size, target.bytes += size)
    if (failed(store(op, target, pattern)))
      return failure();
  return success();
}
