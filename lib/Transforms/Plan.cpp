//===- Plan.cpp - Make the plan of every parallel loop explicit -----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/CostModel.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Analysis/Ownership.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Dialect/Ranges.h"
#include "OP2/Transforms/KernelCall.h"
#include "OP2/Transforms/MapEntries.h"
#include "OP2/Transforms/Passes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2PLANPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Rule L12: what a loop in parallel can do with a global.
static LogicalResult checkCanRunInParallel(ParLoopOp loop,
                                           ArrayRef<LoopArg> args) {
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.isGlobal() && arg.getAccess() == Access::ReadWrite)
      return loop.emitOpError("[L12] argument ")
             << number
             << ": a global with access 'rw' has no meaning when elements run "
                "in parallel, because each sees what those before it have "
                "left; expected 'inc', 'min', 'max' or 'write', or "
                "--op2-to-seq";
  return success();
}

/// Only vectors of elements can be checked before.
static LogicalResult checkIsWhole(ParLoopOp loop, Target target) {
  if (target == Target::OpenMP || !loop->hasAttr(kUsualAttr))
    return success();
  return loop.emitOpError(
      "lacks the paths of its kernel that print or do not return; "
      "expected the kernel as it was before "
      "op2-raise-kernels, or target openmp");
}

/// Rule L17: a device's threads have place for what each has of globals.
static LogicalResult checkFitsDevice(ParLoopOp loop, ArrayRef<LoopArg> args) {
  int64_t bytes = countPrivateBytes(
      args, [](const LoopArg &arg) { return arg.isPrivate(); });
  if (bytes <= kMaxPrivateBytes)
    return success();
  return loop.emitOpError("[L17] its globals that are not 'read' have ")
         << bytes << " bytes, which every thread of a device would need for "
         << "itself; expected at most " << kMaxPrivateBytes;
}

/// How a loop for threads avoids races. Only a loop with strategy `owner` fails
/// if that is impossible.
static FailureOr<Coloring> chooseForThreads(ParLoopOp loop,
                                            ArrayRef<LoopArg> args,
                                            FunctionOpInterface kernel,
                                            Strategy strategy) {
  bool isAsked = loop.getStrategy() == Strategy::Owner;
  if (!hasConflicts(args) || strategy == Strategy::TwoLevel)
    return Coloring::Blocks;
  std::optional<std::string> obstacle = findOwnershipObstacle(args, kernel);
  // What an element does before it throws would be done twice, or by half.
  if (loop->hasAttr(kUsualAttr))
    obstacle = "its kernel has paths that print or do not return";
  if (!obstacle)
    return Coloring::Owner;
  if (isAsked)
    return loop.emitOpError("cannot be divided by ownership because ")
           << *obstacle << "; expected another strategy";
  loop->setAttr(kNotOwnedAttr, StringAttr::get(loop.getContext(), *obstacle));
  return Coloring::Blocks;
}

/// Rows that one element changes through maps.
static int64_t countConflictRows(ArrayRef<LoopArg> args) {
  int64_t rows = 0;
  for (const LoopArg &arg : args)
    if (isConflict(arg))
      rows += arg.attr.getCount();
  return rows;
}

/// Blocks that own rows have the increments of all their elements in shared
/// memory, if they have room there, with a number for each row of these, and a
/// thread for each element.
static int64_t limitBlockSize(ArrayRef<LoopArg> args, int64_t blockSize) {
  auto isShared = [&](const LoopArg &arg) {
    return hasSharedIncrements(args, arg);
  };
  int64_t bytes = countPrivateBytes(args, isShared) +
                  countConflictRows(args) * int64_t(sizeof(uint16_t));
  int64_t most = std::clamp<int64_t>(kUsualSharedBytes / bytes, 1, kMaxThreads);
  if (most > kWarpSize)
    most = most / kWarpSize * kWarpSize;
  return std::min(blockSize, most);
}

/// There is no atomic operation for what a kernel does to other arguments, nor
/// private memory for a row of any length; and what is added to private memory
/// is not seen by another argument.
static bool canAddAtomically(ArrayRef<LoopArg> args) {
  return fitPrivateIncrements(args) &&
         llvm::none_of(args, [&](const LoopArg &arg) {
           bool isSeen = llvm::any_of(args, [&](const LoopArg &other) {
             return other.getAccess() != Access::Inc && mayBeOneDat(arg, other);
           });
           if ((isSeen || ShapedType::isDynamic(arg.getDim())) &&
               isAddedElsewhere(args, arg))
             return true;
           bool isOtherChange = arg.isDat() && !arg.isIndirect() &&
                                isChanged(arg) &&
                                arg.getAccess() != Access::Inc;
           return isOtherChange &&
                  llvm::any_of(args, [&](const LoopArg &other) {
                    return isConflict(other) && other.data == arg.data;
                  });
         });
}

