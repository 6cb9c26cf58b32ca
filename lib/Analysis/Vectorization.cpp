//===- Vectorization.cpp - May elements run at once? ----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Vectorization.h"
#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::op2;

/// Whether elements add to rows, or compare with them, that others may share.
static bool combinesRows(const LoopArg &arg) {
  return arg.isDat() && !isInPlace(arg) && arg.getAccess() != Access::Read &&
         arg.getAccess() != Access::Write;
}

/// What is written must be reached through one argument only, or through
/// several that combine in the same way: a vector reads before it writes, and
/// writes the rows of one element in the order of the slots.
static std::optional<std::string> findMixedAccess(ArrayRef<LoopArg> args,
                                                  func::FuncOp kernel) {
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (!arg.isDat() || arg.getAccess() == Access::Read)
      continue;
    bool combines = combinesRows(arg);
    if (arg.isPacked()) {
      // What the kernel may leave as it was is compared with that first.
      if (arg.getAccess() != Access::Inc &&
          !isSet(arg, kernel, getFirstOperand(args, number)))
        return ("argument " + Twine(number) +
                " is packed and may leave some of its rows as they are")
            .str();
    } else if (!combines && arg.attr.getCount() > 1 &&
               !(kernel && arg.getAccess() == Access::Write &&
                 areOverwrittenInOrder(kernel, getFirstOperand(args, number),
                                       arg.attr.getCount())))
      return ("argument " + Twine(number) + " writes several rows of one dat")
          .str();
    if (isInPlace(arg) && arg.mayShareRows())
      return ("argument " + Twine(number) +
              " changes rows that elements may share")
          .str();
    // A vector stores whole rows: what an element leaves may be another's.
    if (!arg.isPacked() && arg.mayShareRows() && kernel &&
        arg.getAccess() == Access::Write &&
        !isSet(arg, kernel, getFirstOperand(args, number)))
      return ("argument " + Twine(number) +
              " is written through a map and may leave some of its row as it "
              "is")
          .str();
    for (auto [otherNumber, other] : llvm::enumerate(args)) {
      if (otherNumber == number || other.data != arg.data)
        continue;
      if (!combines || other.getAccess() != arg.getAccess() ||
          other.isPacked() != arg.isPacked())
        return ("arguments " + Twine(std::min(number, otherNumber)) + " and " +
                Twine(std::max(number, otherNumber)) +
                " reach one dat in different ways")
            .str();
    }
  }
  return std::nullopt;
}

/// Each component of a row becomes a vector of its own, with a few operations:
/// more than this number of them would be slower to compile than kernels are
/// worth, and find no registers. What depends on no element has none.
static constexpr int64_t kMaxComponents = 256;

/// Packed rows are moved by loops, but the lanes of all of them should stay in
/// the nearest cache.
static constexpr int64_t kMaxPackedComponents = 512;

static int64_t countComponents(ArrayRef<LoopArg> args, bool arePacked) {
  int64_t count = 0;
  for (const LoopArg &arg : args)
    if ((!arg.isGlobal() || arg.getAccess() != Access::Read) &&
        arg.isPacked() == arePacked)
      count += ShapedType::isDynamic(arg.getDim())
                   ? 0
                   : arg.getDim() * arg.attr.getCount();
  return count;
}

/// Lanes of bools and of unsigned numbers are not added or compared; those of
/// narrow numbers could be through maps, at 0.7 times the speed of single ones.
static bool hasLanes(const LoopArg &arg) {
  Type type = arg.getElementType();
  bool isPlain = !arg.isGlobal() && !combinesRows(arg);
  if (combinesRows(arg) && arg.isIndirect() &&
      type.getIntOrFloatBitWidth() < 32)
    return false;
  return isLaneElement(type) &&
         (getLaneStorage(type) == type || isPlain ||
          (arg.isGlobal() && arg.getAccess() == Access::Read));
}

