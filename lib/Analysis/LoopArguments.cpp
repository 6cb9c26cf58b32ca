//===- LoopArguments.cpp - Properties of the arguments of a loop ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Dialect/Ranges.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::op2;

std::string op2::describeArg(ParLoopOp loop, unsigned number) {
  return ("argument " + Twine(number) + " of '" + loop.getLabel() + "'").str();
}

std::optional<std::string> op2::findKindObstacle(const LoopArg &arg) {
  if (arg.attr.getIsOptional())
    return "is optional";
  if (!arg.isGlobal())
    return std::nullopt;
  if (arg.getAccess() == Access::Work)
    return "is scratch memory";
  if (arg.isMerged())
    return "is reduced by a function of the program";
  if (isChanged(arg) && !arg.isInfo() && !arg.attr.isReduction())
    return "is a global that is written";
  return std::nullopt;
}

bool op2::isExactReduction(ArrayRef<LoopArg> args, unsigned number) {
  const LoopArg &arg = args[number];
  if (!arg.isGlobal() || !arg.attr.isReduction() || arg.isInfo() ||
      arg.isMerged())
    return false;
  bool isFloat = isa<FloatType>(arg.getElementType());
  if (arg.getAccess() == Access::Inc)
    return !isFloat || arg.isExactSum();
  return (!isFloat || arg.getDim() <= LoopArg::kMostExactComponents) &&
         llvm::none_of(args, [&](const LoopArg &other) {
           return other.isInfo() && other.attr.getSlot() == int64_t(number);
         });
}

bool op2::reducesInOrder(ArrayRef<LoopArg> args) {
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.isGlobal() && arg.attr.isReduction() &&
        !isExactReduction(args, number))
      return true;
  return false;
}

bool op2::isExactExtremum(ArrayRef<LoopArg> args, unsigned number) {
  const LoopArg &arg = args[number];
  return arg.getAccess() != Access::Inc &&
         arg.getDim() <= LoopArg::kMostExactComponents &&
         isExactReduction(args, number);
}

/// Memory that nothing else can name.
static bool isOwnMemory(Value value) {
  return value.getDefiningOp<DeclDatOp>() ||
         value.getDefiningOp<memref::AllocOp>() ||
         value.getDefiningOp<memref::AllocaOp>();
}

bool op2::areDifferent(Value a, Value b, bool isPromised) {
  return a != b && (isPromised || (isOwnMemory(a) && isOwnMemory(b)));
}

unsigned op2::getFirstOperand(ArrayRef<LoopArg> args, unsigned number) {
  unsigned operand = 0;
  for (const LoopArg &arg : args.take_front(number))
    operand += arg.getNumOperands();
  return operand;
}

int64_t op2::countPrivateBytes(ArrayRef<LoopArg> args,
                               function_ref<bool(const LoopArg &)> isPrivate) {
  uint64_t bytes = 0;
  for (const LoopArg &arg : args) {
    if (!isPrivate(arg) || ShapedType::isDynamic(arg.getDim()))
      continue;
    uint64_t rows = arg.attr.getCount();
    uint64_t width = (arg.getElementType().getIntOrFloatBitWidth() + 7) / 8;
    bytes = llvm::SaturatingAdd(
        bytes, llvm::SaturatingMultiply(rows * width, uint64_t(arg.getDim())));
  }
  return int64_t(
      std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max()));
}

bool op2::mayBeOneDat(const LoopArg &arg, const LoopArg &other) {
  // A dim of run time may be any.
  bool hasAnyDim = ShapedType::isDynamic(arg.getDim()) ||
                   ShapedType::isDynamic(other.getDim());
  return arg.isDat() && other.isDat() &&
         other.getElementType() == arg.getElementType() &&
         (hasAnyDim || other.getDim() == arg.getDim());
}

bool op2::isAddedElsewhere(ArrayRef<LoopArg> args, const LoopArg &arg) {
  return arg.isDat() && !arg.isIndirect() && arg.getAccess() == Access::Inc &&
         llvm::any_of(args, [&](const LoopArg &other) {
           return isConflict(other) && mayBeOneDat(arg, other);
         });
}

bool op2::fitPrivateIncrements(ArrayRef<LoopArg> args) {
  bool areSums = llvm::none_of(args, [](const LoopArg &arg) {
    return isConflict(arg) && (arg.getAccess() != Access::Inc ||
                               ShapedType::isDynamic(arg.getDim()));
  });
  return areSums && countPrivateBytes(args, isConflict) <= kMaxPrivateBytes;
}

bool op2::hasSharedIncrements(ArrayRef<LoopArg> args, const LoopArg &arg) {
  return isConflict(arg) && !ShapedType::isDynamic(arg.getDim()) &&
         countPrivateBytes(args, isConflict) <= kUsualSharedBytes;
}
