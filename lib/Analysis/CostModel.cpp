//===- CostModel.cpp - Bytes, values and operations of a loop -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Uniformity.h"
#include "OP2/Analysis/Vectorization.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::op2;

/// An unknown dim counts as 1.
static int64_t getDim(const LoopArg &arg) {
  return ShapedType::isDynamic(arg.getDim()) ? 1 : arg.getDim();
}

static int64_t getBytesPerRow(const LoopArg &arg) {
  int64_t bits = arg.getElementType().getIntOrFloatBitWidth();
  return getDim(arg) * ((bits + 7) / 8);
}

/// Bytes that an argument moves for an element. A row that is changed counts
/// twice: caches load a line before they change it.
static int64_t getTraffic(const LoopArg &arg) {
  if (arg.isGlobal() || (arg.isIndex() && !arg.map))
    return 0;
  if (arg.map)
    return arg.attr.getCount() * int64_t(sizeof(int32_t));
  return getBytesPerRow(arg) * (isChanged(arg) ? 2 : 1);
}

int64_t op2::getTraffic(ArrayRef<LoopArg> args) {
  int64_t bytes = 0;
  // A slot of a map is read once.
  llvm::SmallDenseSet<std::tuple<Value, int64_t, int64_t>> slots;
  for (const LoopArg &arg : args)
    if (!arg.map ||
        slots.insert({arg.map, arg.attr.getSlot(), arg.attr.getCount()}).second)
      bytes += ::getTraffic(arg);
  return bytes;
}

int64_t op2::countValues(ArrayRef<LoopArg> args) {
  int64_t values = 0;
  for (const LoopArg &arg : args)
    if (!arg.isGlobal() || arg.getAccess() != Access::Read)
      values += getDim(arg) * arg.attr.getCount();
  return values;
}

/// How often the loops around an operation run it, as far as that is known: all
/// of them, or those in `region`.
static int64_t countTrips(Operation *op, Region *region = nullptr) {
  int64_t trips = 1;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>()) {
    if (region && !region->isAncestor(loop->getParentRegion()))
      break;
    if (std::optional<APInt> count = loop.getStaticTripCount())
      trips *= count->getSExtValue();
  }
  return trips;
}

/// Whether an operation of the math dialect is an instruction, or a few.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CtPopOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::FloorOp, math::FmaOp,
             math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::RoundEvenOp,
             math::RoundOp, math::TruncOp>(op);
}

/// Half cycles of arithmetic.
static int64_t countHalves(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp>(op))
    return 8;
  if (isa<math::SqrtOp>(op))
    return 12;
  return isInstruction(op) || (isa<arith::ArithDialect>(op->getDialect()) &&
                               !isa<arith::ConstantOp>(op));
}

KernelCycles op2::countCycles(func::FuncOp kernel) {
  return countCycles(kernel.getBody());
}

KernelCycles op2::countCycles(Region &region) {
  int64_t halves = 0;
  KernelCycles cycles;
  region.walk([&](Operation *op) {
    int64_t trips = countTrips(op, &region);
    if (int64_t count = countHalves(op))
      halves += count * trips;
    else if (isa<math::MathDialect>(op->getDialect()) || isLaneCall(op))
      cycles.calls += 20 * trips;
  });
  cycles.arithmetic = halves / 2;
  return cycles;
}

int64_t op2::countFloatingPoint(func::FuncOp kernel) {
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    if (isa<math::FmaOp>(op))
      count += 2 * countTrips(op);
    else if ((isa<math::MathDialect>(op->getDialect()) &&
              isa<FloatType>(op->getResult(0).getType())) ||
             isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                 arith::RemFOp, arith::MaximumFOp, arith::MinimumFOp,
                 arith::MaxNumFOp, arith::MinNumFOp>(op))
      count += countTrips(op);
  });
  return count;
}

bool op2::losesByVectors(func::FuncOp kernel, int64_t lanes) {
  KernelCycles cycles = countCycles(kernel);
  // What vectors save of the arithmetic, against what they add to the calls.
  return cycles.arithmetic * (lanes - 1) * 5 < cycles.calls * lanes * 4;
}