std::optional<std::string> op2::findLaneObstacle(ArrayRef<LoopArg> args,
                                                 func::FuncOp kernel) {
  for (bool arePacked : {false, true}) {
    int64_t count = countComponents(args, arePacked);
    int64_t most = arePacked ? kMaxPackedComponents : kMaxComponents;
    if (count > most)
      return ("its rows have " + Twine(count) +
              " components together; vectors take at most " + Twine(most))
          .str();
  }
  for (auto [number, arg] : llvm::enumerate(args)) {
    std::string name = ("argument " + Twine(number)).str();
    if (arg.flag)
      return name + " is optional";
    if (arg.getAccess() == Access::Work)
      return name + " is scratch memory";
    if (arg.isMerged())
      return name + " is reduced by a function of the program";
    if (arg.isGlobal() && arg.getAccess() == Access::Write)
      return name + " is a global that is written";
    if (arg.isIndex())
      continue;
    if (!hasLanes(arg))
      return name + " is of a type that has no lanes";
  }
  return findMixedAccess(args, kernel);
}

int64_t op2::countLanes(ArrayRef<LoopArg> args, int64_t bits) {
  unsigned floats = 0, integers = 0;
  for (const LoopArg &arg : args) {
    Type type = arg.getElementType();
    unsigned &widest = isa<FloatType>(type) ? floats : integers;
    // No less than map entries: vectors of bytes would be long.
    widest = std::max({widest, 32u, type.getIntOrFloatBitWidth()});
  }
  unsigned widest = floats ? floats : integers;
  return widest ? bits / widest : 1;
}

SmallVector<bool> op2::findUniformOperands(ArrayRef<LoopArg> args) {
  SmallVector<bool> isUniform;
  for (const LoopArg &arg : args)
    isUniform.append(arg.getNumOperands(),
                     arg.isGlobal() && arg.getAccess() == Access::Read);
  return isUniform;
}

/// The component of its row that a store certainly changes.
static std::optional<int64_t> getComponent(memref::StoreOp store) {
  if (store.getIndices().size() != 1)
    return std::nullopt;
  std::optional<int64_t> place = getConstantIntValue(store.getIndices()[0]);
  bool isInside =
      place && *place >= 0 && *place < store.getMemRefType().getDimSize(0);
  return isInside ? place : std::nullopt;
}

bool op2::isOverwritten(func::FuncOp kernel, unsigned parameter) {
  Value row = kernel.getArgument(parameter);
  Block &block = kernel.getBody().front();
  llvm::SmallDenseMap<int64_t, Operation *> stores; // the first, by component
  for (auto store : block.getOps<memref::StoreOp>())
    if (store.getMemRef() == row)
      if (std::optional<int64_t> place = getComponent(store))
        stores.try_emplace(*place, store);
  if (int64_t(stores.size()) != cast<MemRefType>(row.getType()).getDimSize(0))
    return false;
  // What is read has been stored before.
  return llvm::all_of(row.getUsers(), [&](Operation *user) {
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getMemRef() == row;
    auto load = dyn_cast<memref::LoadOp>(user);
    if (!load)
      return false;
    Operation *where = block.findAncestorOpInBlock(*load);
    std::optional<int64_t> place = getConstantIntValue(load.getIndices()[0]);
    return llvm::all_of(stores, [&](auto store) {
      return (place && *place != store.first) ||
             store.second->isBeforeInBlock(where);
    });
  });
}

bool op2::areOverwrittenInOrder(func::FuncOp kernel, unsigned first,
                                int64_t count) {
  // The last store to each component of the rows so far.
  SmallVector<Operation *> last;
  for (unsigned parameter = first; parameter < first + count; ++parameter) {
    Value row = kernel.getArgument(parameter);
    if (!isOverwritten(kernel, parameter) ||
        llvm::any_of(row.getUsers(), [&](Operation *user) {
          auto store = dyn_cast<memref::StoreOp>(user);
          return !store || store.getMemRef() != row ||
                 store->getBlock() != &kernel.getBody().front() ||
                 !getComponent(store);
        }))
      return false;
    SmallVector<Operation *> earlier = last;
    last.resize(cast<MemRefType>(row.getType()).getDimSize(0));
    for (Operation *store : row.getUsers()) {
      int64_t place = *getComponent(cast<memref::StoreOp>(store));
      if (!earlier.empty() && store->isBeforeInBlock(earlier[place]))
        return false;
      Operation *&latest = last[place];
      if (!latest || latest->isBeforeInBlock(store))
        latest = store;
    }
  }
  return true;
}