/// Why it would take longer if blocks owned rows. An element runs in every
/// block that owns one of its rows, measured on a GPU (gpu-measured.md); and
/// the device's memory moves what shared memory has no room for
/// (gpu-traffic.md).
static std::optional<std::string> findCosts(ArrayRef<LoopArg> args) {
  constexpr int64_t kMostRows = 4;
  auto hasNoRoom = [&](const LoopArg &arg) {
    return isConflict(arg) && !hasSharedIncrements(args, arg);
  };
  if (llvm::any_of(args, hasNoRoom))
    return "what its elements add has no room in the shared memory of a block";
  int64_t rows = countConflictRows(args);
  if (rows <= kMostRows)
    return std::nullopt;
  return ("an element adds to " + Twine(rows) + " rows, more than " +
          Twine(kMostRows) + ", and would run in as many blocks")
      .str();
}

/// What the plan of a loop on a device colours.
static FailureOr<Coloring> chooseForDevice(ParLoopOp loop,
                                           ArrayRef<LoopArg> args,
                                           FunctionOpInterface kernel,
                                           Strategy strategy) {
  if (!hasConflicts(args))
    return Coloring::None;
  switch (strategy) {
  case Strategy::TwoLevel:
    return Coloring::TwoLevel;
  case Strategy::Global:
    return Coloring::Elements;
  case Strategy::Auto:
  case Strategy::Owner: {
    std::optional<std::string> obstacle =
        findOwnershipObstacle(args, kernel, Owners::Blocks);
    if (!obstacle && strategy == Strategy::Auto)
      obstacle = findCosts(args);
    if (!obstacle)
      return Coloring::OwnedRows;
    if (loop.getStrategy() == Strategy::Owner)
      return loop.emitOpError("cannot be divided by ownership because ")
             << *obstacle << "; expected another strategy";
    loop->setAttr(kNotOwnedAttr, StringAttr::get(loop.getContext(), *obstacle));
    return Coloring::TwoLevel;
  }
  case Strategy::Atomics:
    break;
  }
  return canAddAtomically(args) ? Coloring::None : Coloring::TwoLevel;
}

/// How the loop avoids races, in the words of the diagnostics.
static StringRef describeStrategy(ArrayRef<LoopArg> args, Coloring coloring) {
  bool isIndirect = llvm::any_of(
      args, [](const LoopArg &arg) { return arg.isDat() && arg.isIndirect(); });
  if (!hasConflicts(args))
    return isIndirect ? "blocks" : "direct";
  switch (coloring) {
  case Coloring::Blocks:
    return "block colours";
  case Coloring::TwoLevel:
    return "two-level colours";
  case Coloring::None:
    return "atomics";
  case Coloring::Elements:
    return "global colours";
  case Coloring::Owner:
    return "ownership";
  case Coloring::OwnedRows:
    return "owned rows";
  }
  llvm_unreachable("unknown colouring");
}

namespace {
struct PlanChoice {
  Target target;
  Coloring coloring;
  int64_t blockSize;
};

/// A block of a plan for a device has as many elements as threads, or as runs
/// of them.
constexpr int64_t kDeviceBlockSize = 128;

/// Plans one loop.
class LoopPlanner {
public:
  LoopPlanner(ParLoopOp loop, FunctionOpInterface kernel, PlanChoice choice)
      : loop(loop), loc(loop.getLoc()), builder(loop), kernel(kernel),
        call(loop, kernel), args(loop.getLoopArgs()), target(choice.target),
        blockSize(loop.getBlockSize().value_or(choice.blockSize)),
        coloring(choice.coloring) {
    if (target != Target::OpenMP && blockSize == 0)
      blockSize = kDeviceBlockSize * getRunLength();
    if (coloring == Coloring::OwnedRows)
      blockSize = limitBlockSize(args, blockSize);
  }

