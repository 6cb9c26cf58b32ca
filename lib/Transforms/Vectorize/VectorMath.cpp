//===- VectorMath.cpp - Functions of several numbers at once --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those of the vector function ABI of x86-64: _ZGV, a letter for
// the registers (b: 128 bits, d: 256, e: 512), N for "no mask", the number of
// lanes, a v for each argument, and the C library's name. LLVM's own table of
// libmvec stops at 256 bits and at functions of 2015, so it is of no use here.
//
//===----------------------------------------------------------------------===//

#include "LaneRows.h"
#include "OP2/Dialect/OP2Dialect.h"
#include "OP2/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2VECTORMATHPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// What C calls the function that an operation is, if libmvec has it: that of
/// glibc 2.35, of 2022. Empty otherwise.
static StringRef getFunctionName(Operation *op) {
  static const llvm::StringSet<> known = {
      "acos",  "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
      "cos",   "cosh",  "erf",  "erfc",  "exp",  "exp2",  "log",   "log10",
      "log1p", "log2",  "pow",  "sin",   "sinh", "tan",   "tanh",  "expm1"};
  if (!isa<math::MathDialect>(op->getDialect()))
    return {};
  StringRef name = op->getName().stripDialect();
  if (name == "powf")
    name = "pow";
  return known.contains(name) ? name : StringRef();
}

namespace {
struct VectorMathPass
    : public op2::impl::OP2VectorMathPassBase<VectorMathPass> {
  using OP2VectorMathPassBase::OP2VectorMathPassBase;

  void runOnOperation() override {
    vectorBits = MachineAttr::of(getOperation()).getVectorMathBits();
    if (vectorBits == 0)
      return;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() == 1 &&
          isa<VectorType>(op->getResult(0).getType()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (StringRef name = getFunctionName(op); !name.empty())
        replace(op, name);
  }

private:
  void replace(Operation *op, StringRef name);
  int64_t vectorBits; ///< size of libmvec's registers
  LLVM::LLVMFuncOp getFunction(StringRef name, VectorType type, size_t arity);
};
} // namespace

/// Declares the function of vectors of `type`; all of its parameters are such.
LLVM::LLVMFuncOp VectorMathPass::getFunction(StringRef name, VectorType type,
                                             size_t arity) {
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  std::string symbol = "_ZGV";
  symbol += bits == 128 ? 'b' : bits == 256 ? 'd' : 'e';
  symbol += "N" + std::to_string(type.getNumElements()) +
            std::string(arity, 'v') + "_" + name.str() +
            (type.getElementType().isF32() ? "f" : "");
  ModuleOp module = getOperation();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return known;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), symbol,
      LLVM::LLVMFunctionType::get(type, SmallVector<Type>(arity, type)));
  auto none = LLVM::ModRefInfo::NoModRef;
  function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      builder.getContext(), {none, none, none, none, none, none}));
  function.setNoUnwind(true);
  function.setWillReturn(true);
  return function;
}

/// One call for each register that the operands fill.
void VectorMathPass::replace(Operation *op, StringRef name) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  if (type.getRank() != 1 || type.isScalable() ||
      !(element.isF32() || element.isF64()))
    return;
  int64_t lanes = std::min<int64_t>(
      type.getNumElements(), vectorBits / element.getIntOrFloatBitWidth());
  if (!llvm::isPowerOf2_64(type.getNumElements()) ||
      lanes * int64_t(element.getIntOrFloatBitWidth()) < 128)
    return;
  auto part = VectorType::get({lanes}, element);
  LLVM::LLVMFuncOp function = getFunction(name, part, op->getNumOperands());
  OpBuilder builder(op);
  Location loc = op->getLoc();
  LaneRows rows(builder, loc, type.getNumElements());
  SmallVector<Value> pieces;
  for (int64_t first = 0; first < type.getNumElements(); first += lanes) {
    SmallVector<Value> values(op->getOperands());
    if (part != type)
      for (Value &value : values)
        value = rows.slice(value, first, lanes);
    pieces.push_back(
        LLVM::CallOp::create(builder, loc, function, values).getResult());
  }
  op->replaceAllUsesWith(ValueRange(rows.concatenate(pieces)));
  op->erase();
  ++numReplaced;
}
