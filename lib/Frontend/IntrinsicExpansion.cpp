//===- IntrinsicExpansion.cpp - Calls in kernels as operations ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntrinsicExpansion.h"
#include "OP2/Analysis/MulAdd.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Constant;
using llvm::Type;
using llvm::Value;
using mlir::op2::MulAdd;

/// Powers of two are exact.
static Constant *getPowerOfTwo(Type *type, int exponent) {
  llvm::APFloat one(type->getFltSemantics(), 1);
  return llvm::ConstantFP::get(
      type, llvm::scalbn(one, exponent, llvm::APFloat::rmNearestTiesToEven));
}

/// What does not fit becomes the nearest integer, NaN becomes 0. The
/// conversion's own result counts only where it has one.
static Value *convertSaturating(Value *value, llvm::IntegerType *type,
                                llvm::IRBuilder<> &builder) {
  unsigned bits = type->getBitWidth();
  Constant *end = getPowerOfTwo(value->getType(), int(bits) - 1);
  Constant *begin = llvm::ConstantFP::get(
      value->getType(), -llvm::cast<llvm::ConstantFP>(end)->getValueAPF());
  Value *converted = builder.CreateFPToSI(value, type);
  converted = builder.CreateSelect(
      builder.CreateFCmpOGE(value, end),
      llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits)),
      converted);
  converted = builder.CreateSelect(
      builder.CreateFCmpOLE(value, begin),
      llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)),
      converted);
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              llvm::ConstantInt::get(type, 0), converted);
}

/// llvm.fptosi.sat.
static Value *expandSaturation(llvm::CallBase &call,
                               llvm::IRBuilder<> &builder) {
  Value *value = call.getArgOperand(0);
  auto *type = llvm::dyn_cast<llvm::IntegerType>(call.getType());
  return type && value->getType()->isFloatingPointTy()
             ? convertSaturating(value, type, builder)
             : nullptr;
}

/// lround: away from zero where two integers are as near. C leaves open what
/// becomes of numbers that do not fit: on x86 the least integer of 64 bits, of
/// which narrower results are a part.
static Value *expandRounding(llvm::CallBase &call, llvm::IRBuilder<> &builder) {
  constexpr unsigned kBits = 64;
  Value *value = call.getArgOperand(0);
  auto *type = llvm::dyn_cast<llvm::IntegerType>(call.getType());
  if (!type || type->getBitWidth() > kBits ||
      !value->getType()->isFloatingPointTy())
    return nullptr;
  Value *rounded = builder.CreateUnaryIntrinsic(llvm::Intrinsic::round, value);
  if (!call.getModule()->getTargetTriple().isX86())
    return convertSaturating(rounded, type, builder);
  llvm::IntegerType *wide = builder.getInt64Ty();
  Value *size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, rounded);
  Value *fits = builder.CreateFCmpOLT(
      size, getPowerOfTwo(value->getType(), int(kBits) - 1));
  Value *converted = builder.CreateSelect(
      fits, builder.CreateFPToSI(rounded, wide),
      llvm::ConstantInt::get(wide, llvm::APInt::getSignedMinValue(kBits)));
  return builder.CreateTrunc(converted, type);
}

/// llvm.powi: in the order in which compiler-rt's __powidf2 multiplies.
static Value *expandPower(llvm::CallBase &call, llvm::IRBuilder<> &builder) {
  constexpr int64_t kMost = 64;
  auto *exponent = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  if (!exponent || !call.getType()->isFloatingPointTy() ||
      exponent->getValue().abs().ugt(kMost))
    return nullptr;
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *square = call.getArgOperand(0);
  Value *result = nullptr;
  auto left = exponent->getValue().abs().getZExtValue();
  for (; left != 0; left /= 2) {
    if (left % 2)
      result = result ? builder.CreateFMul(result, square) : square;
    if (left > 1)
      square = builder.CreateFMul(square, square);
  }
  Constant *one = llvm::ConstantFP::get(call.getType(), 1);
  if (!result)
    return one;
  return exponent->isNegative() ? builder.CreateFDiv(one, result) : result;
}

