//===- RaiseScalars.cpp - Scalar LLVM ops as arith and math ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op becomes one whose lowering to LLVM is the op it was: results do not
// change in a single bit.
//
//===----------------------------------------------------------------------===//

#include "RaiseScalars.h"
#include "OP2/Analysis/MulAdd.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::op2;

static_assert(int(LLVM::ICmpPredicate::eq) == int(arith::CmpIPredicate::eq) &&
              int(LLVM::ICmpPredicate::slt) == int(arith::CmpIPredicate::slt) &&
              int(LLVM::ICmpPredicate::ult) == int(arith::CmpIPredicate::ult) &&
              int(LLVM::ICmpPredicate::uge) == int(arith::CmpIPredicate::uge));
static_assert(int(LLVM::FCmpPredicate::oeq) == int(arith::CmpFPredicate::OEQ) &&
              int(LLVM::FCmpPredicate::ord) == int(arith::CmpFPredicate::ORD) &&
              int(LLVM::FCmpPredicate::ueq) == int(arith::CmpFPredicate::UEQ) &&
              int(LLVM::FCmpPredicate::_true) ==
                  int(arith::CmpFPredicate::AlwaysTrue));

static MulAdd findMulAdd(LLVM::LLVMFuncOp function, FloatType type) {
  auto text = function->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getTargetTripleAttrName());
  auto features = function.getTargetFeaturesAttr();
  return getMulAdd(
      llvm::Triple(text ? text.getValue() : ""),
      [&](StringRef feature) { return features && features.contains(feature); },
      type.getFloatSemantics());
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

static arith::FastMathFlags convertFlags(LLVM::FastmathFlags flags) {
  using From = LLVM::FastmathFlags;
  using To = arith::FastMathFlags;
  static constexpr std::pair<From, To> pairs[] = {
      {From::nnan, To::nnan},      {From::ninf, To::ninf},
      {From::nsz, To::nsz},        {From::arcp, To::arcp},
      {From::afn, To::afn},        {From::contract, To::contract},
      {From::reassoc, To::reassoc}};
  To result = To::none;
  for (auto [from, to] : pairs)
    if (bitEnumContainsAll(flags, from))
      result = result | to;
  return result;
}

static void addFastMath(Operation *op, OperationState &state) {
  auto iface = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  if (!iface || !iface.getFastmathAttr())
    return;
  state.addAttribute(
      "fastmath",
      arith::FastMathFlagsAttr::get(
          op->getContext(), convertFlags(iface.getFastmathAttr().getValue())));
}

static void addOverflow(Operation *op, OperationState &state) {
  auto iface = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
  if (!iface)
    return;
  auto flags = arith::IntegerOverflowFlags::none;
  if (iface.hasNoSignedWrap())
    flags = flags | arith::IntegerOverflowFlags::nsw;
  if (iface.hasNoUnsignedWrap())
    flags = flags | arith::IntegerOverflowFlags::nuw;
  state.addAttribute("overflowFlags", arith::IntegerOverflowFlagsAttr::get(
                                          op->getContext(), flags));
}

//===----------------------------------------------------------------------===//
// One op for one op
//===----------------------------------------------------------------------===//

namespace {
using RaiseFn = Value (*)(OpBuilder &, Operation *, ValueRange);
} // namespace

template <typename To>
static Value raisePlain(OpBuilder &builder, Operation *op,
                        ValueRange operands) {
  OperationState state(op->getLoc(), To::getOperationName(), operands,
                       op->getResultTypes());
  return builder.create(state)->getResult(0);
}

/// LLVM adds so where no bit is set on both sides.
static Value raiseOr(OpBuilder &builder, Operation *op, ValueRange operands) {
  return cast<LLVM::OrOp>(op).getIsDisjoint()
             ? raisePlain<arith::AddIOp>(builder, op, operands)
             : raisePlain<arith::OrIOp>(builder, op, operands);
}

template <typename To>
static Value raiseFloat(OpBuilder &builder, Operation *op,
                        ValueRange operands) {
  OperationState state(op->getLoc(), To::getOperationName(), operands,
                       op->getResultTypes());
  addFastMath(op, state);
  return builder.create(state)->getResult(0);
}

