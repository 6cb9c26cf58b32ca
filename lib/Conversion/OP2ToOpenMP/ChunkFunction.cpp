//===- ChunkFunction.cpp - Loops over elements as functions ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkFunction.h"
#include "../ExactSums.h"
#include "../Increments.h"
#include "../LoopAnnotations.h"
#include "OP2/Transforms/MapEntries.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "RowPrefetch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// ChunkCaptures
//===----------------------------------------------------------------------===//

/// Whether an operation, or what it holds, may look at other memory than it
/// gets: variables of the program, what pointers in them lead to, or whatever a
/// call does. Constant tables count.
static bool mayReadOther(Operation *op, bool isKernel) {
  auto isOther = [&](Operation *inner) {
    if (isa<LLVM::AddressOfOp, memref::GetGlobalOp>(inner))
      return true;
    auto call = dyn_cast<CallOpInterface>(inner);
    if (!call)
      return false;
    Operation *kernel = isKernel ? nullptr : call.resolveCallable();
    return !kernel || mayReadOther(kernel, /*isKernel=*/true);
  };
  return op
      ->walk([&](Operation *inner) {
        return isOther(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

ChunkCaptures::ChunkCaptures(ForElementsOp elements, ArrayRef<Region *> regions,
                             bool takesRowEnds) {
  if (auto plan = elements.getPlan().getDefiningOp<PlanOp>())
    loop = plan.getLoop().getDefiningOp<LoopBeginOp>();
  llvm::SetVector<Value> used;
  for (Region *region : regions) {
    getUsedValuesDefinedAbove(*region, used);
    for (Operation &op : region->getOps())
      readsOther |= mayReadOther(&op, /*isKernel=*/false);
  }
  if (takesRowEnds)
    used.insert(elements.getRowEnds());
  for (Value value : used)
    if (!matchPattern(value, m_Constant()))
      values.push_back(value);
}

static bool isWritten(const LoopArg &arg) {
  return arg.getAccess() != Access::Read;
}

bool ChunkCaptures::mayAlias() const {
  if (!loop)
    return false; // Nothing is assumed of the captures then, either.
  llvm::SmallDenseSet<Value> dats;
  bool writesDat = false, takesGlobal = false;
  for (const LoopArg &arg : LoopBeginOp(loop).getLoopArgs()) {
    if (arg.isDat()) {
      dats.insert(arg.data);
      writesDat |= isWritten(arg);
    }
    // Those are done on the runtime's own memory.
    takesGlobal |= arg.isGlobal() && !arg.isPrivate();
  }
  return writesDat && (dats.size() > 1 || takesGlobal || readsOther);
}

/// The loop's dat or global whose data `value` is, or null.
static Value getDatOrGlobal(Value value) {
  if (auto data = value.getDefiningOp<DatDataOp>())
    return data.getDat();
  return value;
}

bool ChunkCaptures::isReadOnly(Value value) const {
  if (isa_and_nonnull<MapTableOp, RowEndsOp>(value.getDefiningOp()))
    return true;
  if (!loop)
    return false;
  Value handle = getDatOrGlobal(value);
  bool isFound = false;
  for (const LoopArg &arg : LoopBeginOp(loop).getLoopArgs()) {
    if (arg.data != handle)
      continue;
    if (isWritten(arg))
      return false;
    isFound = true;
  }
  return isFound;
}

int64_t ChunkCaptures::getLikelyArity(Value value) const {
  auto table = value.getDefiningOp<MapTableOp>();
  if (!loop || !table ||
      cast<MapType>(table.getMap().getType()).hasStaticArity())
    return 0;
  return op2::getLikelyArity(LoopBeginOp(loop).getLoopArgs(), table.getMap());
}

bool ChunkCaptures::isDistinct(Value value) const {
  if (isa_and_nonnull<ReductionPartialOp, memref::AllocaOp>(
          value.getDefiningOp()))
    return true;
  if (!loop)
    return false;
  if (value.getDefiningOp<DatDataOp>() || value.getDefiningOp<MapTableOp>())
    return true;
  return isReadOnly(value);
}

//===----------------------------------------------------------------------===//
// Chunk functions
//===----------------------------------------------------------------------===//

/// Dynamic sizes of a memref's dimensions but the first travel with it.
static SmallVector<unsigned> getDynamicRowDims(MemRefType type) {
  SmallVector<unsigned> dims;
  for (int64_t dim = 1; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dims.push_back(dim);
  return dims;
}

/// Parameter types: begin, end, then for each capture its pointer and row
/// sizes, or itself.
static FunctionType getChunkType(MLIRContext *context,
                                 ArrayRef<Value> captures) {
  Type index = IndexType::get(context);
  SmallVector<Type> types = {index, index};
  for (Value capture : captures) {
    auto memref = dyn_cast<MemRefType>(capture.getType());
    if (!memref) {
      types.push_back(capture.getType());
      continue;
    }
    types.push_back(LLVM::LLVMPointerType::get(context));
    types.append(getDynamicRowDims(memref).size(), index);
  }
  return FunctionType::get(context, types, {});
}

/// Maps the captures to the function's parameters.
static void mapCaptures(func::FuncOp function, OpBuilder &builder,
                        const ChunkCaptures &captures, bool isFast,
                        IRMapping &mapping) {
  unsigned next = 2;
  for (Value capture : captures.getValues()) {
    unsigned parameter = next++;
    Value value = function.getArgument(parameter);
    if (auto memref = dyn_cast<MemRefType>(capture.getType())) {
      SmallVector<Value> sizes;
      for (size_t i = getDynamicRowDims(memref).size(); i > 0; --i)
        sizes.push_back(function.getArgument(next++));
      int64_t arity = isFast ? captures.getLikelyArity(capture) : 0;
      if (arity)
        sizes = {
            arith::ConstantIndexOp::create(builder, function.getLoc(), arity)};
      value =
          PtrCastOp::create(builder, function.getLoc(), memref, value, sizes);
      if (isFast && captures.isDistinct(capture))
        function.setArgAttr(parameter, "llvm.noalias", builder.getUnitAttr());
    }
    mapping.map(capture, value);
  }
}

/// Copies constants from outside into the function as they are met.
static void cloneConstants(ForElementsOp elements, OpBuilder &builder,
                           IRMapping &mapping) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(elements->getRegions(), used);
  for (Value value : used)
    if (matchPattern(value, m_Constant()))
      builder.clone(*value.getDefiningOp(), mapping);
}

/// Data that a block owns a part of -> a row of it.
using OwnedData = DenseMap<Value, OwnedRowOp>;

static OwnedData findOwnedData(ForElementsOp elements) {
  OwnedData owned;
  elements.getGuarded().walk(
      [&](OwnedRowOp row) { owned.try_emplace(row.getData(), row); });
  return owned;
}

/// Copies an operation of `lanes`. Rows of what is owned in part are private
/// memory where they are not owned: vectors only combine with such rows.
static void cloneOwned(OpBuilder &builder, Operation &op,
                       const OwnedData &owned, IRMapping &mapping) {
  SmallVector<std::pair<RowOp, OwnedRowOp>> rows;
  op.walk([&](RowOp row) {
    if (OwnedRowOp model = owned.lookup(row.getData()))
      rows.push_back({row, model});
  });
  builder.clone(op, mapping);
  for (auto [row, model] : rows) {
    auto copy = mapping.lookup(row.getRow()).getDefiningOp<RowOp>();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    auto type = cast<MemRefType>(copy.getRow().getType());
    Value spare = createPrivateRow(builder, row.getLoc(), type, copy.getData(),
                                   /*isOnHeap=*/false);
    Value ownedRow = OwnedRowOp::create(
        builder, row.getLoc(), type, copy.getData(), copy.getIndex(),
        mapping.lookupOrDefault(model.getBegin()),
        mapping.lookupOrDefault(model.getEnd()), spare);
    copy.getRow().replaceAllUsesWith(ownedRow);
    mapping.map(row.getRow(), ownedRow);
    copy.erase();
  }
}

/// Runs a copy of `body` for the elements of the range.
static scf::ForOp emitElementLoop(OpBuilder &builder, Location loc,
                                  Region &body, ElementRange range,
                                  const OwnedData &owned, IRMapping mapping) {
  auto loop =
      scf::ForOp::create(builder, loc, range.begin, range.end, range.step);
  mapping.map(body.getArgument(0), loop.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  for (Operation &op : body.front().without_terminator())
    cloneOwned(builder, op, owned, mapping);
  hoistPrivate(*loop.getBody(), loop);
  expandIncrements(loop);
  return loop;
}

/// The argument whose rows `row_ends` are about.
static LoopArg getRowArg(ForElementsOp elements) {
  auto ends = elements.getRowEnds().getDefiningOp<RowEndsOp>();
  return ends.getLoop()
      .getDefiningOp<LoopBeginOp>()
      .getLoopArgs()[ends.getArg()];
}

Value op2::findRowNumbers(ForElementsOp elements) {
  Value map = getRowArg(elements).map;
  for (auto row : elements.getBody().getOps<RowOp>()) {
    Value table = getMapTable(row);
    auto of = table ? table.getDefiningOp<MapTableOp>() : nullptr;
    if (of && of.getMap() == map)
      return table;
  }
  return {};
}

/// Runs a copy of `body` for the elements of the range, row after row, so that
/// LLVM keeps the sum of a row in registers.
static void emitRowLoops(OpBuilder &builder, Location loc,
                         ForElementsOp elements, ElementRange range,
                         const IRMapping &mapping) {
  int64_t slotNumber = getRowArg(elements).attr.getSlot();
  Value table = mapping.lookup(findRowNumbers(elements));
  Value slot = arith::ConstantIndexOp::create(builder, loc, slotNumber);
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      range.begin, range.end);
  auto branch = scf::IfOp::create(builder, loc, isAny);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto getRow = [&](Value element) -> Value {
    Value row =
        memref::LoadOp::create(builder, loc, table, ValueRange{element, slot});
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      row);
  };
  Value lastElement =
      arith::SubIOp::create(builder, loc, range.end, range.step);
  Value first = getRow(range.begin), last = getRow(lastElement);
  Value end = arith::AddIOp::create(builder, loc, last, range.step);
  auto rows =
      scf::ForOp::create(builder, loc, first, end, range.step, range.begin);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = rows.getInductionVar();
  Value next = memref::LoadOp::create(
      builder, loc, mapping.lookup(elements.getRowEnds()), row);
  next = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), next);
  next = arith::MinSIOp::create(builder, loc, next, range.end);
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), row);
  auto loop = emitElementLoop(builder, loc, elements.getBody(),
                              {rows.getRegionIterArg(0), next, range.step},
                              OwnedData(), mapping);
  loop.walk([&](memref::LoadOp load) {
    if (load.getMemRef() == table &&
        load.getIndices()[0] == loop.getInductionVar() &&
        getConstantIntValue(load.getIndices()[1]) == slotNumber)
      load.replaceAllUsesWith(number);
  });
  keepScalar(loop, /*isShort=*/true);
  scf::YieldOp::create(builder, loc, next);
  hoistPrivate(*rows.getBody(), branch);
}

