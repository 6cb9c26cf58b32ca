//===- OP2ToOpenMP.cpp - Run the blocks of a plan on OpenMP threads -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkFunction.h"
#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "OP2/Transforms/SumRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_CONVERTOP2TOOPENMPPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
struct ConvertOP2ToOpenMPPass
    : public op2::impl::ConvertOP2ToOpenMPPassBase<ConvertOP2ToOpenMPPass> {
  void runOnOperation() override;

private:
  void convertElements(ForElementsOp elements, SymbolTable &symbols);
};
} // namespace

/// The loop that a plan belongs to; null if it is not known here.
static LoopBeginOp findLoop(Value plan) {
  auto op = plan.getDefiningOp<PlanOp>();
  return op ? op.getLoop().getDefiningOp<LoopBeginOp>() : nullptr;
}

/// The name of a function made of a loop, which may be unknown.
static std::string getName(LoopBeginOp loop, StringRef suffix) {
  return ((loop ? loop.getLabel() : StringRef("op2")) + suffix).str();
}

/// The condition under which the fast version of a chunk is right, evaluated
/// once per execution of the loop; null if it always is.
static Value createFastCheck(const ChunkCaptures &captures) {
  LoopBeginOp loop = captures.getLoop();
  if (!loop)
    return {};
  // A variant is called where nothing overlaps.
  auto function = loop->getParentOfType<func::FuncOp>();
  bool isVariant = function && function->hasAttr(kVariantAttr);
  OpBuilder builder(loop->getContext());
  Location loc = loop.getLoc();
  Value condition;
  if (captures.mayAlias() && !isVariant) {
    builder.setInsertionPointAfter(loop);
    condition = IsAliasFreeOp::create(builder, loc, builder.getI1Type(), loop);
  }
  for (Value table : captures.getValues()) {
    int64_t arity = captures.getLikelyArity(table);
    if (!arity)
      continue;
    builder.setInsertionPointAfterValue(table);
    Value actual = memref::DimOp::create(builder, loc, table, 1);
    Value likely = arith::ConstantIndexOp::create(builder, loc, arity);
    Value isLikely = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, actual, likely);
    if (!condition) {
      condition = isLikely;
      continue;
    }
    // Tables are met in any order.
    if (isLikely.getDefiningOp()->isBeforeInBlock(condition.getDefiningOp()))
      builder.setInsertionPointAfterValue(condition);
    condition = arith::AndIOp::create(builder, loc, condition, isLikely);
  }
  return condition;
}

namespace {
/// for_elements -> calls of chunk functions.
class ElementsConverter {
public:
  ElementsConverter(ForElementsOp elements, SymbolTable &symbols)
      : elements(elements), symbols(symbols), loc(elements.getLoc()),
        captures(elements, {&elements.getBody(), &elements.getLanes()}),
        guardsVectors(mayGuardVectors(elements, captures)),
        guardedCaptures(elements,
                        guardsVectors
                            ? ArrayRef<Region *>{&elements.getGuarded(),
                                                 &elements.getLanes()}
                            : ArrayRef<Region *>{&elements.getGuarded()}),
        rowCaptures(elements, {&elements.getBody()},
                    /*takesRowEnds=*/bool(elements.getRowEnds())) {
    name = getName(captures.getLoop(), "_chunk");
  }

  void run() {
    isFast = createFastCheck(captures);
    whole = createVersions(captures, name, ChunkKind::Fast, ChunkKind::General);
    createRows();
    OpBuilder builder(elements);
    if (elements.hasGuarded()) {
      callForPieces(builder);
    } else {
      Type index = builder.getIndexType();
      auto range = BlockRangeOp::create(
          builder, loc, index, index, elements.getPlan(), elements.getBlock());
      callWhole(builder, range.getBegin(), range.getEnd());
    }
    elements.erase();
  }

  bool isVersioned() const { return isFast != nullptr; }

private:
  /// Functions that do the same with the same captures.
  struct Versions {
    func::FuncOp fast, general; ///< general is null if the other always does
    ArrayRef<Value> captures;
  };

  func::FuncOp create(const ChunkCaptures &captures, const Twine &name,
                      ChunkKind kind) {
    return createChunkFunction(elements, captures, name.str(), kind, symbols);
  }

  Versions createVersions(const ChunkCaptures &captures, const Twine &name,
                          ChunkKind fast, ChunkKind general) {
    return {create(captures, name, fast),
            isFast ? create(captures, name + "_general", general)
                   : func::FuncOp(),
            captures.getValues()};
  }