template <typename To>
static Value raiseInteger(OpBuilder &builder, Operation *op,
                          ValueRange operands) {
  OperationState state(op->getLoc(), To::getOperationName(), operands,
                       op->getResultTypes());
  addOverflow(op, state);
  return builder.create(state)->getResult(0);
}

static Value raiseICmp(OpBuilder &builder, Operation *op, ValueRange operands) {
  auto predicate = arith::CmpIPredicate(cast<LLVM::ICmpOp>(op).getPredicate());
  return arith::CmpIOp::create(builder, op->getLoc(), predicate, operands[0],
                               operands[1]);
}

static Value raiseFCmp(OpBuilder &builder, Operation *op, ValueRange operands) {
  auto compare = cast<LLVM::FCmpOp>(op);
  return arith::CmpFOp::create(
      builder, op->getLoc(), arith::CmpFPredicate(compare.getPredicate()),
      operands[0], operands[1], convertFlags(compare.getFastmathFlags()));
}

static Value raiseConstant(OpBuilder &builder, Operation *op, ValueRange) {
  auto value = dyn_cast<TypedAttr>(cast<LLVM::ConstantOp>(op).getValue());
  if (!value || value.getType() != op->getResult(0).getType())
    return {};
  return arith::ConstantOp::create(builder, op->getLoc(), value);
}

/// Any value will do for what is undefined, but it is one value, which poison
/// is not.
static Value raiseZero(OpBuilder &builder, Operation *op, ValueRange) {
  return arith::ConstantOp::create(
      builder, op->getLoc(), builder.getZeroAttr(op->getResult(0).getType()));
}

static Value raiseIsFPClass(OpBuilder &builder, Operation *op,
                            ValueRange operands) {
  // Bits of llvm.is.fpclass: signalling and quiet NaN; all that is finite.
  switch (cast<LLVM::IsFPClass>(op).getBit()) {
  case 0x3:
    return math::IsNaNOp::create(builder, op->getLoc(), operands[0]);
  case 0x1f8:
    return math::IsFiniteOp::create(builder, op->getLoc(), operands[0]);
  default:
    return {};
  }
}

/// Filled in parts, to keep functions small.
static void addArith(llvm::StringMap<RaiseFn> &table) {
  table[LLVM::FAddOp::getOperationName()] = raiseFloat<arith::AddFOp>;
  table[LLVM::FSubOp::getOperationName()] = raiseFloat<arith::SubFOp>;
  table[LLVM::FMulOp::getOperationName()] = raiseFloat<arith::MulFOp>;
  table[LLVM::FDivOp::getOperationName()] = raiseFloat<arith::DivFOp>;
  table[LLVM::FRemOp::getOperationName()] = raiseFloat<arith::RemFOp>;
  table[LLVM::FNegOp::getOperationName()] = raiseFloat<arith::NegFOp>;
  table[LLVM::FCmpOp::getOperationName()] = raiseFCmp;
  table[LLVM::AddOp::getOperationName()] = raiseInteger<arith::AddIOp>;
  table[LLVM::SubOp::getOperationName()] = raiseInteger<arith::SubIOp>;
  table[LLVM::MulOp::getOperationName()] = raiseInteger<arith::MulIOp>;
  table[LLVM::ShlOp::getOperationName()] = raiseInteger<arith::ShLIOp>;
  table[LLVM::SDivOp::getOperationName()] = raisePlain<arith::DivSIOp>;
  table[LLVM::UDivOp::getOperationName()] = raisePlain<arith::DivUIOp>;
  table[LLVM::SRemOp::getOperationName()] = raisePlain<arith::RemSIOp>;
  table[LLVM::URemOp::getOperationName()] = raisePlain<arith::RemUIOp>;
  table[LLVM::AShrOp::getOperationName()] = raisePlain<arith::ShRSIOp>;
  table[LLVM::LShrOp::getOperationName()] = raisePlain<arith::ShRUIOp>;
  table[LLVM::AndOp::getOperationName()] = raisePlain<arith::AndIOp>;
  table[LLVM::OrOp::getOperationName()] = raiseOr;
  table[LLVM::XOrOp::getOperationName()] = raisePlain<arith::XOrIOp>;
  table[LLVM::ICmpOp::getOperationName()] = raiseICmp;
  table[LLVM::SelectOp::getOperationName()] = raisePlain<arith::SelectOp>;
  table[LLVM::ConstantOp::getOperationName()] = raiseConstant;
  table[LLVM::ZeroOp::getOperationName()] = raiseZero;
  table[LLVM::UndefOp::getOperationName()] = raiseZero;
  table[LLVM::PoisonOp::getOperationName()] = raisePlain<ub::PoisonOp>;
}