  void run() {
    begin = LoopBeginOp::create(builder, loc, builder.getType<LoopType>(),
                                loop.getLabel(), loop.getSet(),
                                loop.getValues(), loop.getArgs(), target,
                                describeStrategy(args, coloring));
    begin->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    plan = PlanOp::create(builder, loc, builder.getType<PlanType>(),
                          begin.getLoop(), blockSize, coloring);
    call.acquireStorage(builder);
    findRowEnds();
    beginReductions();
    emitLoops();
    for (auto [number, reduction] : llvm::concat<Reduction>(reductions, sums))
      ReductionEndOp::create(builder, loc, reduction);
    LoopEndOp::create(builder, loc, begin.getLoop());
    loop.erase();
  }

private:
  /// Elements of a block for each thread of a device.
  int64_t getRunLength() const {
    bool isMerged =
        llvm::any_of(args, [](const LoopArg &arg) { return arg.isMerged(); });
    return isMerged && coloring == Coloring::None ? kRunLength : 1;
  }

  void beginReductions() {
    for (auto [number, arg] : llvm::enumerate(args)) {
      if (!arg.isPrivate())
        continue;
      bool isExact = target == Target::OpenMP && arg.isExactSum();
      auto reduction = ReductionBeginOp::create(
          builder, loc, arg.getReductionType(), begin.getLoop(),
          isExact ? Value() : plan, number);
      (isExact ? sums : reductions).emplace_back(number, reduction);
    }
  }

  /// Elements that lead to one row often follow each other where there is one
  /// map slot: entries of a matrix. A loop over rows reads no numbers of rows,
  /// which are a quarter of what a product reads. Vectors take less time where
  /// the kernel is more than a product.
  void findRowEnds() {
    constexpr int64_t kFewCycles = 1, kFewValues = 4;
    auto function = dyn_cast<func::FuncOp>(kernel.getOperation());
    if (target != Target::OpenMP || !function || function.isExternal())
      return;
    KernelCycles cycles = countCycles(function);
    if (cycles.calls > 0 || cycles.arithmetic > kFewCycles)
      return;
    for (auto [number, arg] : llvm::enumerate(args))
      if (addsToOneRow(args, number) && getLikelyArity(args, arg.map) == 1 &&
          !ShapedType::isDynamic(arg.getDim()) && arg.getDim() <= kFewValues)
        rowEnds = RowEndsOp::create(
            builder, loc,
            MemRefType::get({ShapedType::kDynamic}, builder.getI32Type()),
            begin.getLoop(), number);
  }

  void emitLoops() {
    OpBuilder::InsertionGuard guard(builder);
    auto colors = ForColorsOp::create(builder, loc, plan);
    builder.setInsertionPointToStart(&colors.getBody().front());
    auto blocks =
        ForBlocksOp::create(builder, loc, plan, colors.getInductionVar());
    builder.setInsertionPointToStart(&blocks.getBody().front());
    for (auto [number, reduction] : reductions) {
      auto type = cast<ReductionType>(reduction.getType()).getPartialType();
      Value partial = ReductionPartialOp::create(builder, loc, type, reduction,
                                                 blocks.getInductionVar());
      call.setGlobal(number, partial);
      partials.emplace_back(number, partial);
    }
    auto elements =
        ForElementsOp::create(builder, loc, plan, blocks.getInductionVar());
    if (rowEnds)
      elements.getRowEndsMutable().assign(rowEnds);
    builder.setInsertionPointToStart(&elements.getBody().front());
    for (auto [number, sum] : sums)
      call.setTerms(builder, number, sum);
    Value element = elements.getInductionVar();
    if (coloring == Coloring::Elements || coloring == Coloring::OwnedRows)
      element = PermutedElementOp::create(builder, loc, builder.getIndexType(),
                                          plan, element);
    call.emitCall(builder, element);
    if (coloring == Coloring::Owner)
      emitGuarded(elements);
  }