  /// Lanes are guarded where they combine with rows, one after the other.
  static bool mayGuardVectors(ForElementsOp elements,
                              const ChunkCaptures &captures) {
    auto loop = dyn_cast_or_null<LoopBeginOp>(captures.getLoop());
    return elements.hasLanes() && loop &&
           llvm::all_of(loop.getLoopArgs(), [](const LoopArg &arg) {
             return !isChanged(arg) || isConflict(arg);
           });
  }

  /// Without vectors there is nothing to gain from a fast version of what few
  /// elements need.
  Versions createGuarded() {
    if (guardsVectors)
      return createVersions(guardedCaptures, name + "_guarded",
                            ChunkKind::FastGuarded, ChunkKind::Guarded);
    return {create(guardedCaptures, name + "_guarded", ChunkKind::Guarded),
            {},
            guardedCaptures.getValues()};
  }

  /// The function that goes row after row, and where it may.
  void createRows() {
    Value ends = elements.getRowEnds();
    if (!ends || !captures.getLoop() || !findRowNumbers(elements))
      return;
    rows = create(rowCaptures, name + "_rows", ChunkKind::Rows);
    OpBuilder builder(elements->getContext());
    builder.setInsertionPointAfterValue(ends);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value count = memref::DimOp::create(builder, loc, ends, 0);
    areRows = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                    count, zero);
    if (!isFast)
      return;
    if (areRows.getDefiningOp()->isBeforeInBlock(isFast.getDefiningOp()))
      builder.setInsertionPointAfterValue(isFast);
    areRows = arith::AndIOp::create(builder, loc, isFast, areRows);
  }

  void callWhole(OpBuilder &builder, Value begin, Value end) {
    if (!rows)
      return call(builder, whole, begin, end);
    auto branch = scf::IfOp::create(builder, loc, areRows,
                                    /*withElseRegion=*/true);
    OpBuilder thenBuilder = branch.getThenBodyBuilder();
    callChunkFunction(thenBuilder, loc, rows, begin, end,
                      rowCaptures.getValues());
    OpBuilder elseBuilder = branch.getElseBodyBuilder();
    call(elseBuilder, whole, begin, end);
  }

  void call(OpBuilder &builder, const Versions &versions, Value begin,
            Value end) {
    ArrayRef<Value> values = versions.captures;
    if (!versions.general)
      return callChunkFunction(builder, loc, versions.fast, begin, end, values);
    auto branch = scf::IfOp::create(builder, loc, isFast,
                                    /*withElseRegion=*/true);
    OpBuilder thenBuilder = branch.getThenBodyBuilder();
    callChunkFunction(thenBuilder, loc, versions.fast, begin, end, values);
    OpBuilder elseBuilder = branch.getElseBodyBuilder();
    callChunkFunction(elseBuilder, loc, versions.general, begin, end, values);
  }

  /// One piece after the other.
  void callForPieces(OpBuilder &builder) {
    Versions guarded = createGuarded();
    Type index = builder.getIndexType();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value count = NumPiecesOp::create(builder, loc, index, elements.getPlan(),
                                      elements.getBlock());
    auto loop = scf::ForOp::create(builder, loc, zero, count, one);
    OpBuilder inLoop(loop.getBody(), loop.getBody()->begin());
    auto piece = PieceOp::create(inLoop, loc, index, index, inLoop.getI1Type(),
                                 elements.getPlan(), elements.getBlock(),
                                 loop.getInductionVar());
    auto branch = scf::IfOp::create(inLoop, loc, piece.getIsGuarded(),
                                    /*withElseRegion=*/true);
    OpBuilder thenBuilder = branch.getThenBodyBuilder();
    call(thenBuilder, guarded, piece.getBegin(), piece.getEnd());
    OpBuilder elseBuilder = branch.getElseBodyBuilder();
    callWhole(elseBuilder, piece.getBegin(), piece.getEnd());
  }

  ForElementsOp elements;
  SymbolTable &symbols; ///< of the module
  Location loc;
  ChunkCaptures captures;
  bool guardsVectors;
  ChunkCaptures guardedCaptures, rowCaptures;
  std::string name;
  Versions whole;
  func::FuncOp rows; ///< null if there are no `row_ends`
  Value areRows;
  Value isFast; ///< null if the fast version always is right
};
} // namespace

void ConvertOP2ToOpenMPPass::convertElements(ForElementsOp elements,
                                             SymbolTable &symbols) {
  ElementsConverter converter(elements, symbols);
  converter.run();
  ++numChunks;
  numVersioned += converter.isVersioned();
}

/// Moves the body of a loop over a plan, without its terminator, to the end
/// of `target`, with `counter` for its counter.
static void moveBody(Region &body, Block *target, Value counter) {
  Block &source = body.front();
  source.getTerminator()->erase();
  source.getArgument(0).replaceAllUsesWith(counter);
  target->getOperations().splice(target->end(), source.getOperations());
}