/// Fortran's mod and modulo of reals, but for what they say of a divisor that
/// is zero. Source: flang-rt, lib/runtime/numeric.cpp, RealMod.
static Value *expandRemainder(llvm::CallBase &call, bool isModulo,
                              llvm::IRBuilder<> &builder) {
  Value *value = call.getArgOperand(0), *divisor = call.getArgOperand(1);
  builder.setFastMathFlags(call.getFastMathFlags());
  Type *type = call.getType();
  Constant *zero = llvm::ConstantFP::get(type, 0);
  Value *rest = builder.CreateFRem(value, divisor);
  // flang computes with integers where both are whole; these have no -0.
  Value *size = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, divisor);
  Value *isWhole = builder.CreateAnd(
      builder.CreateFCmpOEQ(
          builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, divisor),
          divisor),
      builder.CreateFCmpOLT(size, llvm::ConstantFP::get(type, 0x1p63)));
  Value *isNothing =
      builder.CreateAnd(builder.CreateFCmpOEQ(value, zero), isWhole);
  if (!isModulo)
    return builder.CreateSelect(isNothing,
                                llvm::ConstantFP::getNegativeZero(type), rest);
  Value *differ = builder.CreateXor(builder.CreateFCmpOLT(value, zero),
                                    builder.CreateFCmpOLT(divisor, zero));
  Value *moved = builder.CreateSelect(builder.CreateFCmpOEQ(rest, zero),
                                      builder.CreateFNeg(rest),
                                      builder.CreateFAdd(rest, divisor));
  Value *isEndless =
      builder.CreateFCmpOEQ(size, llvm::ConstantFP::getInfinity(type));
  return builder.CreateSelect(
      isNothing, builder.CreateCopySign(zero, divisor),
      builder.CreateSelect(isEndless, llvm::ConstantFP::getNaN(type),
                           builder.CreateSelect(differ, moved, rest)));
}

static Value *expand(llvm::CallBase &call) {
  llvm::IRBuilder<> builder(&call);
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fptosi_sat:
    return expandSaturation(call, builder);
  case llvm::Intrinsic::lround:
  case llvm::Intrinsic::llround:
    return expandRounding(call, builder);
  case llvm::Intrinsic::powi:
    return expandPower(call, builder);
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::expect_with_probability:
    return call.getArgOperand(0);
  default:
    break;
  }
  const llvm::Function *callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front("_FortranAMod") || !callee->isDeclaration())
    return nullptr;
  bool isModulo = name.consume_front("ulo");
  Type *type = name == "Real8"   ? builder.getDoubleTy()
               : name == "Real4" ? builder.getFloatTy()
                                 : nullptr;
  // Value, divisor; file and line for its message.
  if (!type || call.getType() != type || call.arg_size() != 4 ||
      call.getArgOperand(0)->getType() != type ||
      call.getArgOperand(1)->getType() != type)
    return nullptr;
  return expandRemainder(call, isModulo, builder);
}

/// llvm.modf, llvm.frexp and llvm.sincos as what the library has, which leaves
/// results in memory: LLVM's VectorCombine does not know of several results,
/// and x86 of frexp in vectors (22.1).
static Value *callForPair(llvm::CallInst &call) {
  std::string name;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::modf:
    name = "modf";
    break;
  case llvm::Intrinsic::frexp:
    name = "frexp";
    break;
  case llvm::Intrinsic::sincos:
    name = "sincos";
    break;
  default:
    return nullptr;
  }
  Type *type = call.getArgOperand(0)->getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  llvm::IRBuilder<> entry(
      &*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::IRBuilder<> builder(&call);
  Type *secondType =
      llvm::cast<llvm::StructType>(call.getType())->getElementType(1);
  Value *first = name == "sincos" ? entry.CreateAlloca(type) : nullptr;
  Value *second = entry.CreateAlloca(secondType);
  llvm::SmallVector<Value *> operands = {call.getArgOperand(0)};
  if (first)
    operands.push_back(first);
  operands.push_back(second);
  llvm::SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  Type *result = first ? builder.getVoidTy() : type;
  llvm::CallInst *made = builder.CreateCall(
      call.getModule()->getOrInsertFunction(
          name + (type->isFloatTy() ? "f" : ""),
          llvm::FunctionType::get(result, types, /*isVarArg=*/false)),
      operands);
  made->setDoesNotThrow();
  made->addFnAttr(llvm::Attribute::WillReturn);
  made->setOnlyAccessesArgMemory();
  // Not the intrinsic again.
  made->addFnAttr(llvm::Attribute::NoBuiltin);
  Value *pair = llvm::PoisonValue::get(call.getType());
  pair = builder.CreateInsertValue(
      pair,
      first ? static_cast<Value *>(builder.CreateLoad(type, first)) : made, 0);
  return builder.CreateInsertValue(pair, builder.CreateLoad(secondType, second),
                                   1);
}