int64_t op2::chooseLanes(func::FuncOp kernel, ArrayRef<LoopArg> args,
                         int64_t lanes) {
  constexpr int64_t kCyclesOfSlot = 6, kRegisters = 12, kBytes = 1024;
  using Slot = std::pair<Value, int64_t>;
  llvm::SmallDenseSet<Slot> read;
  auto forEachSlot = [&](Access access, auto visit) {
    for (const LoopArg &arg : args)
      for (int64_t n = 0; arg.isIndirect() && n < arg.attr.getCount(); ++n)
        if (arg.getAccess() == access)
          visit(Slot(arg.map, arg.attr.getSlot() + n));
  };
  int64_t numKept = 0, rowBytes = 0;
  forEachSlot(Access::Read, [&](Slot slot) { read.insert(slot); });
  forEachSlot(Access::Inc, [&](Slot slot) { numKept += read.erase(slot); });
  for (const LoopArg &arg : args)
    if (arg.isDat() && !arg.map)
      rowBytes += getBytesPerRow(arg);
  // Where the order of elements shows, fused loops must have the lanes that
  // each has alone.
  if (numKept * lanes <= kRegisters || reducesInOrder(args) ||
      countCycles(kernel).arithmetic >= kCyclesOfSlot * numKept)
    return lanes;
  while (lanes > 4 && numKept * lanes > kRegisters)
    lanes /= 2;
  while (lanes > 2 && rowBytes * lanes > kBytes)
    lanes /= 2;
  return lanes;
}

/// Whether some lanes may be inactive where `op` is.
static bool isMasked(Operation *op, const UniformityAnalysis &uniformity) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (uniformity.isDivergent(parent))
      return true;
  return false;
}

/// Whether a loop that is not the same for all lanes goes on or ends by what
/// `load` finds, as in a search: each step waits for that of the one before.
static bool isSearch(memref::LoadOp load,
                     const UniformityAnalysis &uniformity) {
  auto loop = load->getParentOfType<scf::WhileOp>();
  if (!loop || !uniformity.isDivergent(loop))
    return false;
  Value condition = loop.getConditionOp().getCondition();
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  options.omitBlockArguments = true;
  return succeeded(getBackwardSlice(condition, &slice, options)) &&
         slice.contains(load);
}

/// Half cycles of so many elements.
static int64_t countGathers(func::FuncOp kernel,
                            const UniformityAnalysis &uniformity,
                            int64_t lanes) {
  // So many steps of a search, beyond what its loads take.
  constexpr int64_t kSearch = 8 * 40;
  int64_t halves = 0;
  kernel.walk([&](memref::LoadOp load) {
    bool varies = llvm::any_of(load.getIndices(), [&](Value index) {
      return uniformity.varies(index);
    });
    Value memref = load.getMemRef();
    int64_t choices = std::max<int64_t>(uniformity.countChoices(memref), 1);
    constexpr int64_t kRead = 3, kMaskedRead = 12, kPlace = 2;
    bool mayBeNothing =
        choices > 1 || (!hasFirstElement(memref) && isMasked(load, uniformity));
    int64_t cost = 0;
    // What all lanes share is read once of each table.
    if (auto chosen = uniformity.findChosenIndex(memref, load.getIndices()))
      cost = kPlace * int64_t(chosen->places.size());
    else if (varies)
      cost = (mayBeNothing ? kMaskedRead : kRead) * choices * lanes;
    else if (2 * choices > lanes && choices > 1)
      cost = kMaskedRead * lanes;
    else if (choices > 1)
      cost = std::max<int64_t>(4 * choices - 2 - lanes, 0);
    if (varies && isSearch(load, uniformity))
      cost += kSearch;
    halves += cost * countTrips(load);
  });
  return halves;
}

/// Half cycles of so many elements. What lanes store to a row one by one has
/// not got there when the row is loaded whole, as it is to be put back.
static int64_t countScatters(func::FuncOp kernel,
                             const UniformityAnalysis &uniformity,
                             int64_t lanes) {
  constexpr int64_t kStore = 3, kRow = 24, kPlace = 3;
  int64_t halves = 0;
  llvm::SmallDenseSet<Value> rows;
  kernel.walk([&](memref::StoreOp store) {
    bool varies = llvm::any_of(store.getIndices(), [&](Value index) {
      return uniformity.varies(index);
    });
    if (!varies || !isa<BlockArgument>(store.getMemRef()))
      return;
    if (auto chosen =
            uniformity.findChosenIndex(store.getMemRef(), store.getIndices())) {
      halves += kPlace * int64_t(chosen->places.size()) * countTrips(store);
      return;
    }
    bool isFirst = rows.insert(store.getMemRef()).second;
    halves += kStore * lanes * countTrips(store) + (isFirst ? kRow * lanes : 0);
  });
  return halves;
}