  /// The kernel's call with private rows for what the block does not own; sums
  /// count elements that it does.
  void emitGuarded(ForElementsOp elements) {
    builder.setInsertionPoint(elements);
    Type index = builder.getIndexType();
    for (auto [number, arg] : llvm::enumerate(args)) {
      if (!isOwned(arg))
        continue;
      auto range = OwnedRangeOp::create(builder, loc, index, index, plan,
                                        elements.getBlock(), arg.data);
      call.setOwned(number, range.getBegin(), range.getEnd());
    }
    Block &block = elements.createGuarded();
    builder.setInsertionPointToStart(&block);
    SmallVector<Count> counts;
    for (auto [number, sum] : sums)
      counts.push_back({call.setTerms(builder, number, sum), {}, {}});
    for (auto [number, partial] : partials)
      if (args[number].getAccess() == Access::Inc)
        counts.push_back(
            {partial, copy(partial, args[number].flag), args[number].flag});
    call.emitCall(builder, block.getArgument(0));
    const LoopArg *counted = findCounted(args);
    if (counts.empty() || !counted) // each element has one owner
      return;
    Value isCounted =
        call.isOwned(builder, counted - args.begin(), block.getArgument(0));
    for (const Count &count : counts)
      restoreUnless(isCounted, count);
  }

  /// What the kernel adds to, and what that was before; null: nothing. The row
  /// is there if `flag` says so.
  struct Count {
    Value row, before, flag;
  };

  void enterBranch(Value flag) {
    if (!flag)
      return;
    auto branch = scf::IfOp::create(builder, loc, flag);
    builder.setInsertionPointToStart(branch.thenBlock());
  }

  Value copy(Value row, Value flag) {
    auto type = cast<MemRefType>(row.getType());
    Value to = createPrivate(builder, loc, type);
    OpBuilder::InsertionGuard guard(builder);
    enterBranch(flag);
    forRowEntries(builder, loc, type.getDimSize(0), [&](Value entry) {
      Value value = memref::LoadOp::create(builder, loc, row, entry);
      memref::StoreOp::create(builder, loc, value, to, entry);
    });
    return to;
  }

  void restoreUnless(Value isCounted, const Count &count) {
    OpBuilder::InsertionGuard guard(builder);
    enterBranch(count.flag);
    auto type = cast<MemRefType>(count.row.getType());
    forRowEntries(builder, loc, type.getDimSize(0), [&](Value entry) {
      Value old =
          count.before
              ? memref::LoadOp::create(builder, loc, count.before, entry)
                    .getResult()
              : createAdditiveIdentity(builder, loc, type.getElementType());
      Value now = memref::LoadOp::create(builder, loc, count.row, entry);
      now = arith::SelectOp::create(builder, loc, isCounted, now, old);
      memref::StoreOp::create(builder, loc, now, count.row, entry);
    });
  }

  ParLoopOp loop;
  Location loc;
  OpBuilder builder;
  FunctionOpInterface kernel;
  KernelCall call;
  SmallVector<LoopArg> args;
  Target target;
  int64_t blockSize;
  Coloring coloring;
  LoopBeginOp begin;
  Value plan;
  Value rowEnds;                                ///< or null
  using Reduction = std::pair<unsigned, Value>; ///< of the argument
  SmallVector<Reduction> reductions, sums; ///< `sums`: those that are exact
  SmallVector<Reduction> partials;         ///< of a block, of `reductions`
};

struct PlanPass : public op2::impl::OP2PlanPassBase<PlanPass> {
  using OP2PlanPassBase::OP2PlanPassBase;

  void runOnOperation() override {
    separateKernelValues(getOperation());
    SymbolTableCollection symbols;
    SmallVector<ParLoopOp> loops;
    getOperation().walk([&](ParLoopOp loop) { loops.push_back(loop); });
    for (ParLoopOp loop : loops) {
      SmallVector<LoopArg> args = loop.getLoopArgs();
      if (failed(checkCanRunInParallel(loop, args)) ||
          failed(checkIsWhole(loop, target)) ||
          (target != Target::OpenMP && failed(checkFitsDevice(loop, args))))
        return signalPassFailure();
      auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          loop, loop.getKernelAttr());
      FailureOr<Coloring> coloring = chooseColoring(loop, kernel);
      if (failed(coloring))
        return signalPassFailure();
      LoopPlanner(loop, kernel, {target, *coloring, blockSize}).run();
      ++numLoops;
    }
  }

private:
  FailureOr<Coloring> chooseColoring(ParLoopOp loop,
                                     FunctionOpInterface kernel) {
    SmallVector<LoopArg> args = loop.getLoopArgs();
    Strategy wanted = loop.getStrategy().value_or(strategy);
    return target == Target::OpenMP
               ? chooseForThreads(loop, args, kernel, wanted)
               : chooseForDevice(loop, args, kernel, wanted);
  }
};
} // namespace