namespace {
/// What is added to a component, or taken from it.
struct Change {
  Value value;
  bool isTaken;
};
} // namespace

/// The component of `row` that `value` was loaded from, and nothing else was
/// done with that load.
static std::optional<int64_t> getLoadedComponent(Value value, Value row) {
  auto load = value.getDefiningOp<memref::LoadOp>();
  if (!load || load.getMemRef() != row || !load->hasOneUse() ||
      load.getIndices().size() != 1)
    return std::nullopt;
  return getConstantIntValue(load.getIndices()[0]);
}

/// What `store` does with a component of its row, if it only changes it by
/// something.
static std::optional<Change> getChange(memref::StoreOp store) {
  Value row = store.getMemRef();
  std::optional<int64_t> place = getComponent(store);
  Operation *change = store.getValueToStore().getDefiningOp();
  if (!place || !isa_and_nonnull<arith::AddFOp, arith::SubFOp>(change))
    return std::nullopt;
  Value left = change->getOperand(0), right = change->getOperand(1);
  if (getLoadedComponent(left, row) == place)
    return Change{right, isa<arith::SubFOp>(change)};
  if (getLoadedComponent(right, row) == place && isa<arith::AddFOp>(change))
    return Change{left, false};
  return std::nullopt;
}

/// What a kernel does to each component of a row; empty unless it changes every
/// one of them once, whatever happens, and does nothing else with the row.
static SmallVector<Change> findChanges(func::FuncOp kernel,
                                       unsigned parameter) {
  Value row = kernel.getArgument(parameter);
  SmallVector<Change> changes(cast<MemRefType>(row.getType()).getDimSize(0));
  size_t count = 0;
  for (Operation *user : row.getUsers()) {
    if (user->getBlock() != &kernel.getBody().front())
      return {};
    if (isa<memref::LoadOp>(user))
      continue; // Those of changes are counted with their stores.
    auto store = dyn_cast<memref::StoreOp>(user);
    std::optional<Change> change =
        store && store.getMemRef() == row ? getChange(store) : std::nullopt;
    if (!change)
      return {};
    changes[*getComponent(store)] = *change;
    ++count;
  }
  bool isWhole =
      count == changes.size() &&
      size_t(std::distance(row.use_begin(), row.use_end())) == 2 * count &&
      llvm::all_of(changes, [](Change change) { return change.value; });
  return isWhole ? changes : SmallVector<Change>();
}

bool op2::areOpposite(func::FuncOp kernel, unsigned first, unsigned second) {
  SmallVector<Change> added = findChanges(kernel, first);
  SmallVector<Change> taken = findChanges(kernel, second);
  return !added.empty() &&
         llvm::equal(added, taken, [](Change change, Change other) {
           return change.value == other.value &&
                  change.isTaken != other.isTaken;
         });
}

int64_t op2::getNumLanes(ArrayRef<LoopArg> args, func::FuncOp kernel,
                         MachineAttr machine) {
  int64_t lanes = countLanes(args, machine.getVectorBits());
  SmallVector<bool> isUniform = findUniformOperands(args);
  if (lanes < 2 || findLaneObstacle(args, kernel) ||
      (!machine.hasVectorMath() && losesByVectors(kernel, lanes)) ||
      findVectorLoss(kernel, args, isUniform, lanes) ||
      findKernelObstacle(kernel, isUniform))
    return 1;
  return lanes;
}