/// A loop that one thread runs: moves `body` into it.
static void createSerialLoop(OpBuilder &builder, Location loc, Region &body,
                             Value begin, Value end) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  loop.getBody()->getTerminator()->erase();
  moveBody(body, loop.getBody(), loop.getInductionVar());
  hoistPrivate(*loop.getBody(), loop);
  OpBuilder inLoop = OpBuilder::atBlockEnd(loop.getBody());
  scf::YieldOp::create(inLoop, loc);
}

/// A barrier between this colour and the next of `count`. Behind the last one
/// the end of the parallel region is one.
static void createColorBarrier(OpBuilder &builder, ForBlocksOp blocks,
                               Value count) {
  Location loc = blocks.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value next = arith::AddIOp::create(builder, loc, blocks.getColor(), one);
  Value hasNext = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        next, count);
  auto branch = scf::IfOp::create(builder, loc, hasNext,
                                  /*withElseRegion=*/false);
  OpBuilder inThen = branch.getThenBodyBuilder();
  omp::BarrierOp::create(inThen, loc);
}

/// for_blocks -> an scf.for over the thread's blocks, and a barrier: always,
/// unless the parallel region ends with the colours, of which `numColors` is
/// the number, and has nothing else.
static void shareBlocks(ForBlocksOp blocks, Value numColors) {
  OpBuilder builder(blocks);
  Location loc = blocks.getLoc();
  Type index = builder.getIndexType();
  auto range = ThreadRangeOp::create(builder, loc, index, index,
                                     blocks.getPlan(), blocks.getColor());
  createSerialLoop(builder, loc, blocks.getBody(), range.getBegin(),
                   range.getEnd());
  if (numColors)
    createColorBarrier(builder, blocks, numColors);
  else
    omp::BarrierOp::create(builder, loc);
  blocks.erase();
}

/// for_blocks -> scf.for.
static void keepBlocks(ForBlocksOp blocks) {
  OpBuilder builder(blocks);
  Type index = builder.getIndexType();
  auto range = ColorRangeOp::create(builder, blocks.getLoc(), index, index,
                                    blocks.getPlan(), blocks.getColor());
  createSerialLoop(builder, blocks.getLoc(), blocks.getBody(), range.getBegin(),
                   range.getEnd());
  blocks.erase();
}

/// for_colors -> scf.for.
static void convertColors(ForColorsOp colors, bool isShared) {
  SmallVector<ForBlocksOp> all;
  colors.walk([&](ForBlocksOp blocks) { all.push_back(blocks); });
  bool isAll = all.size() == 1 && all[0]->getNextNode() ==
                                      colors.getBody().front().getTerminator();
  OpBuilder builder(colors);
  Location loc = colors.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value count = NumColorsOp::create(builder, loc, builder.getIndexType(),
                                    colors.getPlan());
  for (ForBlocksOp blocks : all)
    isShared ? shareBlocks(blocks, isAll ? count : Value())
             : keepBlocks(blocks);
  createSerialLoop(builder, loc, colors.getBody(), zero, count);
  colors.erase();
}

/// Makes the body of a loop over blocks a function if it is large, for example
/// because it combines many lanes: it is needed twice.
static void outlineBody(ForBlocksOp blocks) {
  constexpr int kLarge = 12; // operations; more than calls of chunk functions
  int count = 0;
  blocks.getBody().walk([&](Operation *) { ++count; });
  if (count <= kLarge)
    return;
  std::string base = getName(findLoop(blocks.getPlan()), "_block");
  auto module = blocks->getParentOfType<ModuleOp>();
  std::string name = base;
  for (int number = 0; module.lookupSymbol(name); ++number)
    name = base + "_" + std::to_string(number);
  IRRewriter rewriter(blocks->getContext());
  // Fails only for regions of several blocks, which a loop's body never is.
  func::FuncOp outlined = *outlineSingleBlockRegion(rewriter, blocks.getLoc(),
                                                    blocks.getBody(), name);
  makeInternal(outlined);
}

/// Takes the pointers to data that are the same for all blocks out of the
/// loops: a parallel region passes them to its threads as they are, but memrefs
/// by a place in memory for each, which another core must fetch.
static void hoistPointers(ForColorsOp colors) {
  SmallVector<PtrCastOp> casts;
  colors.walk([&](PtrCastOp cast) { casts.push_back(cast); });
  DenseMap<Value, PtrCastOp> hoisted;
  for (PtrCastOp cast : casts) {
    Value source = cast.getSource();
    bool isInside = colors->isAncestor(source.getParentRegion()->getParentOp());
    if (isInside || !isa<LLVM::LLVMPointerType>(cast.getType()))
      continue;
    auto [known, isNew] = hoisted.try_emplace(source, cast);
    if (isNew) {
      cast->moveBefore(colors);
      continue;
    }
    cast.replaceAllUsesWith(known->second.getResult());
    cast.erase();
  }
}