/// Half cycles of so many elements more: processors divide whole numbers one by
/// one.
static int64_t countDivisions(func::FuncOp kernel,
                              const UniformityAnalysis &uniformity,
                              int64_t lanes) {
  constexpr int64_t kLane = 6;
  int64_t halves = 0;
  kernel.walk([&](Operation *op) {
    if (isDivision(op) && !matchPattern(op->getOperand(1), m_Constant()) &&
        uniformity.varies(op->getResult(0)))
      halves += kLane * lanes * countTrips(op);
  });
  return halves;
}

bool op2::losesByLanes(func::FuncOp kernel, ArrayRef<bool> isUniform,
                       int64_t lanes) {
  UniformityAnalysis uniformity(kernel, isUniform);
  return 2 * countCycles(kernel).arithmetic * (lanes - 1) <
         countGathers(kernel, uniformity, lanes) +
             countScatters(kernel, uniformity, lanes) +
             countDivisions(kernel, uniformity, lanes);
}

/// How many branches that exclude each other are in `region`, those in loops
/// included; 1 if it has none. Those of up to `ignored` operations are none.
static int64_t countBranches(Region &region,
                             const UniformityAnalysis &uniformity,
                             int64_t ignored) {
  int64_t most = 0, numOps = 0;
  for (Operation &op : region.getOps()) {
    numOps += !op.hasTrait<OpTrait::ConstantLike>() &&
              !op.hasTrait<OpTrait::IsTerminator>();
    int64_t count = 0;
    bool excludes = isa<scf::IfOp>(op) && uniformity.isDivergent(&op);
    for (Region &inner : op.getRegions()) {
      int64_t found = countBranches(inner, uniformity, ignored);
      count = excludes ? count + found : std::max(count, found);
    }
    most = std::max(most, count);
  }
  return most > 0 ? most : numOps > ignored;
}

int64_t op2::countBranches(func::FuncOp kernel, ArrayRef<bool> isUniform) {
  UniformityAnalysis uniformity(kernel, isUniform);
  return ::countBranches(kernel.getBody(), uniformity, /*ignored=*/-1);
}

bool op2::areTooManyBranches(int64_t count, int64_t lanes) {
  return count >= 3 && 4 * count > 3 * lanes;
}

bool op2::losesByBranches(func::FuncOp kernel, ArrayRef<bool> isUniform,
                          int64_t lanes) {
  UniformityAnalysis uniformity(kernel, isUniform);
  int64_t count = ::countBranches(kernel.getBody(), uniformity, /*ignored=*/4);
  return areTooManyBranches(count, lanes);
}

/// Whether a branch may only say that a loop has a first step.
static bool guardsLoop(Region &side) {
  return llvm::any_of(
      side.getOps<LoopLikeOpInterface>(),
      [](LoopLikeOpInterface loop) { return !loop.getStaticTripCount(); });
}

/// The outermost side of a branch around `op` that lanes may take while others
/// do not; null if there is none.
static Region *findSide(Operation *op, const UniformityAnalysis &uniformity) {
  Region *side = nullptr;
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (isa<scf::IfOp>(region->getParentOp()) &&
        uniformity.isDivergent(region->getParentOp()) && !guardsLoop(*region))
      side = region;
  return side;
}

/// The side of a branch without which no element looks at a row; null if there
/// is none.
static Region *findSideOfUsers(Value row,
                               const UniformityAnalysis &uniformity) {
  Region *side = nullptr;
  for (Operation *user : row.getUsers()) {
    Region *found = findSide(user, uniformity);
    if (!isa<memref::LoadOp, memref::StoreOp>(user) || !found ||
        (side && side != found))
      return nullptr;
    side = found;
  }
  return side;
}

/// Whether the arithmetic is worth less than to move rows for all elements that
/// few may need: an element that does not, would not touch them.
static bool losesByIdleRows(func::FuncOp kernel, ArrayRef<LoopArg> args,
                            ArrayRef<bool> isUniform) {
  // Where a third of the elements goes there, most vectors do: a value that is
  // moved takes about a cycle, of the arithmetic there a sixth is saved, and
  // nearly all of the rest.
  constexpr int64_t kOfValue = 6, kOfRest = 5, kLeast = 4;
  UniformityAnalysis uniformity(kernel, isUniform);
  int64_t values = 0, arithmetic = 0;
  llvm::SmallPtrSet<Region *, 4> sides;
  for (auto [number, arg] : llvm::enumerate(args)) {
    if (!arg.isDat())
      continue;
    Value row = kernel.getArgument(getFirstOperand(args, unsigned(number)));
    auto type = dyn_cast<MemRefType>(row.getType());
    // Shorter rows take less than a cycle.
    if (!type || !type.hasStaticShape() || type.getNumElements() < kLeast)
      continue;
    Region *side = findSideOfUsers(row, uniformity);
    if (!side)
      continue;
    values += type.getNumElements() * (isChanged(arg) ? 2 : 1);
    if (sides.insert(side).second)
      arithmetic += countCycles(*side).arithmetic;
  }
  int64_t rest = countCycles(kernel).arithmetic - arithmetic;
  return kOfValue * values > 2 * (kOfRest * rest + arithmetic);
}

