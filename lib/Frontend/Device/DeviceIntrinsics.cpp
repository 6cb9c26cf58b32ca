//===- DeviceIntrinsics.cpp - LLVM's intrinsics on a GPU -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceIntrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace op2::frontend;
using llvm::Type;
using llvm::Value;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

//===----------------------------------------------------------------------===//
// Functions of math.h
//===----------------------------------------------------------------------===//

namespace {
/// A function of math.h whose first parameter is the value.
struct MathFunction {
  const char *name = nullptr; ///< for double; "f" is added for float
  /// Results come back through pointers, after `numDirect` by value.
  unsigned numResults = 1, numDirect = 1;
};
} // namespace

static MathFunction getFunction(const llvm::Instruction &inst) {
  if (inst.getOpcode() == llvm::Instruction::FRem)
    return {"fmod"};
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  switch (call ? call->getIntrinsicID() : ID(Intrinsic::not_intrinsic)) {
  case Intrinsic::ldexp:
    return {"ldexp"};
  // long has 64 bits on the host.
  case Intrinsic::lround:
  case Intrinsic::llround:
    return {"llround"};
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return {"llrint"};
  case Intrinsic::modf:
    return {"modf", 2, 1};
  case Intrinsic::frexp:
    return {"frexp", 2, 1};
  case Intrinsic::sincos:
    return {"sincos", 2, 0};
  case Intrinsic::sincospi:
    return {"sincospi", 2, 0};
  default:
    return {};
  }
}

static bool isFloatOrDouble(const Type *type) {
  return type->isFloatTy() || type->isDoubleTy();
}

namespace {
/// Replaces one instruction by a call.
class MathCaller {
public:
  MathCaller(llvm::Instruction &inst, MathFunction function)
      : inst(inst), function(function), builder(&inst) {}

  void run() {
    std::vector<Value *> arguments;
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    for (llvm::Use &use : call ? call->args() : inst.operands())
      arguments.push_back(use.get());
    if (inst.getType()->isIntegerTy() && !inst.getType()->isIntegerTy(64))
      return;
    Value *result = function.numResults == 1
                        ? createCall(inst.getType(), arguments)
                        : createStructCall(arguments);
    inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
  }

private:
  Value *createCall(Type *result, llvm::ArrayRef<Value *> arguments) {
    std::vector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    std::string name = function.name;
    if (types.front()->isFloatTy())
      name += 'f';
    llvm::FunctionCallee callee = inst.getModule()->getOrInsertFunction(
        name, llvm::FunctionType::get(result, types, /*isVarArg=*/false));
    llvm::CallInst *call = builder.CreateCall(callee, arguments);
    if (llvm::isa<llvm::FPMathOperator>(call) &&
        llvm::isa<llvm::FPMathOperator>(inst))
      call->copyFastMathFlags(&inst);
    return call;
  }

  /// The results as the struct that the intrinsic has.
  Value *createStructCall(std::vector<Value *> arguments) {
    auto *type = llvm::cast<llvm::StructType>(inst.getType());
    llvm::BasicBlock &entry = inst.getFunction()->getEntryBlock();
    llvm::IRBuilder<> atEntry(&entry, entry.begin());
    std::vector<Value *> places;
    for (unsigned n = function.numDirect; n < function.numResults; ++n)
      places.push_back(atEntry.CreateAlloca(type->getElementType(n)));
    llvm::append_range(arguments, places);
    Value *direct = createCall(function.numDirect ? type->getElementType(0)
                                                  : builder.getVoidTy(),
                               arguments);
    Value *result = llvm::PoisonValue::get(type);
    for (unsigned n = 0; n < function.numResults; ++n) {
      Value *part = direct;
      if (n >= function.numDirect)
        part = builder.CreateLoad(type->getElementType(n),
                                  places[n - function.numDirect]);
      result = builder.CreateInsertValue(result, part, n);
    }
    return result;
  }

  llvm::Instruction &inst;
  MathFunction function;
  llvm::IRBuilder<> builder;
};
} // namespace

void op2::frontend::callMathFunctions(llvm::Module &device) {
  for (llvm::Function &function : device)
    for (llvm::Instruction &inst :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      MathFunction known = getFunction(inst);
      if (known.name && isFloatOrDouble(inst.getOperand(0)->getType()))
        MathCaller(inst, known).run();
    }
}

//===----------------------------------------------------------------------===//
// Intrinsics of the backend
//===----------------------------------------------------------------------===//

/// Instructions, or expanded by the backend, for scalars and vectors.
static bool isSelectable(ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::assume:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::expect:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::is_fpclass:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::maxnum:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::roundeven:
  case Intrinsic::sadd_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::scmp:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::sqrt:
  case Intrinsic::ssub_sat:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::trap:
  case Intrinsic::trunc:
  case Intrinsic::uadd_sat:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ubsantrap:
  case Intrinsic::ucmp:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::usub_sat:
  case Intrinsic::usub_with_overflow:
    return true;
  default:
    return false;
  }
}

/// Functions of libdevice, for float and double.
static bool isInLibdevice(ID id) {
  switch (id) {
  case Intrinsic::acos:
  case Intrinsic::asin:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::cos:
  case Intrinsic::cosh:
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::log2:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::round:
  case Intrinsic::sin:
  case Intrinsic::sinh:
  case Intrinsic::tan:
  case Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}

bool op2::frontend::hasDeviceIntrinsic(const llvm::IntrinsicInst &call) {
  ID id = call.getIntrinsicID();
  return isSelectable(id) ||
         (isInLibdevice(id) && isFloatOrDouble(call.getType()));
}