/// Runs the colours in an omp.parallel: the threads stay together over all of
/// them. Where they would only cost time, one thread does it all, without
/// OpenMP's library: its way to run a region with one thread takes longer than
/// a small loop.
static void versionColors(ForColorsOp colors) {
  hoistPointers(colors);
  colors.walk([](ForBlocksOp blocks) { outlineBody(blocks); });
  OpBuilder builder(colors);
  Location loc = colors.getLoc();
  Value usesThreads = UsesThreadsOp::create(builder, loc, builder.getI1Type(),
                                            colors.getPlan());
  auto branch = scf::IfOp::create(builder, loc, usesThreads,
                                  /*withElseRegion=*/true);
  auto alone = cast<ForColorsOp>(
      branch.getElseBodyBuilder().clone(*colors.getOperation()));
  OpBuilder inThen = branch.getThenBodyBuilder();
  auto parallel = omp::ParallelOp::create(inThen, loc);
  inThen.createBlock(&parallel.getRegion());
  auto end = omp::TerminatorOp::create(inThen, loc);
  colors->moveBefore(end);
  convertColors(colors, /*isShared=*/true);
  convertColors(alone, /*isShared=*/false);
}

/// What is planned for a device has its data there.
static LogicalResult checkTargets(ModuleOp module) {
  WalkResult result = module.walk([](ForElementsOp elements) {
    LoopBeginOp loop = findLoop(elements.getPlan());
    if (!loop || loop.getTarget() == Target::OpenMP)
      return WalkResult::advance();
    loop.emitOpError("expected a loop planned for openmp, got one for ")
        << getWord(loop.getTarget());
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Single elements run the whole kernel.
static LogicalResult checkIsWhole(ForElementsOp elements) {
  LoopBeginOp begin = findLoop(elements.getPlan());
  if (!begin || !begin->hasAttr(kUsualAttr) ||
      elements.getBody().getOps<func::CallOp>().empty())
    return success();
  return begin.emitOpError(
      "lacks the paths of its kernel that print or do not return; "
      "expected op2-vectorize before");
}

/// What single elements add, and their minima; those of vectors are in `lanes`.
static void combineElements(ForElementsOp elements) {
  LoopBeginOp begin = findLoop(elements.getPlan());
  if (!begin)
    return;
  SmallVector<Operation *> kernels;
  for (Region *region : {&elements.getBody(), &elements.getGuarded()}) {
    SmallVector<Operation *> calls;
    for (Operation &op : region->getOps())
      if (isa<func::CallOp, LLVM::CallOp>(op))
        calls.push_back(&op);
    if (calls.size() == 1)
      kernels.push_back(calls.front());
  }
  // Elements of a vector that need the whole kernel.
  if (begin->hasAttr(kUsualAttr))
    elements.getLanes().walk(
        [&](LLVM::CallOp call) { kernels.push_back(call); });
  for (Operation *kernel : kernels) {
    sumBeforeAdding(kernel, begin);
    takeExtremes(kernel, begin.getLoopArgs());
  }
}

void ConvertOP2ToOpenMPPass::runOnOperation() {
  if (failed(checkTargets(getOperation())))
    return signalPassFailure();
  // Inside out: what encloses a loop must still be there when it is looked at,
  // and the loops over elements become one set of functions for both versions.
  SmallVector<ForElementsOp> elements;
  SmallVector<ForColorsOp> colors;
  getOperation().walk([&](Operation *op) {
    if (auto loop = dyn_cast<ForElementsOp>(op))
      elements.push_back(loop);
    else if (auto loop = dyn_cast<ForColorsOp>(op))
      colors.push_back(loop);
  });
  SymbolTable symbols(getOperation());
  for (ForElementsOp loop : elements) {
    if (failed(checkIsWhole(loop)))
      return signalPassFailure();
    combineElements(loop);
    convertElements(loop, symbols);
  }
  for (ForColorsOp loop : colors)
    versionColors(loop);
  // In a parallel region of another loop or of the program.
  SmallVector<ForBlocksOp> others;
  getOperation().walk([&](ForBlocksOp blocks) { others.push_back(blocks); });
  for (ForBlocksOp loop : others)
    shareBlocks(loop, /*numColors=*/Value());
}
