//===- ChooseLayout.cpp - Choose the layouts of dats on devices -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2CHOOSELAYOUTPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Whether an element may leave some of a row as it is that others write at the
/// same time (S5): a copy of the whole row would undo what they wrote.
static bool mayWriteParts(ParLoopOp loop, ArrayRef<LoopArg> args, Value dat) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      loop, loop.getKernelAttr());
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.isDat() && arg.data == dat && arg.isIndirect() && !arg.isPacked() &&
        arg.getAccess() == Access::Write &&
        !isSet(arg, kernel, getFirstOperand(args, number)))
      return true;
  return false;
}

/// Why a kernel cannot be given private copies of the rows of a dat; empty if
/// it can. Two copies of one row would not see each other's changes.
static StringRef getObstacle(ArrayRef<LoopArg> uses) {
  auto all = [&](function_ref<bool(const LoopArg &)> test) {
    return llvm::all_of(uses, test);
  };
  bool isSingle = uses.size() == 1 && !uses.front().attr.getIsVector();
  if (uses.size() > 1 &&
      llvm::any_of(uses, [](const LoopArg &arg) { return bool(arg.flag); }))
    return "it is several arguments, not all of which are always there";
  auto isAny = [](const LoopArg &) { return true; };
  if (countPrivateBytes(uses, isAny) > kMaxPrivateBytes)
    return "its rows are too large for private copies of them";
  if (isSingle ||
      all([](auto &arg) { return arg.getAccess() == Access::Read; }) ||
      all([](auto &arg) { return !arg.isIndirect(); }) || all([](auto &arg) {
        return arg.isIndirect() && arg.getAccess() == Access::Inc;
      }))
    return "";
  return "the loop changes it and reaches it in more than one way";
}

/// The layout of a dat in one loop.
static Layout chooseLayout(ParLoopOp loop, ArrayRef<LoopArg> args, Value dat,
                           Layout wanted) {
  SmallVector<LoopArg> uses;
  for (const LoopArg &arg : args)
    if (arg.isDat() && arg.data == dat)
      uses.push_back(arg);
  auto type = cast<DatType>(dat.getType());
  Layout asked = uses.front().attr.getLayout();
  if (asked == Layout::Any)
    asked = wanted;
  // With one component both layouts are the same.
  if (asked != Layout::SoA || !type.hasStaticDim() || type.getDim() == 1)
    return Layout::AoS;
  StringRef obstacle = getObstacle(uses);
  if (obstacle.empty() && mayWriteParts(loop, args, dat))
    obstacle = "elements may write parts of rows that others write, too";
  if (obstacle.empty())
    return Layout::SoA;
  if (uses.front().attr.getLayout() == Layout::SoA) {
    auto *first = llvm::find_if(
        args, [&](const LoopArg &arg) { return arg.data == dat; });
    loop.emitWarning("argument ")
        << first - args.begin()
        << " stays an array of structs in this loop: " << obstacle;
  }
  return Layout::AoS;
}

namespace {
struct ChooseLayoutPass
    : public op2::impl::OP2ChooseLayoutPassBase<ChooseLayoutPass> {
  using OP2ChooseLayoutPassBase::OP2ChooseLayoutPassBase;

  void runOnOperation() override {
    getOperation().walk([&](ParLoopOp loop) { choose(loop); });
  }

private:
  void choose(ParLoopOp loop) {
    SmallVector<LoopArg> args = loop.getLoopArgs();
    SmallVector<Attribute> attrs;
    llvm::SmallDenseMap<Value, Layout> chosen;
    for (const LoopArg &arg : args) {
      LoopArgAttr attr = arg.attr;
      if (arg.isDat()) {
        auto [known, isNew] = chosen.try_emplace(arg.data, Layout::Any);
        if (isNew) {
          known->second = chooseLayout(loop, args, arg.data, layout);
          if (known->second == Layout::SoA)
            ++numSoA;
        }
        attr = attr.withLayout(known->second);
      }
      attrs.push_back(attr);
    }
    loop.setArgsAttr(ArrayAttr::get(&getContext(), attrs));
  }
};
} // namespace