/// Where there were vectors to use, rows are known to lie apart, so that LLVM
/// takes several components of one.
static bool takesRowsOneByOne(ForElementsOp elements, LoopBeginOp loop) {
  if (!loop || elements.hasLanes())
    return false;
  auto module = loop->getParentOfType<ModuleOp>();
  return isLeftToRows(
      loop.getLoopArgs(),
      MachineAttr::of(module).getVectorBits() ? 1 : kMostInterleaved);
}

void op2::makeInternal(func::FuncOp function) {
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
}

func::FuncOp op2::createChunkFunction(ForElementsOp elements,
                                      const ChunkCaptures &captures,
                                      StringRef name, ChunkKind kind,
                                      SymbolTable &symbols) {
  bool isFast = kind == ChunkKind::Fast || kind == ChunkKind::FastGuarded ||
                kind == ChunkKind::Rows;
  bool isGuarded = kind == ChunkKind::Guarded || kind == ChunkKind::FastGuarded;
  Location loc = elements.getLoc();
  OpBuilder builder(elements.getContext());
  auto function = func::FuncOp::create(
      builder, loc, name,
      getChunkType(elements.getContext(), captures.getValues()));
  makeInternal(function);
  // A function of its own in profiles, whatever its size; noalias on real
  // parameters is also worth more than what inlining makes of it.
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  symbols.insert(function); // renames it if the name is taken

  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapCaptures(function, builder, captures, isFast, mapping);
  cloneConstants(elements, builder, mapping);
  ElementRange range{entry->getArgument(0), entry->getArgument(1),
                     arith::ConstantIndexOp::create(builder, loc, 1)};
  if (kind == ChunkKind::Rows) {
    emitRowLoops(builder, loc, elements, range, mapping);
    func::ReturnOp::create(builder, loc);
    return function;
  }
  Region &body = isGuarded ? elements.getGuarded() : elements.getBody();
  bool hasVectors = isFast && elements.hasLanes();
  ExactSums sums(findExactSums(body), hasVectors ? *elements.getWidth() : 1);
  sums.emitBuffers(builder, loc);
  if (!sums.empty())
    range = emitPieces(builder, loc, range, sums.getNumElements());
  sums.beginPiece(builder, loc, mapping);
  ElementRange const piece = range;
  Operation *last = nullptr; // that stands in the piece
  if (isFast && captures.getLoop()) {
    RowPrefetch rows(elements, captures.getLoop());
    if (!rows.empty()) {
      range = emitPieces(builder, loc, range, rows.getNumElements());
      last = builder.getBlock()->getParentOp();
      rows.emitPrefetch(builder, loc, range.begin, range.end, mapping);
    }
  }
  if (hasVectors) {
    // Whole vectors from the first element on.
    Value width =
        arith::ConstantIndexOp::create(builder, loc, *elements.getWidth());
    Value count = arith::SubIOp::create(builder, loc, range.end, range.begin);
    Value rest = arith::RemUIOp::create(builder, loc, count, width);
    Value middle = arith::SubIOp::create(builder, loc, range.end, rest);
    auto vectors = emitElementLoop(
        builder, loc, elements.getLanes(), {range.begin, middle, width},
        isGuarded ? findOwnedData(elements) : OwnedData(), mapping);
    if (captures.getLoop())
      StreamPrefetch(elements, captures).emit(vectors, mapping);
    sums.lowerTerms(vectors, piece.begin, mapping);
    range.begin = middle;
  }
  auto loop = emitElementLoop(builder, loc, body, range, OwnedData(), mapping);
  sums.lowerTerms(loop, piece.begin, mapping);
  if (isFast && captures.getLoop())
    ColumnPrefetch(elements, captures).emit(builder, loop, mapping);
  // Nor has LLVM anything to gain where data overlap; maps may just be wider.
  bool isOverlap = kind == ChunkKind::General &&
                   llvm::none_of(captures.getValues(), [&](Value capture) {
                     return captures.getLikelyArity(capture) != 0;
                   });
  bool isShort = hasVectors || isGuarded || isOverlap;
  if (isShort || elements.getOneByOne() ||
      takesRowsOneByOne(elements, captures.getLoop()))
    keepScalar(loop, isShort);
  if (last)
    builder.setInsertionPointAfter(last);
  sums.endPiece(builder, loc, piece.begin, piece.end, mapping);
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, loc);
  return function;
}

void op2::callChunkFunction(OpBuilder &builder, Location loc,
                            func::FuncOp function, Value begin, Value end,
                            ArrayRef<Value> captures) {
  SmallVector<Value> operands = {begin, end};
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  for (Value capture : captures) {
    auto memref = dyn_cast<MemRefType>(capture.getType());
    if (!memref) {
      operands.push_back(capture);
      continue;
    }
    operands.push_back(
        PtrCastOp::create(builder, loc, pointer, capture, ValueRange()));
    for (unsigned dim : getDynamicRowDims(memref))
      operands.push_back(memref::DimOp::create(builder, loc, capture, dim));
  }
  func::CallOp::create(builder, loc, function, operands);
}