static void addConversions(llvm::StringMap<RaiseFn> &table) {
  table[LLVM::SExtOp::getOperationName()] = raisePlain<arith::ExtSIOp>;
  table[LLVM::ZExtOp::getOperationName()] = raisePlain<arith::ExtUIOp>;
  table[LLVM::TruncOp::getOperationName()] = raiseInteger<arith::TruncIOp>;
  table[LLVM::FPExtOp::getOperationName()] = raiseFloat<arith::ExtFOp>;
  table[LLVM::FPTruncOp::getOperationName()] = raiseFloat<arith::TruncFOp>;
  table[LLVM::SIToFPOp::getOperationName()] = raisePlain<arith::SIToFPOp>;
  table[LLVM::UIToFPOp::getOperationName()] = raisePlain<arith::UIToFPOp>;
  table[LLVM::FPToSIOp::getOperationName()] = raisePlain<arith::FPToSIOp>;
  table[LLVM::FPToUIOp::getOperationName()] = raisePlain<arith::FPToUIOp>;
  table[LLVM::BitcastOp::getOperationName()] = raisePlain<arith::BitcastOp>;
}

static void addIntrinsics(llvm::StringMap<RaiseFn> &table) {
  table[LLVM::FAbsOp::getOperationName()] = raiseFloat<math::AbsFOp>;
  table[LLVM::SqrtOp::getOperationName()] = raiseFloat<math::SqrtOp>;
  table[LLVM::ExpOp::getOperationName()] = raiseFloat<math::ExpOp>;
  table[LLVM::Exp2Op::getOperationName()] = raiseFloat<math::Exp2Op>;
  table[LLVM::LogOp::getOperationName()] = raiseFloat<math::LogOp>;
  table[LLVM::Log2Op::getOperationName()] = raiseFloat<math::Log2Op>;
  table[LLVM::Log10Op::getOperationName()] = raiseFloat<math::Log10Op>;
  table[LLVM::PowOp::getOperationName()] = raiseFloat<math::PowFOp>;
  table[LLVM::SinOp::getOperationName()] = raiseFloat<math::SinOp>;
  table[LLVM::CosOp::getOperationName()] = raiseFloat<math::CosOp>;
  table[LLVM::TanOp::getOperationName()] = raiseFloat<math::TanOp>;
  table[LLVM::ASinOp::getOperationName()] = raiseFloat<math::AsinOp>;
  table[LLVM::ACosOp::getOperationName()] = raiseFloat<math::AcosOp>;
  table[LLVM::ATanOp::getOperationName()] = raiseFloat<math::AtanOp>;
  table[LLVM::ATan2Op::getOperationName()] = raiseFloat<math::Atan2Op>;
  table[LLVM::SinhOp::getOperationName()] = raiseFloat<math::SinhOp>;
  table[LLVM::CoshOp::getOperationName()] = raiseFloat<math::CoshOp>;
  table[LLVM::TanhOp::getOperationName()] = raiseFloat<math::TanhOp>;
  table[LLVM::FFloorOp::getOperationName()] = raiseFloat<math::FloorOp>;
  table[LLVM::FCeilOp::getOperationName()] = raiseFloat<math::CeilOp>;
  table[LLVM::FTruncOp::getOperationName()] = raiseFloat<math::TruncOp>;
  table[LLVM::RoundOp::getOperationName()] = raiseFloat<math::RoundOp>;
  table[LLVM::RoundEvenOp::getOperationName()] = raiseFloat<math::RoundEvenOp>;
  table[LLVM::CopySignOp::getOperationName()] = raiseFloat<math::CopySignOp>;
  table[LLVM::FMAOp::getOperationName()] = raiseFloat<math::FmaOp>;
  table[LLVM::MaxNumOp::getOperationName()] = raiseFloat<arith::MaxNumFOp>;
  table[LLVM::MinNumOp::getOperationName()] = raiseFloat<arith::MinNumFOp>;
  table[LLVM::MaximumOp::getOperationName()] = raiseFloat<arith::MaximumFOp>;
  table[LLVM::MinimumOp::getOperationName()] = raiseFloat<arith::MinimumFOp>;
  table[LLVM::SMaxOp::getOperationName()] = raisePlain<arith::MaxSIOp>;
  table[LLVM::SMinOp::getOperationName()] = raisePlain<arith::MinSIOp>;
  table[LLVM::UMaxOp::getOperationName()] = raisePlain<arith::MaxUIOp>;
  table[LLVM::UMinOp::getOperationName()] = raisePlain<arith::MinUIOp>;
  table[LLVM::AbsOp::getOperationName()] = raisePlain<math::AbsIOp>;
  table[LLVM::IsFPClass::getOperationName()] = raiseIsFPClass;
}

