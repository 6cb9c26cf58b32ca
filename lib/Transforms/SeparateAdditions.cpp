//===- SeparateAdditions.cpp - A row for each addition --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of finite elements adds to its load vector for each point of
// quadrature: (r + x) + y, which a private row that starts at zero does not
// give. Loops over the points are unrolled; then each addition of the kernel
// goes to the last row behind which no other addition may have the same place.
//
//===----------------------------------------------------------------------===//

#include "SeparateAdditions.h"
#include "LoopRewrites.h"
#include "OP2/Analysis/AdditionOrder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;
using namespace mlir::op2;

// Shared memory of a block has a value for each addition of its elements.
static constexpr size_t kMostRows = 32;
// Of a kernel whose loops are unrolled.
static constexpr int64_t kMostOps = 10000;

namespace {
/// Gets one addition for each component.
struct SeparateRow {
  unsigned operand; ///< of the kernel: the row that it is of
  SmallVector<Addition> additions;
};
} // namespace

static int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// The innermost loop that repeats an addition to one component; null if it is
/// none that can be unrolled.
static scf::ForOp findRepeating(const Addition &addition) {
  for (Operation *op = memref::StoreOp(addition.store)->getParentOp();
       !isa<func::FuncOp>(op); op = op->getParentOp()) {
    if (isa<scf::IfOp>(op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return {};
    if (dyn_cast<Value>(addition.index) != loop.getInductionVar())
      return loop;
  }
  return {};
}

/// Unrolls loops until no addition is repeated; nothing if some stay.
static std::optional<SmallVector<Addition>>
unrollRepeating(ArrayRef<LoopArg> args, func::FuncOp kernel) {
  while (true) {
    auto additions = findAdditions(args, kernel);
    if (!additions)
      return std::nullopt;
    auto repeated = llvm::find_if(*additions, [&](const Addition &addition) {
      return !movesOn(addition, kernel);
    });
    if (repeated == additions->end())
      return additions;
    scf::ForOp loop = findRepeating(*repeated);
    std::optional<APInt> turns =
        loop ? loop.getStaticTripCount() : std::nullopt;
    if (!turns || turns->getActiveBits() > 16 ||
        countOps(kernel) + countOps(loop) * turns->getSExtValue() > kMostOps ||
        failed(loopUnrollFull(loop)))
      return std::nullopt;
  }
}

static bool mayMeet(const SeparateRow &row, const Addition &addition) {
  return llvm::any_of(row.additions, [&](const Addition &other) {
    return mlir::op2::mayMeet(other, addition);
  });
}

static SmallVector<SeparateRow> findRows(ArrayRef<Addition> additions) {
  SmallVector<SeparateRow> rows;
  for (const Addition &addition : additions) {
    SeparateRow *found = nullptr;
    for (SeparateRow &row : llvm::reverse(rows)) {
      if (mayMeet(row, addition))
        break;
      if (row.operand == addition.row)
        found = &row;
    }
    if (!found)
      found = &rows.emplace_back(SeparateRow{addition.row, {}});
    found->additions.push_back(addition);
  }
  return rows;
}

/// The addition is to this row instead.
static void redirect(memref::StoreOp store, ArrayRef<OpOperand *> replaced,
                     Value row) {
  for (OpOperand *operand : replaced) {
    auto load = operand->get().getDefiningOp<memref::LoadOp>();
    OpBuilder builder(operand->getOwner());
    operand->set(memref::LoadOp::create(builder, store.getLoc(), row,
                                        store.getIndices()));
    if (load && load->use_empty())
      load->erase();
  }
  store.getMemrefMutable().set(row);
}

/// Whether each addition is to what the ones before it have left: rows may be
/// one and the same.
static bool areCurrent(ArrayRef<Addition> additions) {
  SmallPtrSet<Value, 8> rows;
  for (const Addition &addition : additions)
    rows.insert(memref::StoreOp(addition.store).getMemRef());
  return llvm::all_of(additions, [&](const Addition &addition) {
    return llvm::all_of(findReplaced(addition.store), [&](OpOperand *operand) {
      return isCurrent(*operand, addition.store,
                       [&](Value row) { return rows.contains(row); });
    });
  });
}

/// The kernel takes these rows, behind all others, in place of the operands of
/// `separated` arguments; false if something else is done with one.
static bool takeRows(func::FuncOp kernel, ArrayRef<SeparateRow> rows,
                     ArrayRef<LoopArg> args, const llvm::BitVector &separated) {
  llvm::BitVector dropped(kernel.getNumArguments() + unsigned(rows.size()));
  for (unsigned number : separated.set_bits()) {
    unsigned first = getFirstOperand(args, number);
    dropped.set(first, first + unsigned(args[number].getNumOperands()));
  }
  // Values are handed on from one store to the next.
  DenseMap<Operation *, SmallVector<OpOperand *>> replaced;
  for (const SeparateRow &row : rows)
    for (const Addition &addition : row.additions)
      replaced[addition.store] = findReplaced(addition.store);
  for (const SeparateRow &row : rows) {
    BlockArgument whole = kernel.getArgument(row.operand);
    unsigned number = kernel.getNumArguments();
    if (failed(
            kernel.insertArgument(number, whole.getType(), {}, whole.getLoc())))
      return false;
    for (const Addition &addition : row.additions)
      redirect(addition.store, replaced[addition.store],
               kernel.getArgument(number));
  }
  for (unsigned operand : dropped.set_bits())
    if (!kernel.getArgument(operand).use_empty())
      return false;
  return succeeded(kernel.eraseArguments(dropped));
}

/// The argument that an operand of the kernel belongs to.
static unsigned findArg(ArrayRef<LoopArg> args, unsigned operand) {
  unsigned number = 0;
  while (getFirstOperand(args, number) +
             unsigned(args[number].getNumOperands()) <=
         operand)
    ++number;
  return number;
}

/// The arguments of the new loop, in the order of the kernel's operands.
static SmallVector<LoopArg> makeArgs(ArrayRef<LoopArg> args,
                                     ArrayRef<SeparateRow> rows,
                                     const llvm::BitVector &separated) {
  SmallVector<LoopArg> made;
  for (auto [number, arg] : llvm::enumerate(args))
    if (!separated[number])
      made.push_back(arg);
  for (const SeparateRow &row : rows) {
    unsigned number = findArg(args, row.operand);
    LoopArgAttr attr = args[number].attr;
    int64_t slot = row.operand - getFirstOperand(args, number);
    made.push_back(args[number]);
    made.back().attr = LoopArgAttr::get(
        attr.getContext(), attr.getKind(), attr.getAccess(),
        attr.getSlot() + slot, /*count=*/1, /*is_vector=*/false,
        attr.getIsPacked(), attr.getIsOptional(), attr.getLayout());
  }
  return made;
}

bool op2::separateAdditions(ParLoopOp &loop, func::FuncOp &kernel) {
  SmallVector<LoopArg> args = loop.getLoopArgs();
  // What goes with another argument names it by its number.
  if (kernel.isExternal() ||
      llvm::any_of(args, [](const LoopArg &arg) { return arg.isInfo(); }))
    return false;
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  std::optional<SmallVector<Addition>> additions = unrollRepeating(args, *copy);
  if (!additions || !areCurrent(*additions))
    return false;
  SmallVector<SeparateRow> rows = findRows(*additions);
  if (rows.size() > kMostRows)
    return false;
  llvm::BitVector separated(unsigned(args.size()));
  for (const SeparateRow &row : rows)
    separated.set(findArg(args, row.operand));
  SmallVector<LoopArg> made = makeArgs(args, rows, separated);
  if (!takeRows(*copy, rows, args, separated))
    return false;
  func::FuncOp separate = copy.release();
  separate.setName((loop.getKernel() + ".separate").str());
  addKernel(separate, kernel);
  if (findOwnershipObstacle(made, separate, Owners::Blocks)) {
    separate->erase();
    return false;
  }
  OpBuilder builder(loop);
  auto created = ParLoopOp::create(builder, loop.getLoc(), separate.getName(),
                                   loop.getSet(), made, loop.getLabel());
  copyPlanRequests(loop, created);
  created->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop->erase();
  loop = created;
  kernel = separate;
  return true;
}