namespace {
/// Whether a kernel computes each component of its rows, of so many, of the
/// same component of other rows, and of what all components share, by the same
/// operations.
class ComponentCheck {
public:
  ComponentCheck(func::FuncOp kernel, int64_t count)
      : kernel(kernel), count(count) {}

  bool run() {
    bool isAlike = llvm::all_of(kernel.getBody().front(), [&](Operation &op) {
      return op.getNumRegions() == 0 && visit(&op);
    });
    return isAlike && stores;
  }

  /// Half cycles of what is computed for each component; of the rest.
  int64_t getHalves() const { return halves; }
  int64_t getSharedHalves() const { return sharedHalves; }

private:
  static constexpr int64_t kShared = -1;

  /// What a value belongs to, and how it is computed.
  struct Part {
    int64_t component = kShared;
    llvm::hash_code shape = {};
  };

  /// The constant place of a load or store, in a row of `count` components.
  template <class Access> std::optional<int64_t> getPlace(Access access) const {
    if (access.getIndices().size() != 1 ||
        access.getMemRefType().getDimSize(0) != count)
      return std::nullopt;
    return getConstantIntValue(access.getIndices()[0]);
  }

  bool visit(Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      bool isOne = load.getMemRefType().getRank() == 1 &&
                   load.getMemRefType().getDimSize(0) == 1;
      std::optional<int64_t> place = getPlace(load);
      if (!isOne && !place)
        return false;
      parts[load.getResult()] = {
          isOne ? kShared : *place,
          llvm::hash_value(load.getMemRef().getAsOpaquePointer())};
      return true;
    }
    int64_t component = kShared;
    for (Value operand : op->getOperands()) {
      auto known = parts.find(operand);
      if (known == parts.end() || known->second.component == kShared)
        continue;
      if (component != kShared && component != known->second.component)
        return false;
      component = known->second.component;
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      std::optional<int64_t> place = getPlace(store);
      llvm::hash_code shape = getShape(store.getValueToStore());
      auto [first, isFirst] = rows.try_emplace(store.getMemRef(), shape);
      stores = true;
      return place && (component == kShared || component == *place) &&
             (isFirst || first->second == shape);
    }
    (component == kShared ? sharedHalves : halves) += countHalves(op);
    for (Value result : op->getResults())
      parts[result] = {component, getShapeOfResults(op)};
    return isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>();
  }

  /// Equal where several components can be computed at a time.
  llvm::hash_code getShape(Value value) const {
    if (matchPattern(value, m_Constant()))
      return llvm::hash_value(value.getType().getAsOpaquePointer());
    auto known = parts.find(value);
    return known != parts.end() ? known->second.shape
                                : llvm::hash_value(value.getAsOpaquePointer());
  }

  llvm::hash_code getShapeOfResults(Operation *op) const {
    llvm::hash_code shape =
        llvm::hash_combine(op->getName().getAsOpaquePointer(),
                           op->getAttrDictionary().getAsOpaquePointer());
    for (Value operand : op->getOperands())
      shape = llvm::hash_combine(shape, getShape(operand));
    return shape;
  }

  func::FuncOp kernel;
  int64_t count;
  llvm::DenseMap<Value, Part> parts;           // others are shared
  llvm::DenseMap<Value, llvm::hash_code> rows; // of what is stored there
  int64_t halves = 0, sharedHalves = 0;
  bool stores = false;
};

/// The longest row that a loop changes.
struct LongestRow {
  int64_t dim = 0;
  Type type;
  bool isIndirect = false; ///< some row is