static const llvm::StringMap<RaiseFn> &getScalarOps() {
  static const llvm::StringMap<RaiseFn> table = [] {
    llvm::StringMap<RaiseFn> result;
    addArith(result);
    addConversions(result);
    addIntrinsics(result);
    return result;
  }();
  return table;
}

/// A product that is added, as the target does it.
static Value raiseMulAdd(OpBuilder &builder, LLVM::FMulAddOp op,
                         ValueRange operands, MulAdd mulAdd) {
  if (mulAdd == MulAdd::Fused)
    return raiseFloat<math::FmaOp>(builder, op, operands);
  auto flags = arith::FastMathFlagsAttr::get(
      op.getContext(), convertFlags(op.getFastmathFlags()));
  Value product = arith::MulFOp::create(builder, op.getLoc(), operands[0],
                                        operands[1], flags);
  return arith::AddFOp::create(builder, op.getLoc(), product, operands[2],
                               flags);
}

static bool isScalar(Type type) { return type.isSignlessIntOrFloat(); }

/// Pure ops on scalars that arith and math do not have.
static Value keepScalar(OpBuilder &builder, Operation *op,
                        ValueRange operands) {
  // Constrained intrinsics mean something in strictfp functions only.
  if (!isa<LLVM::LLVMDialect>(op->getDialect()) || !isPure(op) ||
      op->getName().getStringRef().starts_with("llvm.intr.experimental."))
    return {};
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  return copy->getResult(0);
}

Value op2::raiseScalar(OpBuilder &builder, Operation *op, ValueRange operands) {
  if (op->getNumResults() != 1 ||
      !llvm::all_of(op->getResultTypes(), isScalar) ||
      !llvm::all_of(op->getOperandTypes(), isScalar))
    return {};
  if (auto multiplyAdd = dyn_cast<LLVM::FMulAddOp>(op)) {
    MulAdd mulAdd = findMulAdd(op->getParentOfType<LLVM::LLVMFuncOp>(),
                               cast<FloatType>(multiplyAdd.getType()));
    if (mulAdd != MulAdd::Unknown)
      return raiseMulAdd(builder, multiplyAdd, operands, mulAdd);
  }
  if (RaiseFn raise = getScalarOps().lookup(op->getName().getStringRef()))
    if (Value value = raise(builder, op, operands))
      return value;
  return keepScalar(builder, op, operands);
}

//===----------------------------------------------------------------------===//
// The C library
//===----------------------------------------------------------------------===//