/// Puts what `make` makes of calls in their place; null: they stay.
static void replaceCalls(llvm::Module &kernels,
                         llvm::function_ref<Value *(llvm::CallInst &)> make) {
  for (llvm::Function &function : kernels)
    for (llvm::Instruction &inst :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      Value *value = call ? make(*call) : nullptr;
      if (!value)
        continue;
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
}

void op2::frontend::callForPairs(llvm::Module &kernels) {
  replaceCalls(kernels, callForPair);
}

void op2::frontend::expandIntrinsics(llvm::Module &kernels) {
  replaceCalls(kernels, [](llvm::CallInst &call) { return expand(call); });
}

/// A comparison for each case, in blocks behind each other.
static void expandSwitch(llvm::SwitchInst &choice) {
  llvm::BasicBlock *from = choice.getParent();
  llvm::IRBuilder<> builder(&choice);
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>> edges;
  for (auto wanted : choice.cases()) {
    llvm::BasicBlock *here = builder.GetInsertBlock();
    llvm::BasicBlock *next =
        llvm::BasicBlock::Create(from->getContext(), "", from->getParent());
    builder.CreateCondBr(
        builder.CreateICmpEQ(choice.getCondition(), wanted.getCaseValue()),
        wanted.getCaseSuccessor(), next);
    edges.push_back({here, wanted.getCaseSuccessor()});
    builder.SetInsertPoint(next);
  }
  edges.push_back({builder.GetInsertBlock(), choice.getDefaultDest()});
  builder.CreateBr(choice.getDefaultDest());
  llvm::DenseMap<llvm::PHINode *, Value *> values;
  for (llvm::BasicBlock *successor : llvm::successors(&choice))
    for (llvm::PHINode &phi : successor->phis()) {
      values.try_emplace(&phi, phi.getIncomingValueForBlock(from));
      phi.removeIncomingValue(from, /*DeletePHIIfEmpty=*/false);
    }
  for (auto [block, successor] : edges)
    for (llvm::PHINode &phi : successor->phis())
      phi.addIncoming(values.lookup(&phi), block);
  choice.eraseFromParent();
}

void op2::frontend::expandWideSwitches(llvm::Module &kernels) {
  constexpr unsigned kMostBits = 64;
  llvm::SmallVector<llvm::SwitchInst *> wide;
  for (llvm::Function &function : kernels)
    for (llvm::BasicBlock &block : function)
      if (auto *choice =
              llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator());
          choice &&
          choice->getCondition()->getType()->getIntegerBitWidth() > kMostBits)
        wide.push_back(choice);
  for (llvm::SwitchInst *choice : wide)
    expandSwitch(*choice);
}

void op2::frontend::keepOwnFunctions(llvm::Function &function) {
  bool areAllOwn = function.hasFnAttribute("no-builtins");
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isIntrinsic() &&
        (areAllOwn ||
         function.hasFnAttribute(("no-builtin-" + callee->getName()).str())))
      call->addFnAttr(llvm::Attribute::NoBuiltin);
  }
}

static MulAdd getMulAdd(const llvm::Function &function, const Type &type) {
  llvm::SmallVector<llvm::StringRef> features;
  function.getFnAttribute("target-features")
      .getValueAsString()
      .split(features, ',');
  return mlir::op2::getMulAdd(
      function.getParent()->getTargetTriple(),
      [&](llvm::StringRef feature) {
        return llvm::is_contained(features, feature);
      },
      type.getScalarType()->getFltSemantics());
}

/// Rounded once, or twice.
static Value *expandMulAdd(llvm::CallInst &call, llvm::IRBuilder<> &builder) {
  MulAdd mulAdd = getMulAdd(*call.getFunction(), *call.getType());
  if (mulAdd == MulAdd::Unknown)
    return nullptr;
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1),
        *c = call.getArgOperand(2);
  return mulAdd == MulAdd::Fused
             ? builder.CreateIntrinsic(llvm::Intrinsic::fma, {call.getType()},
                                       {a, b, c})
             : builder.CreateFAdd(builder.CreateFMul(a, b), c);
}

/// The other one if one is a NaN, the first one of two zeros: what LLVM does
/// where it knows nothing of them.
static Value *expandExtreme(llvm::CallInst &call, llvm::IRBuilder<> &builder) {
  // Clang's calls do not mind which zero it is.
  llvm::FastMathFlags flags = call.getFastMathFlags();
  flags.setNoSignedZeros(false);
  builder.setFastMathFlags(flags);
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  Value *isBetter = call.getIntrinsicID() == llvm::Intrinsic::minnum
                        ? builder.CreateFCmpOLT(b, a)
                        : builder.CreateFCmpOGT(b, a);
  return builder.CreateSelect(builder.CreateFCmpUNO(a, a), b,
                              builder.CreateSelect(isBetter, b, a));
}

void op2::frontend::fixResults(llvm::Module &module) {
  replaceCalls(module, [](llvm::CallInst &call) -> Value * {
    llvm::IRBuilder<> builder(&call);
    if (llvm::isa<llvm::FPMathOperator>(call))
      builder.setFastMathFlags(call.getFastMathFlags());
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fmuladd:
      return expandMulAdd(call, builder);
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
      return expandExtreme(call, builder);
    case llvm::Intrinsic::powi:
      return expandPower(call, builder);
    default:
      return nullptr;
    }
  });
}
