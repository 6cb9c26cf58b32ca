//===- KernelAccesses.cpp - Accesses of kernels to their rows -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/KernelAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The values of a kernel that come from one row.
class RowValues {
public:
  explicit RowValues(BlockArgument row) : row(row) {}

  std::optional<AccessProblem> findIncrementProblem();
  std::optional<AccessProblem> findMinMaxProblem();

private:
  bool isSimple() const;
  void follow();
  void followUser(Operation *user);
  void addAll(Operation *op);
  void addSums();
  bool hasBools() const;
  bool isOtherRow(Value memory) const;
  std::optional<AccessProblem> findUse() const;
  std::optional<AccessProblem> findOverwrite() const;

  BlockArgument row;
  llvm::SetVector<Value> dependent; ///< on what was loaded, perhaps
  llvm::SetVector<Value> sums; ///< certainly what was loaded, plus something
  bool escapes = false;        ///< a dependent value goes through memory
};
} // namespace

/// Whether the row is loaded and stored only, and control flow has a structure.
bool RowValues::isSimple() const {
  for (Operation *user : row.getUsers()) {
    auto store = dyn_cast<memref::StoreOp>(user);
    if (!isa<memref::LoadOp>(user) && (!store || store.getMemRef() != row))
      return false;
  }
  WalkResult blocks = row.getOwner()->getParentOp()->walk([](Operation *op) {
    bool isFlat = llvm::all_of(op->getRegions(), [](Region &region) {
      return region.empty() || region.hasOneBlock();
    });
    return isFlat ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !blocks.wasInterrupted();
}

/// Results, and what goes around in regions.
void RowValues::addAll(Operation *op) {
  dependent.insert(op->result_begin(), op->result_end());
  for (Region &region : op->getRegions())
    dependent.insert(region.args_begin(), region.args_end());
}

void RowValues::followUser(Operation *user) {
  if (auto store = dyn_cast<memref::StoreOp>(user)) {
    escapes |= store.getMemRef() != row;
    return;
  }
  if (!isMemoryEffectFree(user) && user->getNumRegions() == 0)
    escapes = true;
  addAll(user);
  if (user->hasTrait<OpTrait::IsTerminator>())
    addAll(user->getParentOp());
}

void RowValues::follow() {
  for (Operation *user : row.getUsers())
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      dependent.insert(load.getResult());
      sums.insert(load.getResult());
    }
  for (size_t next = 0; next < dependent.size(); ++next) {
    Value value = dependent[next];
    for (Operation *user : value.getUsers())
      followUser(user);
  }
}

/// Bools are or-ed, which may be written as comparisons.
static bool isBool(Value value) { return value.getType().isInteger(1); }

bool RowValues::hasBools() const {
  return cast<MemRefType>(row.getType()).getElementType().isInteger(1);
}

/// Sums, differences and conversions of sums are sums. The sum of bools is
/// whether one is set.
void RowValues::addSums() {
  for (size_t next = 0; next < sums.size(); ++next) {
    Value value = sums[next];
    for (Operation *user : value.getUsers()) {
      bool isFirst = user->getNumOperands() > 0 && user->getOperand(0) == value;
      if (isa<arith::AddFOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
              arith::ExtUIOp, arith::TruncIOp>(user) ||
          (isa<arith::AddIOp>(user) && !isBool(value)) ||
          (isa<arith::OrIOp>(user) && hasBools()) ||
          (isa<arith::SubFOp, arith::SubIOp>(user) && isFirst &&
           !isBool(value)) ||
          (isa<math::FmaOp>(user) && user->getOperand(2) == value))
        sums.insert(user->getResult(0));
    }
  }
}

/// Whether it is what a loop gives the kernel for another argument or row.
bool RowValues::isOtherRow(Value memory) const {
  auto argument = dyn_cast<BlockArgument>(memory);
  return argument && argument != row && argument.getOwner() == row.getOwner();
}

/// Where a sum is more than added to.
std::optional<AccessProblem> RowValues::findUse() const {
  for (Value value : sums)
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      unsigned position = use.getOperandNumber();
      auto store = dyn_cast<memref::StoreOp>(user);
      bool isUse =
          isa<arith::MulFOp, arith::MulIOp, arith::DivFOp, arith::DivSIOp,
              arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp,
              arith::CmpFOp>(user) ||
          (isa<arith::CmpIOp>(user) && !isBool(value)) ||
          (isa<arith::SubFOp, arith::SubIOp>(user) && position == 1) ||
          (isa<arith::AddIOp, arith::SubIOp>(user) && isBool(value)) ||
          (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(user) &&
           !hasBools()) ||
          (isa<math::FmaOp>(user) && position != 2) ||
          (isa<math::SqrtOp, math::ExpOp, math::LogOp, math::SinOp, math::CosOp,
               math::PowFOp, math::AbsFOp, math::AbsIOp>(user)) ||
          (store && isOtherRow(store.getMemRef()));
      bool isTwice = isa<arith::AddFOp, arith::AddIOp>(user) &&
                     sums.contains(user->getOperand(0)) &&
                     sums.contains(user->getOperand(1));
      if (isUse || isTwice)
        return AccessProblem{user, "uses the value of"};
    }
  return std::nullopt;
}

std::optional<AccessProblem> RowValues::findOverwrite() const {
  if (escapes)
    return std::nullopt;
  for (Operation *user : row.getUsers())
    if (auto store = dyn_cast<memref::StoreOp>(user))
      if (!dependent.contains(store.getValue()))
        return AccessProblem{store, "overwrites"};
  return std::nullopt;
}

std::optional<AccessProblem> RowValues::findIncrementProblem() {
  if (!isSimple())
    return std::nullopt;
  follow();
  addSums();
  if (std::optional<AccessProblem> use = findUse())
    return use;
  return findOverwrite();
}

/// Constants may be right: that is how flags are raised, and what a minimum of
/// unsigned numbers with 0 is folded to.
static bool isConstant(Value value) {
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    value = cast.getOperand(0);
  return matchPattern(value, m_Constant());
}

std::optional<AccessProblem> RowValues::findMinMaxProblem() {
  if (!isSimple())
    return std::nullopt;
  follow();
  bool isCompared = llvm::any_of(dependent, [](Value value) {
    return llvm::any_of(value.getUsers(), [](Operation *user) {
      return user->getNumRegions() > 0 || isa<scf::ConditionOp>(user);
    });
  });
  if (escapes || isCompared)
    return std::nullopt;
  for (Operation *user : row.getUsers()) {
    auto store = dyn_cast<memref::StoreOp>(user);
    if (store && store->getBlock() == row.getOwner() &&
        !dependent.contains(store.getValue()) && !isConstant(store.getValue()))
      return AccessProblem{store, "overwrites"};
  }
  return std::nullopt;
}

std::optional<AccessProblem> op2::findMinMaxProblem(BlockArgument row) {
  return RowValues(row).findMinMaxProblem();
}

std::optional<AccessProblem> op2::findIncrementProblem(BlockArgument row) {
  return RowValues(row).findIncrementProblem();
}

std::optional<AccessProblem> op2::findWriteProblem(BlockArgument row) {
  Operation *first = nullptr;
  for (Operation *user : row.getUsers()) {
    Operation *here = row.getOwner()->findAncestorOpInBlock(*user);
    if (!here)
      return std::nullopt;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (!isa_and_nonnull<memref::LoadOp>(first))
    return std::nullopt;
  return AccessProblem{first, "reads before it writes"};
}