  /// None if the loop has arguments that are not whole rows or shared numbers.
  static std::optional<LongestRow> find(ArrayRef<LoopArg> args) {
    LongestRow row;
    for (const LoopArg &arg : args) {
      bool isShared = arg.isGlobal() && arg.getAccess() == Access::Read;
      bool isRow =
          arg.isDat() &&
          (!arg.isIndirect() || arg.getAccess() == Access::Read ||
           arg.getAccess() == Access::Write || arg.getAccess() == Access::Inc);
      if (!isShared && !isRow)
        return std::nullopt;
      row.isIndirect |= arg.isDat() && arg.isIndirect();
      if (arg.isDat() && isChanged(arg) && arg.getDim() > row.dim) {
        row.dim = arg.getDim();
        row.type = arg.getElementType();
      }
    }
    return row;
  }
};
} // namespace

/// Whether to put elements side by side, for which rows are transposed, saves
/// more than that: a row of five numbers takes a division of four and one of
/// one; and what components share is divided once for each element.
static bool savesBeyondRows(const ComponentCheck &check, const LongestRow &row,
                            ArrayRef<LoopArg> args) {
  constexpr int64_t kVectorBits = 256;
  // Of values that are transposed: four components take fewer shuffles.
  int64_t valuesInHalf = !row.isIndirect && row.dim == 4 ? 3 : 2;
  int64_t unit =
      std::max<int64_t>(1, kVectorBits / row.type.getIntOrFloatBitWidth());
  int64_t pieces = row.dim / unit + llvm::popcount(uint64_t(row.dim % unit));
  // Half cycles of an element times `dim * unit`: as rows lie, a component
  // takes its share of `pieces`, by elements that of a vector.
  int64_t saved = check.getHalves() * (pieces * unit - row.dim) +
                  check.getSharedHalves() * (unit - 1) * row.dim;
  return saved * valuesInHalf > countValues(args) * row.dim * unit;
}

/// Rows would be transposed to put elements side by side, where their
/// components lie side by side already.
static bool losesByRows(func::FuncOp kernel, ArrayRef<LoopArg> args) {
  constexpr int64_t kLeast = 4;
  std::optional<LongestRow> row = LongestRow::find(args);
  if (!row || row->dim < kLeast || !kernel.getBody().hasOneBlock())
    return false;
  ComponentCheck check(kernel, row->dim);
  return check.run() && !savesBeyondRows(check, *row, args);
}

bool op2::mayJoinLanes(func::FuncOp kernel, ArrayRef<LoopArg> args) {
  constexpr int64_t kMost = 7;
  std::optional<LongestRow> row = LongestRow::find(args);
  return row && !row->isIndirect && row->dim <= kMost &&
         losesByRows(kernel, args);
}

/// Whether the arithmetic is worth less than what it takes to keep the smaller
/// or larger one of each value lane by lane, as lanes may share a row.
static bool losesByExtremes(func::FuncOp kernel, ArrayRef<LoopArg> args,
                            int64_t lanes) {
  constexpr int64_t kCyclesOfValue = 5;
  int64_t values = 0;
  for (const LoopArg &arg : args)
    if (arg.isIndirect() &&
        (arg.getAccess() == Access::Min || arg.getAccess() == Access::Max))
      values += getDim(arg) * arg.attr.getCount();
  return countCycles(kernel).arithmetic * (lanes - 1) <
         kCyclesOfValue * values * lanes;
}

std::optional<std::string> op2::findVectorLoss(func::FuncOp kernel,
                                               ArrayRef<LoopArg> args,
                                               ArrayRef<bool> isUniform,
                                               int64_t lanes) {
  if (losesByRows(kernel, args))
    return "components of its rows are computed alike, several at a time";
  if (losesByLanes(kernel, isUniform, lanes))
    return "what lanes read, store or divide one by one would take longer than "
           "vectors save";
  if (losesByExtremes(kernel, args, lanes))
    return "minima and maxima that lanes keep one by one would take longer "
           "than "
           "vectors save";
  if (losesByIdleRows(kernel, args, isUniform))
    return "rows that are used on one side of a branch only would be moved for "
           "all elements";
  if (losesByBranches(kernel, isUniform, lanes))
    return "all of its branches would run, of which an element takes one";
  return std::nullopt;
}

bool op2::hasGathers(func::FuncOp kernel, ArrayRef<bool> isUniform) {
  UniformityAnalysis uniformity(kernel, isUniform);
  return countGathers(kernel, uniformity, /*lanes=*/1) > 0;
}

bool op2::waitsForRows(func::FuncOp kernel) {
  KernelCycles cycles = countCycles(kernel);
  return cycles.arithmetic + cycles.calls < kCyclesToMemory;
}