static const llvm::StringMap<RaiseFn> &getMathFunctions() {
  static const llvm::StringMap<RaiseFn> table = {
      {"sqrt", raiseFloat<math::SqrtOp>},
      {"fabs", raiseFloat<math::AbsFOp>},
      {"exp", raiseFloat<math::ExpOp>},
      {"exp2", raiseFloat<math::Exp2Op>},
      {"log", raiseFloat<math::LogOp>},
      {"log2", raiseFloat<math::Log2Op>},
      {"log10", raiseFloat<math::Log10Op>},
      {"pow", raiseFloat<math::PowFOp>},
      {"sin", raiseFloat<math::SinOp>},
      {"cos", raiseFloat<math::CosOp>},
      {"tan", raiseFloat<math::TanOp>},
      {"asin", raiseFloat<math::AsinOp>},
      {"acos", raiseFloat<math::AcosOp>},
      {"atan", raiseFloat<math::AtanOp>},
      {"atan2", raiseFloat<math::Atan2Op>},
      {"sinh", raiseFloat<math::SinhOp>},
      {"cosh", raiseFloat<math::CoshOp>},
      {"tanh", raiseFloat<math::TanhOp>},
      {"asinh", raiseFloat<math::AsinhOp>},
      {"acosh", raiseFloat<math::AcoshOp>},
      {"atanh", raiseFloat<math::AtanhOp>},
      {"cbrt", raiseFloat<math::CbrtOp>},
      {"erf", raiseFloat<math::ErfOp>},
      {"erfc", raiseFloat<math::ErfcOp>},
      {"expm1", raiseFloat<math::ExpM1Op>},
      {"log1p", raiseFloat<math::Log1pOp>},
      {"floor", raiseFloat<math::FloorOp>},
      {"ceil", raiseFloat<math::CeilOp>},
      {"trunc", raiseFloat<math::TruncOp>},
      {"round", raiseFloat<math::RoundOp>},
      {"copysign", raiseFloat<math::CopySignOp>},
      {"fma", raiseFloat<math::FmaOp>},
      {"fmax", raiseFloat<arith::MaxNumFOp>},
      {"fmin", raiseFloat<arith::MinNumFOp>}};
  return table;
}

/// Functions without an op: the call stays.
static bool isKeptFunction(StringRef name) {
  return llvm::is_contained({"exp10", "fdim", "fmod", "hypot", "nearbyint",
                             "remainder", "rint", "tgamma"},
                            name);
}

/// With -fno-builtin a function is the program's own, whatever it is called.
static bool isOwnFunction(StringRef name, LLVM::LLVMFuncOp caller) {
  ArrayAttr attributes = caller.getPassthroughAttr();
  std::string own = ("no-builtin-" + name).str();
  return attributes && llvm::any_of(attributes, [&](Attribute entry) {
           auto pair = dyn_cast<ArrayAttr>(entry);
           auto key =
               dyn_cast<StringAttr>(pair && !pair.empty() ? pair[0] : entry);
           return key && (key == "no-builtins" || key == own);
         });
}

Value op2::raiseMathCall(OpBuilder &builder, LLVM::CallOp call,
                         ValueRange operands) {
  auto name = call.getCallee();
  if (call->getNumOperands() == 0)
    return {};
  Type type = call->getNumResults() == 1 ? call.getResult().getType() : Type();
  if (!name || !type || !(type.isF64() || type.isF32()) ||
      !llvm::all_equal(call->getOperandTypes()) ||
      call->getOperand(0).getType() != type)
    return {};
  auto function = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      call, call.getCalleeAttr());
  if (!function || !function.isExternal() ||
      isOwnFunction(*name, call->getParentOfType<LLVM::LLVMFuncOp>()))
    return {};
  StringRef plain = *name;
  if (type.isF32() && !plain.consume_back("f"))
    return {};
  if (RaiseFn raise = getMathFunctions().lookup(plain))
    return raise(builder, call, operands);
  if (!isKeptFunction(plain))
    return {};
  Operation *copy = builder.clone(*call);
  copy->setOperands(operands);
  copy->setAttr(kMathCallAttr, builder.getUnitAttr());
  return copy->getResult(0);
}
